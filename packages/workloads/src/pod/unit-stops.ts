// Units on their way out. A stop may take all of the unit's grace, longer than any run: it goes on by itself and tells when
// it is over. A grace can be cut short while it lasts.

import type { Cluster } from '@homeostat/operator'
import type { Runtime, UnitState } from '@homeostat/runtimes'

export class UnitStops {
  readonly #cluster: Cluster
  readonly #onStopped: (unit: UnitState) => void
  /** When the grace of a unit is over, by id; dropped when it has ended. */
  readonly #ends = new Map<string, number>()

  constructor(cluster: Cluster, onStopped: (unit: UnitState) => void) {
    this.#cluster = cluster
    this.#onStopped = onStopped
  }

  /** Without a time, the unit's own. True for a unit that was not on its way out before. */
  stop(runtime: Runtime, unit: UnitState, graceSeconds?: number): boolean {
    const { clock } = this.#cluster
    const end = graceSeconds === undefined ? Number.POSITIVE_INFINITY : clock.now() + graceSeconds * 1000
    const known = this.#ends.get(unit.id)
    if (known !== undefined && end >= known) return false
    this.#ends.set(unit.id, end)
    if (known === undefined) {
      void this.#end(runtime, unit, graceSeconds)
      return true
    }
    clock.setTimer((graceSeconds ?? 0) * 1000, () => {
      if (this.#ends.get(unit.id) === end) void this.#end(runtime, unit, 0)
    })
    return false
  }

  async #end(runtime: Runtime, unit: UnitState, graceSeconds: number | undefined): Promise<void> {
    try {
      await runtime.stop(unit.id, graceSeconds === undefined ? {} : { graceSeconds })
    } catch (error) {
      this.#cluster.log.error({ err: error, unit: unit.name }, 'a unit could not be stopped')
    }
    this.#ends.delete(unit.id)
    this.#onStopped(unit)
  }
}
