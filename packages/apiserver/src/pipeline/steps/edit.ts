// An update by code inside the server: an Edit turns the stored object into the wanted one.

import { deepClone, type KubeObject } from '@homeostat/meta'
import { bodyOf } from '../../registry/decode-object.ts'
import type { Step } from '../write.ts'
import type { NextStatus } from './set-status.ts'

/** Changes its copy of the stored object in place. */
export type Edit = (object: KubeObject) => void

export const callEdit: Step<Edit> = (write) => {
  const next = deepClone(write.old as KubeObject)
  write.input(next)
  // The body is a copy: the edit may have put in values that other code holds.
  write.body = bodyOf(next)
}

/** The long path for a status update: decodes the whole object again. */
export const callStatusEdit: Step<NextStatus> = (write) => {
  const old = write.old as KubeObject
  const status = write.input(old)
  if (status === old.status) write.object = old
  else write.body = bodyOf({ ...old, status })
}
