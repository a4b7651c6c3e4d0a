// Keeps the contents of Secrets out of errors. The merge code quotes values without knowing that they are secret, so the
// registry passes its errors through here.

import { isStatusError, StatusError } from '@homeostat/meta'
import type { WrittenBy } from './resource-type.ts'

/** The text of Kubernetes. */
export const REDACTED = '<secret contents redacted>'

/** Matches the part of a message that quotes values: after these words, or as Go prints maps and lists. */
const VALUES = /\bgot &.*|\bunknown patch type: .*|\bmap\[.*|\[.*/s

/** Returns the error; for a confidential type its message is cut where the values begin. */
export function withoutSecrets(type: WrittenBy, error: unknown): unknown {
  // A conflict names fields and their managers but no values.
  if (!type.confidential || !isStatusError(error) || error.status.reason === 'Conflict') return error
  const { message = '' } = error.status
  return new StatusError({ ...error.status, message: message.replace(VALUES, REDACTED) })
}
