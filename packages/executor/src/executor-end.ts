// Ends an executor that must not go on, because another program has its name or its namespace is deleted. Its attempts are
// lost. Every loop calls this after a failed call.

import { type ExecutorEndedError, isReplaced, replaced } from './executor-ended-error.ts'
import type { HeldProcesses } from './held-processes.ts'
import type { RunningFunctions } from './running-functions.ts'

interface ExecutorEndOptions {
  readonly name: string
  readonly colony: string
  /** Called once. */
  onEnd(error: ExecutorEndedError): void
}

export class ExecutorEnd {
  readonly #options: ExecutorEndOptions
  readonly #held: HeldProcesses
  readonly #running: RunningFunctions
  #hasEnded = false

  constructor(options: ExecutorEndOptions, held: HeldProcesses, running: RunningFunctions) {
    this.#options = options
    this.#held = held
    this.#running = running
  }

  /** Whether the executor has ended, with this error or before. */
  endsWith(error: unknown): boolean {
    const { name, colony } = this.#options
    if (isReplaced(error)) this.end(replaced(name, colony, error))
    return this.#hasEnded
  }

  end(error: ExecutorEndedError): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#held.stop()
    this.#running.lose(this.#held.holding, error.message)
    this.#options.onEnd(error)
  }
}
