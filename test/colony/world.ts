// What all simulated clients of one history share: the clock, chance, the wire, the ledger, and how wild things are.

import type { Clock } from '@homeostat/base'
import type { Random } from '../crash/random.ts'
import { Ledger } from './ledger.ts'
import { type Channel, Wire } from './wire.ts'

export const NAMESPACE = 'lab'
export const TYPES = ['left', 'right'] as const
export const ROOT = `/apis/colonies.io/v1/namespaces/${NAMESPACE}`

/** Milliseconds; where there are two, chance takes something in between. */
export interface Pace {
  readonly heartbeat: number
  /** Between two things that a client asks for. */
  readonly submit: readonly [number, number]
  /** How long an executor lives, and how long it is away after a crash. */
  readonly life: readonly [number, number]
  readonly away: readonly [number, number]
  /** How long a Process takes. */
  readonly work: readonly [number, number]
  /** After so long without trouble, everything must have ended. */
  readonly peace: number
}

export class World {
  readonly clock: Clock
  readonly random: Random
  readonly pace: Pace
  readonly wire: Channel
  readonly ledger = new Ledger()
  /** Names of executors, for those who meddle. */
  readonly executors: string[] = []
  /** From now on everybody behaves and nothing breaks. */
  healthy = false
  readonly #healing = new AbortController()

  /**
   * `patienceMs`: how long clients wait for an answer; default: as long as the connection holds. `channel` leads to servers that do
   * not listen.
   */
  constructor(clock: Clock, random: Random, pace: Pace, patienceMs?: number, channel?: Channel) {
    this.clock = clock
    this.random = random
    this.pace = pace
    this.wire = channel ?? new Wire({ clock, random, patienceMs })
  }

  /** Ends when the world becomes healthy. */
  get wild(): AbortSignal {
    return this.#healing.signal
  }

  heal(): void {
    this.healthy = true
    this.wire.cuts = false
    this.#healing.abort()
  }

  chance(percent: number): boolean {
    return !this.healthy && this.random.between(0, 100) < percent
  }

  within([low, high]: readonly [number, number]): number {
    return this.random.between(low, high + 1)
  }

  /** Resolves after the time or with the signal. */
  pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const cancel = this.clock.setTimer(ms, end)
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
    })
  }
}
