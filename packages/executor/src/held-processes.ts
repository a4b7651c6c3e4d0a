// What an executor holds: running attempts, and outcomes that the server has not accepted yet. Decides what is sent next and
// which functions are aborted. The executor calls it; it never sends, waits or runs anything itself.

import { writeJson } from '@homeostat/meta'
import { freeCapacity } from './free-capacity.ts'
import type { AssignRequest, Attempt, Process, ProcessOutcome } from './protocol.ts'
import type { Refusal } from './refusal.ts'

/** The outcome of an attempt that the server has not accepted yet. */
export interface UnsentOutcome {
  readonly process: Process
  readonly outcome: ProcessOutcome
  readonly bytes: number
  /** Sent in a call of its own, because a batch was refused and the server did not name the outcome. */
  readonly alone: boolean
  /** It replaces an outcome that the server refused, and says so. */
  readonly replaced: boolean
}

/** One assign call. A poll waits for work; a report only sends outcomes. */
export interface Batch {
  readonly way: 'poll' | 'report'
  readonly request: AssignRequest
  readonly outcomes: readonly UnsentOutcome[]
}

interface Held {
  readonly process: Process
  state: 'running' | 'cancelled' | 'lost'
}

interface HeldProcessesOptions {
  readonly concurrency: number
  readonly capabilities?: Readonly<Record<string, unknown>> | undefined
}

/** The server's limit for one call. */
const MAX_ASSIGNED = 100
/** The outcomes in one call, unless a single one is larger; the server reads 3 MiB. */
const MAX_BATCH_BYTES = 1024 * 1024

export class HeldProcesses {
  readonly #options: HeldProcessesOptions
  readonly #held = new Map<string, Held>()
  readonly #sending = new Set<UnsentOutcome>()
  #waiting: readonly UnsentOutcome[] = []
  #polling = false
  #stopped = false

  constructor(options: HeldProcessesOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#held.size
  }

  /** Whether it runs something and has no room for more, so that no poll is under way. */
  get isFull(): boolean {
    return this.#held.size > 0 && !this.#polling && this.#room(0) === 0
  }

  /** Whether there is an outcome that the server has not accepted. */
  get hasUnsentOutcomes(): boolean {
    return this.#waiting.length > 0 || this.#sending.size > 0
  }

