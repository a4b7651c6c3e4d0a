// Waits by a clock, for as long as the signals allow. The sender calls it between tries.

import type { Clock } from '@homeostat/base'

/** Rejects with the reason of the first signal that aborts. Leaves no listener behind. */
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
