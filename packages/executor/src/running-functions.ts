// The functions that run now, one for each held attempt: starts them, aborts them, and passes on their outcomes.

import { Pace } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { ColonyCalls } from './colony-calls.ts'
import { attemptOf, type HeldProcesses, idOf } from './held-processes.ts'
import { notify } from './notify.ts'
import type { Settings } from './options.ts'
import { ProcessLog } from './process-log.ts'
import type { Attempt, Process } from './protocol.ts'
import { RunningFunction } from './running-function.ts'
import type { Wakeup } from './waiting.ts'

/** More is fetched ahead while functions take less, and given back when none has ended for this time. */
const QUICK_MS = 100

interface RunningFunctionsOptions extends Settings {
  readonly client: Client
  readonly calls: ColonyCalls
}

export class RunningFunctions {
  readonly #options: RunningFunctionsOptions
  readonly #held: HeldProcesses
  readonly #changed: Wakeup
  readonly #pace: Pace
  readonly #functions = new Map<string, RunningFunction>()
  /** How many functions have ended. */
  #endings = 0
  #stopWatch: (() => void) | undefined

  constructor(options: RunningFunctionsOptions, held: HeldProcesses, changed: Wakeup) {
    this.#options = options
    this.#held = held
    this.#changed = changed
    this.#pace = new Pace((message) => options.log.warn({}, message))
  }

  get size(): number {
    return this.#functions.size
  }

  /** Starts as many of the held Processes as may run at once. */
  begin(): void {
    for (const process of this.#held.begin()) this.#start(process)
    if (this.#held.ahead > 0) this.#watch()
  }

  close(): void {
    this.#stopWatch?.()
    this.#stopWatch = undefined
  }

  /** Gives back what was fetched ahead when no function has ended for a while. */
  #watch(): void {
    const endings = this.#endings
    this.#stopWatch ??= this.#options.clock.setTimer(QUICK_MS, () => {
      this.#stopWatch = undefined
      if (this.#held.ahead === 0) return
      if (this.#endings !== endings) return this.#watch()
      this.#held.isQuick = false
      this.#held.giveBack()
      this.#changed.wake()
    })
  }

  #start(process: Process): void {
    const { calls, client, clock, functions, log, onAssigned } = this.#options
    const attempt = attemptOf(process)
    const id = idOf(attempt)
    notify(log, 'onAssigned', () => onAssigned(process))
    const isCancelled = () => this.#held.stateOf(id) === 'cancelled'
    const isLost = () => this.#held.stateOf(id) === 'lost'
    const around = { functions, client, clock, log: this.#logOf(attempt), pace: this.#pace, isCancelled, isLost }
    const running = new RunningFunction({
      process,
      attempt,
      ...around,
      readInput: (index, signal) => calls.readInput(attempt, index, signal),
      addNodes: (nodes, signal) => calls.addNodes(attempt, nodes, signal),
    })
    this.#functions.set(id, running)
    const began = clock.now()
    void running.ended.then((outcome) => {
      this.#functions.delete(id)
      this.#endings += 1
      this.#held.ended(outcome)
      this.#held.isQuick = clock.now() - began < QUICK_MS
      this.begin()
      this.#changed.wake()
    })
  }

  /** Returns whether one of the attempts was not cancelled before. */
  cancel(attempts: readonly Attempt[]): boolean {
    const ids = this.#held.cancelled(attempts)
    this.#abort(ids, 'the process was cancelled')
    return ids.length > 0
  }

  /** Aborts attempts that are no longer this executor's. */
  lose(attempts: readonly Attempt[], reason: string): void {
    this.#abort(this.#held.lost(attempts), reason)
  }

  abortAll(reason: string): void {
    this.#abort([...this.#functions.keys()], reason)
  }

  #abort(ids: readonly string[], reason: string): void {
    for (const id of ids) this.#functions.get(id)?.abort(new DOMException(reason, 'AbortError'))
  }

  #logOf(attempt: Attempt): ProcessLog {
    const { calls, clock, random, log } = this.#options
    return new ProcessLog({
      send: (text, signal) => calls.log(attempt, text, signal),
      clock,
      random,
      onRefused: (error) => log.warn({ err: error, ...attempt }, 'the server refused the log of a process'),
    })
  }
}
