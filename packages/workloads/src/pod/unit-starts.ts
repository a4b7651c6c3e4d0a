// Units that are starting. A start may take as long as the pull of its image, longer than a reconcile: it continues in the
// background and notifies when it is over. The pod may be deleted meanwhile.

import type { Clock } from '@homeostat/base'
import type { Runtime, Unit } from '@homeostat/runtimes'

/** How long a reconcile waits for a start; most take no longer. */
const PATIENCE_MS = 3000

interface Start {
  readonly unit: Unit
  readonly over: Promise<'over'>
  /** No reconcile waits for it any more. */
  late: boolean
  result?: { readonly error?: unknown }
}

export class UnitStarts {
  readonly #clock: Pick<Clock, 'setTimer'>
  readonly #onLate: (unit: Unit) => void
  /** By runtime and name; dropped when a reconcile has taken the outcome. */
  readonly #starts = new Map<string, Start>()

  /** `onLate` is called for starts that end after their reconcile. */
  constructor(clock: Pick<Clock, 'setTimer'>, onLate: (unit: Unit) => void) {
    this.#clock = clock
    this.#onLate = onLate
  }

  /** Rejects when the start failed. `underway`: call again after `onLate`. */
  async start(runtime: Runtime, unit: Unit): Promise<'started' | 'underway'> {
    const key = `${runtime.name}/${unit.name}`
    const start = this.#starts.get(key) ?? this.#begin(key, runtime, unit)
    if (!start.result && !start.late) await this.#patiently(start)
    if (!start.result) return 'underway'
    this.#starts.delete(key)
    if ('error' in start.result) throw start.result.error
    return 'started'
  }

  /** Forgets these starts: no reconcile will ask for them. */
  forget(isGone: (unit: Unit) => boolean): void {
    for (const [key, { unit, result }] of this.#starts) if (result && isGone(unit)) this.#starts.delete(key)
  }

  #begin(key: string, runtime: Runtime, unit: Unit): Start {
    const settle = (result: { readonly error?: unknown }): 'over' => {
      start.result = result
      // From now on the runtime lists the started unit.
      if (start.late && !('error' in result)) this.#starts.delete(key)
      if (start.late) this.#onLate(unit)
      return 'over'
    }
    const over = runtime.start(unit).then(
      () => settle({}),
      (error) => settle({ error }),
    )
    const start: Start = { unit, over, late: false }
    this.#starts.set(key, start)
    return start
  }

  async #patiently(start: Start): Promise<void> {
    let cancel = () => {}
    const patience = new Promise<void>((resolve) => {
      cancel = this.#clock.setTimer(PATIENCE_MS, () => {
        start.late = start.result === undefined
        resolve()
      })
    })
    await Promise.race([start.over, patience])
    cancel()
  }
}
