// Those who wait for a change of something and then look for themselves whether it is what they wait for.

export class Waiters {
  readonly #waiting = new Set<() => void>()

  /** Resolves at the next change, or when the signal aborts. */
  wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      this.#waiting.add(end)
      if (signal?.aborted) end()
      else signal?.addEventListener('abort', end, { once: true })
    })
  }

  /** Something changed. */
  notify(): void {
    for (const end of [...this.#waiting]) end()
  }
}
