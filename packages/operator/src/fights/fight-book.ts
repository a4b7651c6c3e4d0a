// Counts how often another manager changes a field that this operator owns, and reports a fight when both keep
// overwriting each other. During a fight it says how long to back off before the field is restored. Pure: the time is
// an argument.

import type { Takeover } from './taken-over.ts'

export interface FightBookOptions {
  /** Number of takeovers that count as a fight. Default 3. */
  readonly rounds?: number
  /** Backoff before a field is restored; it doubles with every takeover. Default 1 s, up to 5 min. */
  readonly hold?: { readonly min?: number; readonly max?: number }
  /** The fight is over after this time without another takeover. Default 5 min. */
  readonly quietMs?: number
  /** Limits on remembered objects and on fields of each. Default 1,000 and 20. */
  readonly limits?: { readonly objects?: number; readonly fields?: number }
}

export interface Verdict {
  readonly field: string
  readonly rival: string
  readonly rounds: number
  readonly hold: boolean
  readonly lookAgain: number
}

interface Contest extends Takeover {
  rounds: number
  last: number
}

export class FightBook {
  readonly #objects = new Map<string, Map<string, Contest>>()
  readonly #rounds: number
  readonly #min: number
  readonly #max: number
  readonly #quiet: number
  readonly #maxObjects: number
  readonly #maxFields: number

  constructor({ rounds = 3, hold = {}, quietMs = 300_000, limits = {} }: FightBookOptions = {}) {
    this.#rounds = rounds
    this.#min = hold.min ?? 1000
    this.#max = hold.max ?? 300_000
    this.#quiet = quietMs
    this.#maxObjects = limits.objects ?? 1000
    this.#maxFields = limits.fields ?? 20
  }

  /** Number of remembered objects. */
  get size(): number {
    return this.#objects.size
  }

  note(key: string, takeovers: readonly Takeover[], now: number): void {
    if (takeovers.length === 0) return
    const contests = this.#objects.get(key) ?? new Map<string, Contest>()
    // Re-insert at the end: the map then starts with the entry that was quiet for longest, which is evicted first.
    this.#objects.delete(key)
    this.#objects.set(key, contests)
    for (const { field, rival } of takeovers) {
      const known = contests.get(field)
      if (known && known.rival === rival && now < this.#over(known)) {
        known.rounds++
        known.last = now
      } else if (known || contests.size < this.#maxFields) {
        contests.set(field, { field, rival, rounds: 1, last: now })
      }
    }
    if (this.#objects.size <= this.#maxObjects) return
    for (const oldest of this.#objects.keys()) {
      this.#objects.delete(oldest)
      return
    }
  }

  /** The worst fight over the object; undefined when there is none. */
  verdict(key: string, now: number): Verdict | undefined {
    const contests = this.#objects.get(key)
    if (!contests) return undefined
    let worst: Contest | undefined
    for (const contest of contests.values()) {
      if (now >= this.#over(contest)) contests.delete(contest.field)
      else if (contest.rounds >= this.#rounds && contest.rounds > (worst?.rounds ?? 0)) worst = contest
    }
    if (contests.size === 0) this.#objects.delete(key)
    if (!worst) return undefined
    const { field, rival, rounds } = worst
    const end = this.#holdEnd(worst)
    const hold = now < end
    return { field, rival, rounds, hold, lookAgain: (hold ? end : this.#over(worst)) - now }
  }

  forget(key: string): void {
    this.#objects.delete(key)
  }

  #holdEnd({ rounds, last }: Contest): number {
    if (rounds < this.#rounds) return last
    return last + Math.min(this.#max, this.#min * 2 ** (rounds - this.#rounds))
  }

  #over(contest: Contest): number {
    return this.#holdEnd(contest) + this.#quiet
  }
}
