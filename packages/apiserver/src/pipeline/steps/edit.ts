// A change by code inside the server: a function makes the wanted object of the stored one.

import { deepClone, type KubeObject } from '@homeostat/meta'
import { bodyOf } from '../../registry/decode-object.ts'
import type { Step } from '../write.ts'
import type { NextStatus } from './set-status.ts'

/** Changes its copy in place. */
export type Edit = (object: KubeObject) => void

export const callEdit: Step<Edit> = (write) => {
  const next = deepClone(write.old as KubeObject)
  write.input(next)
  // The function may have put in something that others hold.
  write.body = bodyOf(next)
}

/** The whole way for a new status: the object is decoded anew. */
export const callStatusEdit: Step<NextStatus> = (write) => {
  const old = write.old as KubeObject
  const status = write.input(old)
  if (status === old.status) write.object = old
  else write.body = bodyOf({ ...old, status })
}
