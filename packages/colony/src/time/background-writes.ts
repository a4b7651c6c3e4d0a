// Writes that no request waits for, such as a Process that fails at its deadline. Their number is bounded, and a failure is
// logged: whatever was due stays due and comes again.

import type { Log } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'

/** Writes under way at the same time. */
const MAX_WRITES = 256

export class BackgroundWrites {
  readonly #log: Log
  readonly #writes = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** How many more may be started now. */
  get room(): number {
    return MAX_WRITES - this.#writes.size
  }

  /** A conflict is no failure: the object has moved on, or was set aside, and is due no more. */
  add(work: Promise<void>, about: object): void {
    const write = work
      .catch((error: unknown) => {
        if (isStatusError(error, 'Conflict')) return
        this.#log.warn({ ...about, err: error }, 'what was due could not be done; it is tried again')
      })
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }

  /** Resolves when the last write has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes)
  }
}
