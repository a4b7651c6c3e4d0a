// A function that runs for one attempt: calls it, aborts its signal, and returns the outcome. The executor starts it.

import type { Clock, Pace } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import { type Duration, milliseconds } from '@homeostat/meta'
import type { GraphNode } from './graph-protocol.ts'
import type { ExecutorFunction } from './options.ts'
import { outcomeOf, type Reported, type ValueOrError } from './outcome.ts'
import { PermanentError, type ProcessContext } from './process-context.ts'
import type { ProcessLog } from './process-log.ts'
import type { Attempt, Process, ProcessOutcome } from './protocol.ts'

interface RunningFunctionOptions {
  readonly process: Process
  readonly attempt: Attempt
  readonly functions: ReadonlyMap<string, ExecutorFunction>
  readonly client: Client
  readonly log: ProcessLog
  readonly clock: Clock
  /** Called when the function has ended. */
  readonly isCancelled: () => boolean
  readonly isLost: () => boolean
  readonly pace: Pace
  /** Reads one output of a large input. */
  readonly readInput: (index: number, signal: AbortSignal) => Promise<unknown>
  readonly addNodes: (nodes: readonly GraphNode[], signal: AbortSignal) => Promise<void>
}

export class RunningFunction {
  /** Never rejects. Resolves after the log is sent, as far as the server accepts it. */
  readonly ended: Promise<ProcessOutcome>
  readonly #options: RunningFunctionOptions
  readonly #abort = new AbortController()
  #reported: Reported = {}

  constructor(options: RunningFunctionOptions) {
    this.#options = options
    this.ended = this.#run()
  }

  abort(reason: Error): void {
    this.#abort.abort(reason)
  }

  async #run(): Promise<ProcessOutcome> {
    const { attempt, log, isCancelled, isLost } = this.#options
    const cancelTimeout = this.#limit()
    const end = await this.#call()
    cancelTimeout()
    if (isLost()) log.end()
    else await log.flush()
    return outcomeOf(attempt, end, this.#reported, isCancelled())
  }

  async #call(): Promise<ValueOrError> {
    const { process, functions } = this.#options
    try {
      const wanted = functions.get(process.spec.funcName)
      if (wanted === undefined) throw unknownFunction(process.spec.funcName, [...functions.keys()])
      return { value: await wanted(this.#context(await this.#input())) }
    } catch (error) {
      return { error }
    }
  }

  /** The server leaves a large input out of its response. */
  async #input(): Promise<readonly unknown[]> {
    const { process, readInput } = this.#options
    const { inputFrom = [] } = process.spec
    if (process.status.input !== undefined || inputFrom.length === 0) return process.status.input ?? []
    // One after the other: each may be large.
    const input: unknown[] = []
    for (const [index, name] of inputFrom.entries()) {
      input.push(name === '' ? null : await readInput(index, this.#abort.signal))
    }
    return input
  }

  #context(input: readonly unknown[]): ProcessContext {
    const { process, attempt, client, log, addNodes } = this.#options
    const { args = [], kwargs = {}, env = {} } = process.spec
    return {
      process,
      args,
      kwargs,
      env,
      input,
      attempt: attempt.attempt,
      signal: this.#abort.signal,
      client,
      log: (text: string) => log.write(text),
      status: (status: Readonly<Record<string, unknown>>) => this.#report({ status }),
      children: (children: readonly ApiObject[]) => this.#report({ children }),
      addNodes: (nodes: readonly GraphNode[]) => addNodes(nodes, this.#abort.signal),
      requeueAfter: (after: Duration) => this.#report({ requeueAfter: this.#seconds(after) }),
    }
  }

  #seconds(after: Duration): number {
    const { pace, process } = this.#options
    return pace.keep(milliseconds(after), process.spec.funcName) / 1000
  }

  #report(reported: Reported): void {
    this.#reported = { ...this.#reported, ...reported }
  }

  /** Aborts the function at maxExecSeconds, when the server ends the attempt anyway. */
  #limit(): () => void {
    const { process, clock } = this.#options
    const seconds = Number(process.spec.maxExecSeconds ?? 0)
    if (seconds <= 0) return () => {}
    const reason = new DOMException(`it took longer than maxExecSeconds, ${seconds} s`, 'TimeoutError')
    return clock.setTimer(seconds * 1000, () => this.#abort.abort(reason))
  }
}

function unknownFunction(name: string, known: readonly string[]): Error {
  return new PermanentError(`this executor has no function "${name}"; it has ${known.join(', ') || 'none'}`)
}
