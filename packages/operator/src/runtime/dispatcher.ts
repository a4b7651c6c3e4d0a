// Gives keys to workers: one queue and one concurrency limit for all controllers of a process, one worker per key. It
// decides when a key is reconciled next; the controller decides what that does.

import { Backoff, type Clock, type Log, type Priority, TimeSlice, WorkQueue } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { isUnreachable } from './await-server.ts'
import { isDifferentSpec } from './change-worth.ts'
import type { Leadership, ObservedOutcome, Observer, Ownership, QueueState, RunSink } from './companions.ts'
import type { Attempt, Controller } from './controller.ts'
import type { Dependencies } from './dependencies.ts'
import { KeyStates } from './key-states.ts'
import type { NamespaceScope } from './namespace-scope.ts'
import { type KeyParts, keyParts, nameOf } from './object-key.ts'
import { passingFailure } from './passing-failure.ts'
import { refusedRight, refusedText } from './refused-right.ts'
import { type RunNotes, runRecord } from './run-notes.ts'
import type { RunOutcome } from './run-outcome.ts'
import type { Trigger } from './triggers.ts'

export interface DispatcherOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly concurrency: number
  readonly backoff: { readonly min: number; readonly max: number }
  readonly dependencies: Dependencies
  readonly scope: NamespaceScope
  readonly observer?: Observer | undefined
  readonly notes: RunNotes
  /** Is told of runs that wrote something. */
  readonly runs?: RunSink | undefined
  /** Default: this process always leads. */
  readonly leadership?: Leadership | undefined
}

/** Jitter of resyncs, as a share of their interval, so that keys that started at once spread out. */
const RESYNC_SPREAD = 0.1

/** The least time between retries of a reconcile that was refused a right, unless the longest back-off is shorter. */
const REFUSED_RETRY_MS = 60_000

export class Dispatcher {
  readonly queue: WorkQueue<string>
  readonly states = new KeyStates()
  readonly #options: DispatcherOptions
  readonly #backoff: Backoff<string>
  readonly #controllers = new Map<string, Controller>()
  readonly #idle = new Set<() => void>()
  readonly #slice = new TimeSlice()
  #runs = 0
  #given = 0
  #closed = false

  constructor(options: DispatcherOptions) {
    const { clock, random, backoff } = options
    this.#options = options
    this.queue = new WorkQueue(clock)
    this.#backoff = new Backoff({ ...backoff, random })
  }

  add(controller: Controller): void {
    this.#controllers.set(controller.kind, controller)
  }

  controllerOf(kind: string): Controller | undefined {
    return this.#controllers.get(kind)
  }

