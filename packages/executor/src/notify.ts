// Calls a callback of the program that uses the executor: one that throws is logged and changes nothing.

import type { Log } from '@homeostat/base'

export function notify(log: Log, name: string, callback: () => void): void {
  try {
    callback()
  } catch (error) {
    log.error({ err: error }, `${name} threw`)
  }
}
