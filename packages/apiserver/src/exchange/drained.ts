// Waits until a writable stream has drained.

import type { Writable } from 'node:stream'

/** Also resolves when the stream closes. */
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
