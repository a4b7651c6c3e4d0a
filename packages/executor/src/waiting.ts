// Waits of an executor. None leaves a timer or a listener behind.

import type { Clock } from '@homeostat/base'

/** Runs the work with a signal that is aborted with the outer one, or when the time is up. */
export async function withinTime<T>(
  { clock, ms, signal, what }: { clock: Clock; ms: number; signal: AbortSignal; what: string },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const abort = new AbortController()
  const onOuter = () => abort.abort(signal.reason)
  signal.addEventListener('abort', onOuter, { once: true })
  const cancel = clock.setTimer(ms, () => abort.abort(new Error(`${what}: no response within ${ms / 1000} s`)))
  try {
    return await work(abort.signal)
  } finally {
    cancel()
    signal.removeEventListener('abort', onOuter)
  }
}

/** Wakes everything that waits, such as a condition variable with notify-all. */
export class Wakeup {
  readonly #waiting = new Set<() => void>()

  wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }

  /** Resolves with the next wake, or when the signal is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      if (signal.aborted) return end()
      this.#waiting.add(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }
}
