// Waits until a reader has caught up.

import type { Writable } from 'node:stream'

/** Resolves also when the reader is gone. */
export function drained(out: Writable): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      out.off('drain', finish)
      out.off('close', finish)
      resolve()
    }
    out.once('drain', finish)
    out.once('close', finish)
  })
}