  enqueue(key: string, trigger: Omit<Trigger, 'at'>, priority: Priority = 'fresh'): void {
    this.states.of(key).triggers.add({ ...trigger, at: this.#options.clock.now() })
    this.queue.add(key, priority)
  }

  /** Number of reconciles so far. */
  get runs(): number {
    return this.#runs
  }

  /** No key waits for a worker or is being reconciled. */
  get isIdle(): boolean {
    return this.#closed || (this.queue.size === 0 && this.queue.busy === 0 && this.#given === 0)
  }

  close(): void {
    this.#closed = true
    this.queue.close()
    this.#notifyIdle()
  }

  /** Queue state of one kind. Scans all waiting keys. */
  queueOf(kind: string): QueueState {
    const now = this.#options.clock.now()
    let [depth, oldest] = [0, now]
    for (const [key, since] of this.queue.waiting()) {
      if (keyParts(key).kind !== kind) continue
      depth++
      oldest = Math.min(oldest, since)
    }
    return { depth, oldestMs: now - oldest }
  }

  async whenIdle(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.isIdle) return
    await new Promise<void>((resolve, reject) => {
      const settle = (finish: () => void) => {
        this.#idle.delete(onIdle)
        signal?.removeEventListener('abort', onAbort)
        finish()
      }
      const onIdle = () => settle(resolve)
      const onAbort = () => settle(() => reject(signal?.reason))
      this.#idle.add(onIdle)
      signal?.addEventListener('abort', onAbort)
    })
  }

  /**
   * Works through terms of leadership until `stop` aborts; active reconciles then go on until `abort` does. Resolves
   * when the last has ended. Rejects when the election fails for good.
   */
  async work(stop: AbortSignal, abort: AbortSignal): Promise<void> {
    const { leadership, concurrency } = this.#options
    while (!stop.aborted) {
      const term = await leadership?.lead(stop).catch((error: unknown) => {
        if (!stop.aborted) throw error
      })
      if (stop.aborted) return
      // A process that lost leadership must not act: its reconciles are aborted at once.
      const stopping = term ? AbortSignal.any([stop, term]) : stop
      const aborting = term ? AbortSignal.any([abort, term]) : abort
      await Promise.all(Array.from({ length: concurrency }, () => this.#worker(stopping, aborting)))
    }
  }

  /**
   * Reconciles an object on behalf of a caller that schedules it, ensures that there is no second one, and handles the
   * outcome.
   */
  async runGiven(
    key: string,
    object: ApiObject,
    { trigger, ...given }: Pick<Attempt, 'signal' | 'reportStatus'> & { readonly trigger: Omit<Trigger, 'at'> },
  ): Promise<RunOutcome> {
    const parts = keyParts(key)
    const controller = this.#controllers.get(parts.kind)
    if (controller === undefined) throw new Error(`nobody here controls ${parts.kind}`)
    this.#given++
    try {
      const { log, triggers } = this.#begin(key, controller, object, trigger)
      const run = () => controller.run(key, { ...given, object, terminal: false, log })
      return await this.#noted(controller, object, triggers, () => this.#observed(controller, parts, triggers, run))
    } finally {
      this.#given--
      if (this.isIdle) this.#notifyIdle()
    }
  }

  /** Queues what this process owns now and did not before, to reconcile it, and what it no longer owns, to forget it. */
  rebalance(ownership: Ownership): void {
    for (const controller of this.#controllers.values()) {
      for (const object of controller.informer?.list() ?? []) {
        const key = controller.keyOf(nameOf(object))
        const isKnown = this.states.find(key) !== undefined
        const isOwned = ownership.owns(object.metadata.uid ?? '')
        if (isOwned && !isKnown) this.enqueue(key, { text: 'taken over from another process' }, 'low')
        if (isKnown && !isOwned) this.queue.add(key, 'low')
      }
    }
  }

  /** Drops all state of the key. */
  forget(key: string): void {
    const parts = keyParts(key)
    this.#forget(key, this.#controllers.get(parts.kind), parts)
  }

  async #worker(stop: AbortSignal, abort: AbortSignal): Promise<void> {
    for (let key = await this.queue.take(stop); key !== undefined; key = await this.queue.take(stop)) {
      const outcome = await this.#safely(key, abort)
      if (outcome?.stuck === undefined) this.#done(key)
      else this.#whenFree(key, outcome.stuck)
      await this.#slice.next()
    }
  }

  /** Catches errors of the runtime itself, so that they do not end the worker. */
  async #safely(key: string, abort: AbortSignal): Promise<RunOutcome | undefined> {
    try {
      return await this.#run(key, abort)
    } catch (error) {
      this.#options.log.error({ ...keyParts(key), err: error }, 'a run could not be carried out')
      this.queue.addAfter(key, this.#backoff.next(key))
      return undefined
    }
  }

  #done(key: string): void {
    this.queue.done(key)
    if (this.isIdle) this.#notifyIdle()
  }

  #notifyIdle(): void {
    for (const callback of [...this.#idle]) callback()
  }

  #whenFree(key: string, stuck: Promise<void>): void {
    this.#options.log.warn(keyParts(key), 'a run does not listen to its signal: its object has to wait until it ends')
    void stuck.then(() => this.#done(key))
  }

  async #run(key: string, abort: AbortSignal): Promise<RunOutcome | undefined> {
    const parts = keyParts(key)
    const controller = this.#controllers.get(parts.kind)
    const object = controller?.informer?.get(parts)
    const ownership = this.#options.leadership?.ownership
    const claim = object && ownership?.claim(object.metadata.uid ?? '')
    // What belongs to another process is forgotten like what is gone.
    if (controller === undefined || object === undefined || (ownership !== undefined && claim === undefined)) {
      this.#forget(key, controller, parts)
      return undefined
    }
    const signals = [abort, this.#options.scope.signal(parts.namespace), claim?.signal].filter(
      (one) => one !== undefined,
    )
    const signal = signals.length > 1 ? AbortSignal.any(signals) : abort
    let stuck: Promise<void> | undefined
    try {
      const { log, triggers } = this.#begin(key, controller, object)
      const current = this.states.of(key)
      const terminal = current.terminal !== undefined && !isDifferentSpec(current.terminal, object)
      const run = () => controller.run(key, { object, terminal, signal, log })
      const observed = () => this.#observed(controller, parts, triggers, run)
      const outcome = await this.#noted(controller, object, triggers, observed)
      stuck = outcome.stuck
      if (!terminal || outcome.result !== 'success') {
        current.terminal = outcome.result === 'terminal' ? object : undefined
      }
      this.#schedule(key, controller, outcome, log)
      return outcome
    } finally {
      if (stuck === undefined) claim?.end()
      else void stuck.then(() => claim?.end())
    }
  }

  /** Records that the key is reconciled with this object, and the triggers. */
  #begin(
    key: string,
    controller: Controller,
    object: ApiObject,
    given?: Omit<Trigger, 'at'>,
  ): { log: Log; triggers: readonly Trigger[] } {
    const parts = keyParts(key)
    const { uid } = object.metadata
    const before = this.states.of(key)
    const triggers = before.triggers.take(() => ({
      ...(given ?? { text: before.retryAt === undefined ? 'its time has come' : 'retry' }),
      at: this.#options.clock.now(),
    }))
    if (before.uid !== undefined && before.uid !== uid) this.#forget(key, controller, parts)
    this.states.of(key).uid = uid
    const log = logFor(this.#options.log, controller, parts)
    this.#runs++
    log.debug({ triggers }, 'run')
    return { log, triggers }
  }

  /** Tells of a run that wrote something. */
  #noted(
    { controlled }: Controller,
    object: ApiObject,
    triggers: readonly Trigger[],
    run: () => Promise<RunOutcome>,
  ): Promise<RunOutcome> {
    const { notes, runs } = this.#options
    if (runs === undefined || controlled.tellsRuns === false || controlled.kind === 'Event') return run()
    return notes.around(run, (writes, more) => {
      const record = runRecord(triggers, writes, more)
      if (record !== undefined) runs.record(object, record)
    })
  }

