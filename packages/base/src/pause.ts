// Waits by a clock. Retry loops call it between two tries. It leaves no timer and no listener behind.

import type { Clock } from './clock.ts'

/** Resolves after the time, or when the signal ends. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.setTimer(ms, end)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
