// PUT: replaces the stored object by the submitted one, or creates it where the kind allows that.

import { deepClone } from '@homeostat/meta'
import type { Step, Write } from '../write.ts'

/** Keeps the decoded body, so that a retry starts from it. */
export function keepSent(write: Write): void {
  write.sent = write.object
}

export function copySent(write: Write): void {
  write.object = deepClone(write.sent)
}

/** A PUT that creates drops the resourceVersion: there is no object that it could match. */
export const dropRevision: Step = ({ object }) => {
  delete object.metadata.resourceVersion
}
