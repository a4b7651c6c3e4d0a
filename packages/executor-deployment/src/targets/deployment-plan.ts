// Which units of an ExecutorDeployment end and which begin. Pure: what is there is what the runtime lists, found by labels.

import type { UnitState } from '@homeostat/runtimes'
import { generationOf, hashOf, indexOf } from './unit-identity.ts'

export interface WantedUnits {
  readonly replicas: number
  /** Of what the units are made of. */
  readonly hash: string
}

export interface UnitPlan {
  /** Have exited, and make room. */
  readonly remove: readonly UnitState[]
  /** Run, and are too many. */
  readonly stop: readonly UnitState[]
  /** Indexes that are missing. */
  readonly start: readonly number[]
  /** Run, and are made of something else: each is stopped and its index started, one after the other. */
  readonly replace: readonly UnitState[]
}

export function planUnits({ replicas, hash }: WantedUnits, units: readonly UnitState[]): UnitPlan {
  const isOutdated = (unit: UnitState) => hashOf(unit) !== hash
  const remove = units.filter(({ phase }) => phase === 'exited')
  // Last in this order is first to go: outdated ones from the oldest generation on, then those with the highest index.
  const live = units
    .filter(({ phase }) => phase !== 'exited')
    .sort(
      (a, b) =>
        Number(isOutdated(a)) - Number(isOutdated(b)) ||
        (isOutdated(a) ? generationOf(b) - generationOf(a) : 0) ||
        indexOf(a) - indexOf(b) ||
        (a.id < b.id ? -1 : 1),
    )
  const taken = new Set<number>()
  const stay: UnitState[] = []
  const stop: UnitState[] = []
  for (const unit of live) {
    if (stay.length < replicas && !taken.has(indexOf(unit))) {
      taken.add(indexOf(unit))
      stay.push(unit)
    } else stop.push(unit)
  }
  return { remove, stop, start: freeIndexes(taken, replicas - stay.length), replace: stay.filter(isOutdated) }
}

/** The lowest ones. */
function freeIndexes(taken: ReadonlySet<number>, count: number): number[] {
  const free: number[] = []
  for (let index = 0; free.length < count; index++) if (!taken.has(index)) free.push(index)
  return free
}
