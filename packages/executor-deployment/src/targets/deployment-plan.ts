// Decides which units of an ExecutorDeployment stop and which start. Pure: the input is the runtime's list of units.

import type { UnitState } from '@homeostat/runtimes'
import { generationOf, hashOf, indexOf } from './unit-identity.ts'

export interface WantedUnits {
  readonly replicas: number
  /** The hash of the unit template. */
  readonly hash: string
}

export interface UnitPlan {
  /** Exited units, which are removed. */
  readonly remove: readonly UnitState[]
  /** Running units beyond the wanted number. */
  readonly stop: readonly UnitState[]
  /** Missing indexes. */
  readonly start: readonly number[]
  /** Running units with another hash: they are replaced one after the other. */
  readonly replace: readonly UnitState[]
}

export function planUnits({ replicas, hash }: WantedUnits, units: readonly UnitState[]): UnitPlan {
  const isOutdated = (unit: UnitState) => hashOf(unit) !== hash
  const remove = units.filter(({ phase }) => phase === 'exited')
  // The last in this order stop first: outdated units from the oldest generation on, then those with the highest index.
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

/** The lowest free indexes. */
function freeIndexes(taken: ReadonlySet<number>, count: number): number[] {
  const free: number[] = []
  for (let index = 0; free.length < count; index++) if (!taken.has(index)) free.push(index)
  return free
}
