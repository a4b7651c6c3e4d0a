// Units that are stopping. A stop may take the unit's whole grace period, longer than a reconcile: it continues in the
// background and notifies when it is over. A grace period can be cut short while it runs.

import type { Cluster } from '@homeostat/operator'
import type { Runtime, UnitState } from '@homeostat/runtimes'

export class UnitStops {
  readonly #cluster: Cluster
  readonly #onStopped: (unit: UnitState) => void
  /** When the grace period of a unit ends, by id; dropped when the unit has ended. */
  readonly #ends = new Map<string, number>()

  constructor(cluster: Cluster, onStopped: (unit: UnitState) => void) {
    this.#cluster = cluster
    this.#onStopped = onStopped
  }

  /** Default: the unit's own grace period. True for a unit that was not stopping before. */
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
