// The colony inside a server: the queue, filled from the objects and kept as they are, and the calls of executors.

import type { Api, CachedObject, ExtensionAnswer, ExtensionRequest } from '@homeostat/apiserver'
import { type Clock, type Log, PauseWatch } from '@homeostat/base'
import { type Attempt, LOST_SECONDS, type Process } from '@homeostat/executor/protocol'
import { isStatusError, type KubeObject, notFound } from '@homeostat/meta'
import type { Handling, ResourceProcesses } from '../handlers/handling.ts'
import { ExecutorBook } from '../queue/executor-book.ts'
import { processFacts } from '../queue/process-facts.ts'
import { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import { notHeld } from '../queue/transitions.ts'
import { Assignments } from './assignments.ts'
import { Closing } from './closing.ts'
import type { ColonyEvents } from './colony-events.ts'
import { ColonyMetrics } from './colony-metrics.ts'
import type { ExecutorFacts } from './executor-facts.ts'
import { Feed } from './feed.ts'
import { LogCalls } from './log-calls.ts'
import { Presence } from './presence.ts'
import { readAssign, readClose, readHeartbeat, readWait } from './read-call.ts'
import { EXECUTORS, keyOf, nameOf, PROCESSES, replacedBy } from './resources.ts'
import { RunEvents } from './run-events.ts'
import { SetAside } from './set-aside.ts'
import { type Step, Steps } from './steps.ts'
import { TimeKeeper } from './time-keeper.ts'

export interface ColonyParts {
  readonly api: Api
  readonly events: ColonyEvents
  readonly clock: Clock
  readonly log: Log
  /** Where the logs of Processes are kept. */
  readonly logsDirectory: string
  /** Without a sign of life after which an executor is lost. Default 30 s. */
  readonly lostMs?: number
}

export class Colony {
  readonly metrics: ColonyMetrics
  readonly queue = new ProcessQueue()
  readonly #api: Api
  readonly #clock: Clock
  readonly #log: Log
  readonly #book: ExecutorBook
  readonly #pauses: PauseWatch
  readonly #feed: Feed
  readonly #assignments: Assignments
  readonly #closing: Closing
  readonly #presence: Presence
  readonly #time: TimeKeeper
  readonly #logs: LogCalls
  readonly #aside: SetAside
  readonly #steps: Steps
  readonly #ended = new Set<(namespace: string, concurrencyKey: string) => void>()
  /** Cancels that their executors have been told, as `namespace/name#attempt`. */
  readonly #told = new Set<string>()

  constructor(parts: ColonyParts, handling: () => Pick<Handling, 'conclude'>) {
    const { api, events, clock, log, logsDirectory, lostMs = LOST_SECONDS * 1000 } = parts
    this.#api = api
    this.#clock = clock
    this.#log = log
    this.metrics = new ColonyMetrics(() => clock.now())
    const { queue, metrics } = this
    const book = new ExecutorBook(lostMs)
    this.#book = book
    // A third of what an executor may be silent beyond two missed heartbeats, so that shorter gaps make nobody lost.
    const longestMs = lostMs / 6
    this.#pauses = new PauseWatch({
      clock,
      longestMs,
      everyMs: longestMs / 5,
      onPause: (ms) => this.#resumed(ms),
    })
    this.#aside = new SetAside({ api, queue, events, clock, log })
    const runs = new RunEvents(api, events)
    this.#steps = new Steps(api, this.#aside)
    const steps = this.#steps
    this.#feed = new Feed(api, queue, {
      process: (process, before) => this.#processChanged(process, before),
      processGone: (before, uid) => this.#processGone(before, uid),
      executor: (executor) => this.#presence.arrived(executor),
      executorReplaced: (executor) => {
        this.#presence.replaced(executor)
        this.#assignments.interrupt(executor.namespace, executor.name)
      },
      executorGone: (executor) => this.#executorGone(executor),
      paused: () => this.#time.look(),
      failed: (resource, key, error) => {
        if (resource === PROCESSES) void this.#aside.put(nameOf(key), error)
        else
          log.error(
            { err: error, resource: resource.resource, name: key },
            'an object cannot be handled; it is ignored',
          )
      },
    })
    this.#presence = new Presence({ api, book, clock, log, events })
    this.#assignments = new Assignments({ api, steps, runs, queue, clock, metrics, released: () => this.#time.look() })
    this.#closing = new Closing({
      api,
      runs,
      steps,
      clock,
      metrics,
      handling: { conclude: (process, finished) => handling().conclude(process, finished) },
    })
    this.#time = new TimeKeeper({
      api,
      runs,
      steps,
      queue,
      book,
      assignments: this.#assignments,
      presence: this.#presence,
      executors: this.#feed.executors,
      closing: this.#closing.busy,
      clock,
      log,
      lookForPause: () => void this.#pauses.look(),
    })
    this.#logs = new LogCalls({ api, queue, clock, log, directory: logsDirectory })
    metrics.show(queue, this.#feed.executors)
  }

  /** What the handlers of resources may ask the queue. */
  readonly processes: ResourceProcesses = {
    of: (namespace, concurrencyKey) => {
      const { waiting, running } = this.queue.ofKey(namespace, concurrencyKey)
      const [newest, ...surplus] = waiting.toSorted((a, b) => b.order - a.order)
      return { waiting: newest, surplus, running }
    },
    onEnded: (listener) => {
      this.#ended.add(listener)
      return () => this.#ended.delete(listener)
    },
  }

  /** Calls that wait for work. */
  get waiting(): number {
    return this.#assignments.waiting
  }

  async open(): Promise<void> {
    await this.#feed.open()
    this.#logs.open()
    this.#time.look()
  }

  async close(): Promise<void> {
    this.#pauses.close()
    this.#feed.close()
    await this.#time.close()
    await this.#logs.close()
  }

  async assign(request: ExtensionRequest, signal: AbortSignal): Promise<ExtensionAnswer> {
    const { max, free, finished, instance } = readAssign(await request.json())
    // Check again: the executor may have been deleted while the body was read.
    const executor = this.#executor(request, instance)
    const { namespace, name } = executor
    const wait = readWait(request.query)
    this.#heard(executor)
    const ends = finished.length > 0 ? this.#closing.closeAll(namespace, name, finished) : undefined
    const puller = { ...executor, cpu: free.cpu ?? executor.cpu, memory: free.memory ?? executor.memory }
    const waitMs = this.#hasNews(namespace, name, finished) ? 0 : wait
    const isThere = () => this.#feed.executors.get(keyOf(executor))?.uid === executor.uid
    const wanted = { max, waitMs, ends, isThere }
    if (max === 0) await (ends ?? (waitMs > 0 ? this.#assignments.listen(executor, waitMs, signal) : undefined))
    const taken = max === 0 ? [] : await this.#assignments.take(puller, wanted, signal)
    const cancelled = this.#tell(namespace, name)
    return { contentType: 'application/json', body: assignAnswer(taken, cancelled) }
  }

  /** A new Process is about to be stored. If somebody waits for it, it is stored as theirs. */
  claim(process: KubeObject): ((stored: CachedObject | undefined) => void) | undefined {
    if (this.waiting === 0) return undefined
    const { spec, status } = process as unknown as Process
    const claimed = this.#assignments.claim(processFacts(process, 0), spec, status)
    if (claimed === undefined) return undefined
    process.status = claimed.status
    return claimed.settle
  }

  async heartbeat(request: ExtensionRequest): Promise<ExtensionAnswer> {
    const { holding, instance } = readHeartbeat(await request.json())
    const executor = this.#executor(request, instance)
    const { namespace, name } = executor
    this.#heard(executor)
    const now = this.#clock.now()
    const running = [...this.queue.running(namespace, name)]
    const { cancelled, lost, missing } = this.#book.heartbeat(namespace, name, holding, running, now)
    await Promise.all(missing.map((process) => this.#takeBack(process, name, now)))
    for (const one of cancelled) this.#told.add(toldKey(namespace, one))
    return { body: { cancelled, lost } }
  }

  async closeProcess(request: ExtensionRequest): Promise<ExtensionAnswer> {
    const { namespace = '', name } = request
    const { executor, finished } = readClose(await request.json(), name)
    const facts = this.#feed.executors.get(keyOf({ namespace, name: executor }))
    if (facts !== undefined) this.#heard(facts)
    if (this.#api.object(PROCESSES, { namespace, name }) === undefined) throw notFound(PROCESSES, name)
    const closed = await this.#closing.close(namespace, executor, finished)
    return { contentType: 'application/json', body: closed?.bytes.toString() ?? '{}' }
  }

  readLog(request: ExtensionRequest, signal: AbortSignal): ExtensionAnswer {
    return this.#logs.read(request, signal)
  }

  async writeLog(request: ExtensionRequest): Promise<ExtensionAnswer> {
    return this.#logs.write(request)
  }

  /** Silence counts from now on. Times that were promised (ttl, maxWaitSeconds, maxExecSeconds) went on meanwhile. */
  #resumed(ms: number): void {
    const now = this.#clock.now()
    this.#log.warn(
      { seconds: Math.round(ms / 1000) },
      'the server did not run for a while; executors have time to be heard',
    )
    this.#book.resumed(now)
    this.queue.resumed(now)
    this.#time.resumed()
  }

  #executor({ namespace = '', name }: ExtensionRequest, instance: string | undefined): ExecutorFacts {
    const executor = this.#feed.executors.get(keyOf({ namespace, name }))
    if (executor === undefined) throw notFound(EXECUTORS, name)
    if (instance !== undefined && executor.instance !== undefined && instance !== executor.instance)
      throw replacedBy(name)
    return executor
  }

  async #takeBack(process: QueuedProcess, executor: string, now: number): Promise<void> {
    const step: Step = (spec, status) => notHeld(spec, status, executor, process.attempt, now)
    await this.#steps.take(process, step).catch((error: unknown) => {
      // It has moved on, or was set aside.
      if (!isStatusError(error, 'Conflict')) throw error
    })
  }

  #heard(executor: ExecutorFacts): void {
    this.#presence.heard(executor)
    this.#time.executorBack(executor.namespace, executor.name)
    this.#time.look()
  }

  #cancelled(namespace: string, executor: string): Attempt[] {
    const cancelled: Attempt[] = []
    for (const { name, attempt, cancel } of this.queue.running(namespace, executor)) {
      if (cancel) cancelled.push({ process: name, attempt })
    }
    return cancelled
  }

  /** Whether it runs something that is to end, and has not been told. */
  #hasNews(namespace: string, executor: string, ending: readonly Attempt[]): boolean {
    return this.#cancelled(namespace, executor).some(
      (one) => !this.#told.has(toldKey(namespace, one)) && !ending.some(({ process }) => process === one.process),
    )
  }

  #tell(namespace: string, executor: string): Attempt[] {
    const cancelled = this.#cancelled(namespace, executor)
    for (const one of cancelled) this.#told.add(toldKey(namespace, one))
    return cancelled
  }

  #processChanged(process: QueuedProcess, before: QueuedProcess | undefined): void {
    const { namespace, phase, cancel, executor } = process
    if (before?.phase === 'Running') this.#left(before, phase !== 'Running' || before.attempt !== process.attempt)
    if (phase === 'Running' && executor !== undefined) {
      if (cancel && before?.cancel !== true) this.#assignments.interrupt(namespace, executor)
      // Whoever holds something and is not known has the usual time to come back.
      if (this.#book.lastSeen(namespace, executor) === undefined)
        this.#book.seen(namespace, executor, this.#clock.now())
    }
    if (phase === 'Ended' ? before?.phase !== 'Ended' : phase === 'Waiting' && before?.phase === 'Running') {
      this.#tellEnded(process)
    }
    this.#time.look()
  }

  #processGone(before: QueuedProcess | undefined, uid: string): void {
    this.#logs.forget(uid)
    if (before === undefined) return
    if (before.phase === 'Running') this.#left(before, true)
    this.#tellEnded(before)
    this.#time.look()
  }

  #left({ namespace, name, attempt }: QueuedProcess, over: boolean): void {
    if (over) this.#told.delete(toldKey(namespace, { process: name, attempt }))
  }

  #tellEnded({ namespace, concurrencyKey }: QueuedProcess): void {
    if (concurrencyKey !== undefined) for (const listener of this.#ended) listener(namespace, concurrencyKey)
  }

  #executorGone(executor: ExecutorFacts): void {
    this.#presence.gone(executor)
    this.#assignments.interrupt(executor.namespace, executor.name)
    this.#time.executorGone(executor.namespace, executor.name)
  }
}

/** The bytes of Processes go out as they are stored. */
function assignAnswer(processes: readonly CachedObject[], cancelled: readonly Attempt[]): Uint8Array {
  const pieces: Uint8Array[] = [Buffer.from('{"processes":[')]
  for (const [index, { bytes }] of processes.entries()) {
    if (index > 0) pieces.push(Buffer.from(','))
    pieces.push(bytes)
  }
  pieces.push(Buffer.from(`],"cancelled":${JSON.stringify(cancelled)}}`))
  return Buffer.concat(pieces)
}

function toldKey(namespace: string, { process, attempt }: Attempt): string {
  return `${namespace}/${process}#${attempt}`
}
