// Keeps every change that the cluster's history has ever had, also below the horizon: the truth that checkers compare with.

import type { Change, Store } from '@homeostat/store'
import type { LogEntry } from '../crash/checker.ts'

export class TrueLog {
  readonly changes: Change[] = []
  readonly #ending = new AbortController()
  readonly #keeping: Promise<void>

  constructor(truth: Store, from: number) {
    this.#keeping = this.#keep(truth, from)
  }

  /** The changes under the prefix, with what each wrote; undefined for a deletion. */
  under(prefix: string, tokenOf: (text: string) => string): LogEntry[] {
    return this.changes
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, revision, value }) => ({
        key: key.slice(prefix.length),
        revision,
        token: value && tokenOf(Buffer.from(value.bytes).toString()),
      }))
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#keeping
  }

  async #keep(truth: Store, from: number): Promise<void> {
    for await (const batch of truth.changes(from, this.#ending.signal)) this.changes.push(...batch)
  }
}
