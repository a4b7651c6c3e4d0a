// What goes wrong between a server and the store, as chances and spans that a seed draws from.

import type { Random } from '../crash/random.ts'

export interface Faults {
  /** The longest that a question or its answer is under way, in ms. */
  readonly delayMs: number
  /** The longest that a change takes to a server's stream. */
  readonly lagMs: number
  /** How often a stream stands still for up to `stallMs` before a change. */
  readonly stalls: number
  readonly stallMs: number
  /** How often a stream breaks before a change and has to be opened again. */
  readonly breaks: number
  /** How often a writer is not told what became of its write: it was applied, was not, or is applied later. */
  readonly unknowns: number
  /** How often a write fails for sure. */
  readonly failures: number
  /** How often a key that a write names as its fence is written just before it. Only Leases. */
  readonly lostFences: number
}

/** Nothing goes wrong, and everything takes its time. */
export const CALM: Faults = {
  delayMs: 4,
  lagMs: 8,
  stalls: 0,
  stallMs: 0,
  breaks: 0,
  unknowns: 0,
  failures: 0,
  lostFences: 0,
}

/** Each fault is absent from some runs, so that it does not hide what the others do alone. */
export function drawnFaults(random: Random): Faults {
  const sometimes = (most: number) =>
    random.between(0, 2) === 0 ? 0 : random.between(1, 1 + Math.round(most * 100)) / 100
  return {
    delayMs: random.pick([1, 5, 20]),
    lagMs: random.pick([1, 10, 100, 400]),
    stalls: sometimes(0.1),
    stallMs: random.pick([50, 500, 3000]),
    breaks: sometimes(0.1),
    unknowns: sometimes(0.15),
    failures: sometimes(0.05),
    lostFences: sometimes(0.1),
  }
}
