// Waits on a clock until a signal aborts. The sender calls it between retries.

import type { Clock } from '@homeostat/base'

/** Rejects with the reason of the first signal that aborts. Removes its listeners. */
export function pause(clock: Clock, ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (event: Event) => end(() => reject((event.target as AbortSignal).reason))
    const cancel = clock.setTimer(ms, () => end(resolve))
    const end = (settle: () => void) => {
      cancel()
      for (const signal of signals) signal?.removeEventListener('abort', abort)
      settle()
    }
    for (const signal of signals) {
      if (signal?.aborted) return end(() => reject(signal.reason))
      signal?.addEventListener('abort', abort, { once: true })
    }
  })
}
