// Units on their way in. A start may take as long as the pull of its image, longer than any run: it goes on by itself, and
// tells when it is over. A pod can be deleted meanwhile.

import type { Clock } from '@homeostat/base'
import type { Runtime, Unit } from '@homeostat/runtimes'

/** For how long a run waits, since most starts take no longer. */
const PATIENCE_MS = 3000

interface Start {
  readonly unit: Unit
  readonly over: Promise<'over'>
  /** Nobody waits for it any more. */
  late: boolean
  result?: { readonly error?: unknown }
}

export class UnitStarts {
  readonly #clock: Pick<Clock, 'setTimer'>
  readonly #onLate: (unit: Unit) => void
  /** By runtime and name; dropped when somebody has heard what came of it. */
  readonly #starts = new Map<string, Start>()

  /** `onLate` hears of starts that are over after their run. */
  constructor(clock: Pick<Clock, 'setTimer'>, onLate: (unit: Unit) => void) {
    this.#clock = clock
    this.#onLate = onLate
  }

  /** Rejects when it was refused. `underway`: ask again when it is late. */
  async start(runtime: Runtime, unit: Unit): Promise<'started' | 'underway'> {
    const key = `${runtime.name}/${unit.name}`
    const start = this.#starts.get(key) ?? this.#begin(key, runtime, unit)
    if (!start.result && !start.late) await this.#patiently(start)
    if (!start.result) return 'underway'
    this.#starts.delete(key)
    if ('error' in start.result) throw start.result.error
    return 'started'
  }

  /** Nobody will ask for these. */
  forget(isGone: (unit: Unit) => boolean): void {
    for (const [key, { unit, result }] of this.#starts) if (result && isGone(unit)) this.#starts.delete(key)
  }

  #begin(key: string, runtime: Runtime, unit: Unit): Start {
    const settle = (result: { readonly error?: unknown }): 'over' => {
      start.result = result
      // What was started is seen among the units from now on.
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
