// Sets only the status of an object, for code inside the server. All other parts stay the same values, so no step decodes
// or validates them again.

import type { KubeObject } from '@homeostat/meta'
import type { Step } from '../write.ts'

/**
 * Makes the next status without changing the object. The result is pruned and defaulted in place. Returning the object's
 * own status means that there is nothing to do.
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
