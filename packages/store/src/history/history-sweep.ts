// One walk over history, oldest first, that drops what is too old or too much. The compactor carries it out a window at
// a time; this decides about each row. A kind that has given enough is left alone for the rest of the walk: dropping a
// deletion while older versions of its key stay would bring the object back.

import type { Revision } from '../contract.ts'
import { type HistoryLimits, historyLevel } from './limits.ts'

export class HistorySweep {
  readonly #tooOld: number
  readonly #level: number
  readonly #sizes: ReadonlyMap<string, number>
  readonly #trimmed: Set<string>
  #isYoung = false
  /** The revision up to which it has come. */
  through: Revision = 0

  constructor(sizes: ReadonlyMap<string, number>, limits: HistoryLimits, now: number) {
    this.#sizes = sizes
    this.#tooOld = now - limits.ageMs
    this.#level = historyLevel([...sizes.values()], limits) ?? Number.POSITIVE_INFINITY
    this.#trimmed = new Set([...sizes].flatMap(([kind, bytes]) => (bytes > this.#level ? [kind] : [])))
  }

  /** Whether a superseded row, or a deletion, is dropped. Rows come in order. */
  drops(kind: string, time: number): boolean {
    if (!this.#isYoung && time < this.#tooOld) return true
    this.#isYoung = true
    if (!this.#trimmed.has(kind)) return false
    if ((this.#sizes.get(kind) ?? 0) > this.#level) return true
    this.#trimmed.delete(kind)
    return false
  }

  /** Nothing that follows can be dropped. */
  get isDone(): boolean {
    return this.#isYoung && this.#trimmed.size === 0
  }
}
