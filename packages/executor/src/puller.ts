// Registers an executor, starts the loops that call the colony, and ends them in order. Each loop is a file of its own.

import type { Client } from '@homeostat/client'
import { AssignLoops } from './assign-loops.ts'
import { CallRetries } from './call-retries.ts'
import { CancelLoop } from './cancel-loop.ts'
import type { ColonyCalls } from './colony-calls.ts'
import { ExecutorEnd } from './executor-end.ts'
import type { ExecutorEndedError } from './executor-ended-error.ts'
import { HeartbeatLoop } from './heartbeat-loop.ts'
import { HeldProcesses, idOf } from './held-processes.ts'
import type { Settings } from './options.ts'
import { Registration } from './registration.ts'
import { RunningFunctions } from './running-functions.ts'
import { Wakeup } from './waiting.ts'

interface PullerOptions extends Settings {
  readonly client: Client
  readonly calls: ColonyCalls
  /** Called once, when the executor cannot go on. */
  onEnd(error: ExecutorEndedError): void
}

/** How long functions may go on after they were aborted at the end. */
const GRACE_MS = 5000
/** How long the server may take to accept the last outcomes. */
const LAST_OUTCOMES_MS = 10_000

export class Puller {
  readonly #options: PullerOptions
  readonly #held: HeldProcesses
  readonly #changed = new Wakeup()
  readonly #running: RunningFunctions
  readonly #registration: Registration
  readonly #assigns: AssignLoops
  readonly #cancels: CancelLoop
  readonly #heartbeats: HeartbeatLoop
  /** Ends the poll: no more work is taken. */
  readonly #stopping = new AbortController()
  /** Ends every loop. */
  readonly #ending = new AbortController()
  #loops: Promise<unknown> = Promise.resolve()

  constructor(options: PullerOptions) {
    const { calls, concurrency, prefetch, capabilities, log, random } = options
    this.#options = options
    const held = new HeldProcesses({ concurrency, prefetch, capabilities })
    const changed = this.#changed
    const running = new RunningFunctions(options, held, changed)
    const end = new ExecutorEnd(options, held, running)
    const retries = new CallRetries(log, random)
    const registration = new Registration(options, retries, end)
    const parts = { settings: options, calls, held, changed, running, retries, registration, end }
    this.#held = held
    this.#running = running
    this.#registration = registration
    this.#assigns = new AssignLoops(parts)
    this.#cancels = new CancelLoop(parts)
    this.#heartbeats = new HeartbeatLoop(parts)
  }

  get running(): number {
    return this.#held.running
  }

  /** Retries until the Executor is registered. Throws when the server rejects it as invalid, or the signal is aborted. */
  register(signal: AbortSignal): Promise<void> {
    return this.#registration.register(signal)
  }

  start(): void {
    const { signal } = this.#ending
    this.#loops = Promise.all([
      this.#assigns.poll(this.#stopping.signal),
      this.#assigns.report(signal),
      this.#heartbeats.run(signal),
      this.#cancels.run(signal),
    ])
  }

  /** Safe to call once. */
  async close(): Promise<void> {
    this.#held.stop()
    this.#stopping.abort(new Error('the executor takes no more'))
    this.#changed.wake()
    await this.#until(() => this.#running.size === 0, this.#options.drainMs)
    this.#running.abortAll('the executor ends')
    await this.#until(() => this.#running.size === 0, GRACE_MS)
    await this.#until(() => !this.#held.hasUnsent, LAST_OUTCOMES_MS)
    this.#running.close()
    this.#warnOfLeftovers()
    this.#ending.abort(new Error('the executor has ended'))
    await this.#loops
  }

  async #until(isSo: () => boolean, ms: number): Promise<void> {
    const { clock } = this.#options
    const late = new AbortController()
    const cancel = clock.setTimer(ms, () => late.abort())
    while (!isSo() && !late.signal.aborted) await this.#changed.wait(late.signal)
    cancel()
  }

  #warnOfLeftovers(): void {
    const left = this.#held.holding.map(idOf)
    if (left.length === 0) return
    this.#options.log.warn({ processes: left }, 'the executor ends without these; the server gives them to others')
  }
}
