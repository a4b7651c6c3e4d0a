// A call that is parked until there is work for it. It ends once: with reserved Processes, with Processes that were stored as its
// own, or with nothing. What is being stored for it when it ends is waited for.

import type { CachedObject } from '@homeostat/apiserver'
import type { Puller, QueuedProcess } from '../queue/queued-process.ts'
import type { WaitingPullers } from '../queue/waiting-pullers.ts'

/** What a wait for work ended with. */
export type WaitEnd =
  | { readonly found: 'reserved'; readonly reserved: readonly QueuedProcess[] }
  /** Stored as running on this executor by the very writes that created them. */
  | { readonly found: 'running'; readonly running: readonly CachedObject[] }
  | { readonly found: 'ended' }
  /** It was held for a new Process that was not stored. */
  | { readonly found: 'unknown' }

/** Where calls are parked. */
export interface Parking {
  /** Those that have nothing yet and would begin at once. */
  readonly free: WaitingPullers<ParkedCall>
  /** Those that have nothing yet and fetch ahead. */
  readonly ahead: WaitingPullers<ParkedCall>
  /** Those for which a Process is being stored, and which take more of them meanwhile. */
  readonly collecting: WaitingPullers<ParkedCall>
}

export interface Wanted {
  /** How many Processes. */
  readonly max: number
  /** How many of them would not begin at once. */
  readonly ahead: number
}

export class ParkedCall {
  readonly puller: Puller
  /** How many Processes it wants. */
  readonly max: number
  readonly ended: Promise<WaitEnd>
  readonly #parking: Parking
  readonly #resolve: (end: WaitEnd) => void
  /** In the order of their submission; commits may be heard of in another. */
  readonly #stored: (CachedObject | undefined)[] = []
  #leave: () => void
  #storing = 0
  #isOpen = true

  constructor(parking: Parking, puller: Puller, { max, ahead }: Wanted) {
    this.#parking = parking
    this.puller = puller
    this.max = max
    const { promise, resolve } = Promise.withResolvers<WaitEnd>()
    this.ended = promise
    this.#resolve = resolve
    this.#leave = (ahead < max ? parking.free : parking.ahead).add(puller, this)
  }

  /** Only for a call for which nothing is being stored. */
  give(reserved: readonly QueuedProcess[]): void {
    this.#end({ found: 'reserved', reserved })
  }

  /**
   * Holds the call for a Process that is about to be stored for it. The caller must call the returned function with the result.
   * More Processes may follow until the first is stored, so that those of one transaction travel in one response.
   */
  hold(): (stored: CachedObject | undefined) => void {
    this.#leave()
    this.#storing += 1
    const place = this.#stored.push(undefined) - 1
    if (this.#storing < this.max && !hasLimits(this.puller)) {
      this.#leave = this.#parking.collecting.add(this.puller, this)
    }
    return (stored) => {
      this.#leave()
      this.#storing -= 1
      this.#stored[place] = stored
      if (this.#storing === 0) this.#end(this.#storedEnd())
    }
  }

  /** Takes no more. Ends at once unless a Process is being stored for it. */
  stop(): void {
    this.#leave()
    if (this.#storing === 0) this.#end({ found: 'ended' })
  }

  #storedEnd(): WaitEnd {
    const running = this.#stored.filter((stored) => stored !== undefined)
    return running.length > 0 ? { found: 'running', running } : { found: 'unknown' }
  }

  #end(end: WaitEnd): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#leave()
    this.#resolve(end)
  }
}

/** What is left of its capacity is known only when the last Process is stored. */
function hasLimits({ cpu, memory }: Puller): boolean {
  return cpu !== Number.POSITIVE_INFINITY || memory !== Number.POSITIVE_INFINITY
}
