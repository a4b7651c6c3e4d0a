// Keeps what a Secret holds out of errors. The code that merges shows values, and does not know what they are; the registry
// passes its errors through here.

import { isStatusError, StatusError } from '@homeostat/meta'
import type { ResourceType } from './resource-type.ts'

/** Kubernetes' own words. */
export const REDACTED = '<secret contents redacted>'

/** Values are told after these words, or in the way Go prints maps and lists. */
const VALUES = /\bgot &.*|\bunknown patch type: .*|\bmap\[.*|\[.*/s

/** The error; about a type that holds secrets one that ends where the values begin. */
export function withoutSecrets(type: ResourceType, error: unknown): unknown {
  // A conflict names fields and their managers, and no values.
  if (!type.confidential || !isStatusError(error) || error.status.reason === 'Conflict') return error
  const { message = '' } = error.status
  return new StatusError({ ...error.status, message: message.replace(VALUES, REDACTED) })
}
