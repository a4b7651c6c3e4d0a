// Decides when the horizon moves: it stays behind by a time and by a number of changes, whichever reaches further
// back. Time is counted on a monotonic clock since the store was opened, so a changed wall clock forgets nothing.

import type { Revision } from '../contract.ts'

export interface HorizonLimits {
  /** Changes younger than this stay available. */
  readonly ms: number
  /** At least so many changes stay available. */
  readonly changes: number
}

export class HorizonKeeper {
  readonly #limits: HorizonLimits
  /** The revision at moments of the past, oldest first. */
  #samples: { readonly at: number; readonly revision: Revision }[] = []

  constructor(limits: HorizonLimits) {
    this.#limits = limits
  }

  /** Records the current revision and returns the revision that the horizon may be raised to. */
  next(now: number, revision: Revision): Revision {
    this.#samples.push({ at: now, revision })
    const oldEnough = this.#samples.findLastIndex((sample) => sample.at <= now - this.#limits.ms)
    const byTime = this.#samples[oldEnough]?.revision ?? 0
    if (oldEnough > 0) this.#samples = this.#samples.slice(oldEnough)
    return Math.max(0, Math.min(byTime, revision - this.#limits.changes))
  }
}
