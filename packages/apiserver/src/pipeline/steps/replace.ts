// PUT: the object that was sent takes the place of the stored one, or becomes a new one where the kind lets it.

import { deepClone } from '@homeostat/meta'
import type { Step, Write } from '../write.ts'

/** Decided again, a PUT begins with what was sent. */
export function keepSent(write: Write): void {
  write.sent = write.object
}

export function copySent(write: Write): void {
  write.object = deepClone(write.sent)
}

/** There is no object whose revision a PUT could mean. */
export const dropRevision: Step = ({ object }) => {
  delete object.metadata.resourceVersion
}