  /** The attempts that the server must not give to others, including those whose outcome it has not accepted yet. */
  get holding(): readonly Attempt[] {
    const running = [...this.#held.values()].filter(({ state }) => state !== 'lost').map(({ process }) => process)
    const outcomes = [...this.#waiting, ...this.#sending].map(({ outcome }) => outcome)
    return [...running.map(attemptOf), ...outcomes.map(({ process, attempt }) => ({ process, attempt }))]
  }

  /** Takes no more Processes. */
  stop(): void {
    this.#stopped = true
  }

  /** Returns the Processes to start. A repeated response starts nothing twice. */
  assigned(processes: readonly Process[]): readonly Process[] {
    const fresh = processes.filter((process) => !this.#held.has(idOf(attemptOf(process))))
    for (const process of fresh) this.#held.set(idOf(attemptOf(process)), { process, state: 'running' })
    return fresh
  }

  /** Returns the ids of the functions to abort. */
  cancelled(attempts: readonly Attempt[]): readonly string[] {
    return this.#mark(attempts, 'cancelled', ['running'])
  }

  /** Returns the ids of the functions to abort. The outcomes of lost attempts are dropped. */
  lost(attempts: readonly Attempt[]): readonly string[] {
    const ids = new Set(attempts.map(idOf))
    this.#waiting = this.#waiting.filter(({ outcome }) => !ids.has(idOf(outcome)))
    return this.#mark(attempts, 'lost', ['running', 'cancelled'])
  }

  stateOf(id: string): Held['state'] | undefined {
    return this.#held.get(id)?.state
  }

  ended(outcome: ProcessOutcome): void {
    const id = idOf(outcome)
    const held = this.#held.get(id)
    this.#held.delete(id)
    if (held === undefined || held.state === 'lost') return
    this.#waiting = [...this.#waiting, unsentOutcome(held.process, outcome)]
  }

  /** The call to make now; undefined until something changes. The caller must report its end: taken, unsent or refused. */
  next(way: Batch['way']): Batch | undefined {
    const outcomes = this.#firstOutcomes()
    const max = this.#room(this.#waiting.length - outcomes.length)
    const mayPoll = !this.#polling && max > 0
    if (way === 'poll' ? !mayPoll : outcomes.length === 0 || mayPoll) return undefined
    this.#waiting = this.#waiting.slice(outcomes.length)
    for (const end of outcomes) this.#sending.add(end)
    if (way === 'report')
      return { way, outcomes, request: { max: 0, finished: outcomes.map(({ outcome }) => outcome) } }
    this.#polling = true
    const free = freeCapacity(this.#options.capabilities, this.#processes())
    const finished = outcomes.length > 0 && { finished: outcomes.map(({ outcome }) => outcome) }
    return { way, outcomes, request: { max, ...(free && { free }), ...finished } }
  }

  /** The server accepted these outcomes. */
  taken(batch: Batch): void {
    this.#back(batch, [])
  }

  /** The call failed, and the server may or may not have these outcomes: they are sent again. */
  unsent(batch: Batch): void {
    this.#back(batch, batch.outcomes)
  }

  /** Returns the outcomes that are given up. The others are sent again. */
  refused(batch: Batch, { causes, final, message }: Refusal): readonly UnsentOutcome[] {
    const dropped: UnsentOutcome[] = []
    const again: UnsentOutcome[] = []
    for (const [index, end] of batch.outcomes.entries()) {
      const cause = batch.outcomes.length === 1 ? (causes.get(index) ?? message) : causes.get(index)
      if (cause === undefined) again.push(causes.size === 0 ? { ...end, alone: true } : end)
      else if (final || end.replaced) dropped.push(end)
      else again.push(replacement(end, cause))
    }
    this.#back(batch, again)
    return dropped
  }

  #mark(attempts: readonly Attempt[], state: Held['state'], from: readonly Held['state'][]): readonly string[] {
    const ids = attempts.map(idOf).filter((id) => from.some((one) => this.#held.get(id)?.state === one))
    for (const id of ids) {
      const held = this.#held.get(id)
      if (held !== undefined) held.state = state
    }
    return ids
  }

  #firstOutcomes(): readonly UnsentOutcome[] {
    const [first] = this.#waiting
    if (first === undefined || first.alone) return this.#waiting.slice(0, 1)
    let bytes = 0
    const past = this.#waiting.findIndex((end, index) => {
      bytes += end.bytes
      return index > 0 && (bytes > MAX_BATCH_BYTES || end.alone || index === MAX_ASSIGNED)
    })
    return past === -1 ? this.#waiting : this.#waiting.slice(0, past)
  }

  /** Unsent outcomes take up concurrency, so that their number is bounded. */
  #room(behind: number): number {
    if (this.#stopped) return 0
    return Math.min(MAX_ASSIGNED, Math.max(0, this.#options.concurrency - this.#held.size - behind))
  }

  #processes(): readonly Process[] {
    return [...this.#held.values()].map(({ process }) => process)
  }

  #back({ way, outcomes }: Batch, again: readonly UnsentOutcome[]): void {
    if (way === 'poll') this.#polling = false
    for (const end of outcomes) this.#sending.delete(end)
    this.#waiting = [...again, ...this.#waiting]
  }
}

export function attemptOf({ metadata, status }: Process): Attempt {
  return { process: metadata.name ?? '', attempt: status.attempt }
}

export function idOf({ process, attempt }: Attempt): string {
  return `${process}/${attempt}`
}

function unsentOutcome(process: Process, outcome: ProcessOutcome): UnsentOutcome {
  // Counts characters instead of bytes, which is close enough for a limit with a margin.
  return { process, outcome, bytes: writeJson(outcome).length, alone: false, replaced: false }
}

function replacement({ process, outcome }: UnsentOutcome, cause: string): UnsentOutcome {
  const errors = [`the server refused the result (${outcome.result}): ${cause}`]
  const { process: name, attempt } = outcome
  const failed: ProcessOutcome = { process: name, attempt, result: 'Failed', retryable: false, errors }
  return { ...unsentOutcome(process, failed), replaced: true }
}
