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
  /** Attempts that are given back. */
  readonly returned: readonly Attempt[]
}

interface Held {
  readonly process: Process
  /** One that was fetched ahead is `waiting` until a running one ends. */
  state: 'waiting' | 'running' | 'cancelled' | 'lost'
}

interface HeldProcessesOptions {
  readonly concurrency: number
  /** How many more are fetched ahead while functions end soon. */
  readonly prefetch: number
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
  #returned: readonly Attempt[] = []
  #returning = 0
  /** Functions end soon, so that fetching ahead keeps no Process from other executors for long. */
  #isQuick = false

  constructor(options: HeldProcessesOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#held.size - this.ahead
  }

  /** How many were fetched ahead and have not begun. */
  get ahead(): number {
    let ahead = 0
    for (const { state } of this.#held.values()) if (state === 'waiting') ahead++
    return ahead
  }

  /** Whether more Processes are fetched than can begin. */
  set isQuick(isQuick: boolean) {
    this.#isQuick = isQuick
  }

  /** Whether it runs something and has no room for more, so that no poll is under way. */
  get isFull(): boolean {
    return this.#held.size > 0 && !this.#polling && this.#room(0) === 0
  }

  /** Whether there is an outcome that the server has not accepted, or an attempt that it has not got back. */
  get hasUnsent(): boolean {
    return this.#waiting.length + this.#sending.size + this.#returned.length + this.#returning > 0
  }

  /** The attempts that the server must not give to others, including those whose outcome it has not accepted yet. */
  get holding(): readonly Attempt[] {
    const running = [...this.#held.values()].filter(({ state }) => state !== 'lost').map(({ process }) => process)
    const outcomes = [...this.#waiting, ...this.#sending].map(({ outcome }) => outcome)
    return [...running.map(attemptOf), ...outcomes.map(({ process, attempt }) => ({ process, attempt }))]
  }

  /** Takes no more Processes, and gives back those that have not begun. */
  stop(): void {
    this.#stopped = true
    this.giveBack()
  }

  /** A repeated response adds nothing twice. */
  assigned(processes: readonly Process[]): void {
    for (const process of processes) {
      const id = idOf(attemptOf(process))
      if (!this.#held.has(id)) this.#held.set(id, { process, state: 'waiting' })
    }
    if (this.#stopped) this.giveBack()
  }

  /** Returns the Processes to start now, in the order in which they were assigned. */
  begin(): readonly Process[] {
    let room = this.#options.concurrency - this.running
    const begun: Process[] = []
    for (const held of this.#held.values()) {
      if (room <= 0) break
      if (held.state !== 'waiting') continue
      held.state = 'running'
      begun.push(held.process)
      room--
    }
    return begun
  }

  /** Gives back the Processes that have not begun. */
  giveBack(): void {
    const waiting = [...this.#held].filter(([, { state }]) => state === 'waiting')
    for (const [id] of waiting) this.#held.delete(id)
    this.#returned = [...this.#returned, ...waiting.map(([, { process }]) => attemptOf(process))]
  }

  /** Returns the ids of the functions to abort. Those that have not begun end at once. */
  cancelled(attempts: readonly Attempt[]): readonly string[] {
    const waiting = this.#mark(attempts, 'cancelled', ['waiting'])
    for (const id of waiting) {
      const process = this.#held.get(id)?.process
      if (process !== undefined) this.ended({ ...attemptOf(process), result: 'Cancelled' })
    }
    return [...waiting, ...this.#mark(attempts, 'cancelled', ['running'])]
  }

  /** Returns the ids of the functions to abort. The outcomes of lost attempts are dropped. */
  lost(attempts: readonly Attempt[]): readonly string[] {
    const ids = new Set(attempts.map(idOf))
    this.#waiting = this.#waiting.filter(({ outcome }) => !ids.has(idOf(outcome)))
    for (const id of ids) if (this.#held.get(id)?.state === 'waiting') this.#held.delete(id)
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
    const isToReport = outcomes.length > 0 || this.#returned.length > 0
    if (way === 'poll' ? !mayPoll : !isToReport || mayPoll) return undefined
    const prefetch = Math.min(
      max,
      Math.max(0, this.#held.size + this.#waiting.length - outcomes.length + max - this.#options.concurrency),
    )
    this.#waiting = this.#waiting.slice(outcomes.length)
    for (const end of outcomes) this.#sending.add(end)
    const returned = this.#returned.slice(0, MAX_ASSIGNED)
    this.#returned = this.#returned.slice(MAX_ASSIGNED)
    this.#returning += returned.length
    const ends = {
      ...(outcomes.length > 0 && { finished: outcomes.map(({ outcome }) => outcome) }),
      ...(returned.length > 0 && { returned }),
    }
    if (way === 'report') return { way, outcomes, returned, request: { max: 0, ...ends } }
    this.#polling = true
    const free = freeCapacity(this.#options.capabilities, this.#processes())
    return {
      way,
      outcomes,
      returned,
      request: { max, ...(prefetch > 0 && { prefetch }), ...(free && { free }), ...ends },
    }
  }

  /** The server accepted these outcomes. */
  taken(batch: Batch): void {
    this.#back(batch, [], [])
  }

  /** The call failed, and the server may or may not have these outcomes: they are sent again. */
  unsent(batch: Batch): void {
    this.#back(batch, batch.outcomes, batch.returned)
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
    this.#back(batch, again, final ? [] : batch.returned)
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
    const { concurrency, prefetch } = this.#options
    const most = concurrency + (this.#isQuick ? prefetch : 0)
    return Math.min(MAX_ASSIGNED, Math.max(0, most - this.#held.size - behind))
  }

  #processes(): readonly Process[] {
    return [...this.#held.values()].map(({ process }) => process)
  }

  #back({ way, outcomes, returned }: Batch, again: readonly UnsentOutcome[], returnedAgain: readonly Attempt[]): void {
    if (way === 'poll') this.#polling = false
    this.#returning -= returned.length
    this.#returned = [...returnedAgain, ...this.#returned]
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