  async #observed(
    controller: Controller,
    parts: KeyParts,
    triggers: readonly Trigger[],
    run: () => Promise<RunOutcome>,
  ): Promise<RunOutcome> {
    const { observer } = this.#options
    if (observer?.around === undefined) return run()
    const { apiVersion, kind } = controller.controlled
    const { name, namespace } = parts
    const trigger = triggers[0]?.text ?? ''
    let outcome: RunOutcome | undefined
    const work = async (): Promise<ObservedOutcome> => {
      outcome = await run()
      const { result, error } = outcome
      return error === undefined ? { result } : { result, error }
    }
    try {
      await observer.around({ apiVersion, kind, name, namespace, trigger }, work)
    } catch (error) {
      this.#options.log.error({ err: error, kind, name }, 'an observer failed')
    }
    return outcome ?? run()
  }

  /** Schedules the next reconcile. A change queues the key at any time and does not move its retry. */
  #schedule(key: string, controller: Controller, outcome: RunOutcome, log: Log): void {
    const state = this.states.of(key)
    if (outcome.result === 'aborted') {
      this.enqueue(key, { text: 'the last run was aborted' })
      return
    }
    if (outcome.result === 'error') {
      const now = this.#options.clock.now()
      // A timer may fire a fraction of a millisecond early, so ask the queue whether the retry is still pending.
      if (state.retryAt !== undefined && this.queue.isDelayed(key)) {
        this.#logFailure(log, key, outcome.error, state.retryAt - now)
        return
      }
      const delay = this.#retryDelay(key, outcome.error)
      state.retryAt = now + delay
      this.queue.cancelDelay(key)
      this.queue.addAfter(key, delay)
      this.#options.observer?.retried?.(controller.controlled.kind)
      this.#logFailure(log, key, outcome.error, delay)
      return
    }
    if (outcome.result === 'terminal') log.warn({ err: outcome.error }, 'stopped until the object changes')
    this.#backoff.forget(key)
    state.retryAt = undefined
    this.queue.cancelDelay(key)
    if (outcome.again !== undefined) this.queue.addAfter(key, outcome.again)
    if (controller.resync !== undefined && outcome.result !== 'terminal') {
      const spread = 1 + RESYNC_SPREAD * this.#options.random()
      this.queue.addAfter(key, controller.resync * spread, 'low')
    }
  }

  /** A right that is missing does not come by asking again: somebody has to give it. */
  #retryDelay(key: string, error: unknown): number {
    const delay = this.#backoff.next(key)
    if (refusedRight(error) === undefined) return delay
    return Math.max(delay, Math.min(REFUSED_RETRY_MS, this.#options.backoff.max))
  }

  #logFailure(log: Log, key: string, error: unknown, retryInMs: number): void {
    const fields = { err: error, retryInMs: Math.round(retryInMs) }
    const passing = passingFailure(error, keyParts(key).namespace)
    const refused = refusedRight(error)
    if (passing !== undefined) log.debug(fields, passing)
    else if (refused !== undefined) log.error({ ...fields, refused }, `reconcile failed: ${refusedText(refused)}`)
    else if (isUnreachable(error)) log.warn(fields, 'reconcile failed: the server is not reached')
    else log.error(fields, 'reconcile failed')
  }

  #forget(key: string, controller: Controller | undefined, parts: KeyParts): void {
    const uid = this.states.find(key)?.uid
    this.states.drop(key)
    this.#backoff.forget(key)
    this.queue.cancelDelay(key)
    try {
      controller?.forget(parts, uid)
    } catch (error) {
      this.#options.log.error({ ...parts, err: error }, 'forget failed')
    }
  }
}

function logFor(log: Log, { controlled }: Controller, { name, namespace }: KeyParts): Log {
  const base = { kind: controlled.kind, name, ...(namespace !== undefined && { namespace }) }
  return {
    debug: (fields, message) => log.debug({ ...base, ...fields }, message),
    info: (fields, message) => log.info({ ...base, ...fields }, message),
    warn: (fields, message) => log.warn({ ...base, ...fields }, message),
    error: (fields, message) => log.error({ ...base, ...fields }, message),
  }
}
