// Another status for an object inside the server, and nothing else: what is beside the status stays the very same, so none
// of it is looked at again.

import type { KubeObject } from '@homeostat/meta'
import type { Step } from '../write.ts'

/**
 * Makes the next status without changing the object; what it makes is pruned and completed in place. The status of the object
 * itself stands for nothing to do.
 */
export type NextStatus = (object: KubeObject) => unknown

export const setStatus: Step<NextStatus> = (write) => {
  const old = write.old as KubeObject
  const status = write.input(old)
  if (status === old.status) {
    write.object = old
    return
  }
  const object: KubeObject = { ...old, status }
  write.type.strategy.prune(object, old)
  write.object = object
}
