// Writes that no request waits for, such as failing a Process at its deadline. Their number is bounded. A failure is
// only logged: the work stays due and is retried.

import type { Log } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'

/** Maximum number of concurrent writes. */
const MAX_WRITES = 256

export class BackgroundWrites {
  readonly #log: Log
  readonly #writes = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Number of writes that may be started now. */
  get room(): number {
    return MAX_WRITES - this.#writes.size
  }

  /** A conflict is not logged: the object has changed or was set aside, so the write is no longer due. */
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
