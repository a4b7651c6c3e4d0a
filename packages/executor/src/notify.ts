// Calls a callback of the program that uses the executor. An error in it is logged and has no other effect.

import type { Log } from '@homeostat/base'

export function notify(log: Log, name: string, callback: () => void): void {
  try {
    callback()
  } catch (error) {
    log.error({ err: error }, `${name} threw`)
  }
}
