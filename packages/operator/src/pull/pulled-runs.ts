// Runs an operator as an executor: a process that a colony assigns is one reconcile of the object in it. Several
// workers may do so in parallel, since the colony assigns an object to one at a time. The runtime uses it in place of
// changes.

import { Backoff, type Clock, type Log } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import { type ExecutorOptions, executor, PermanentError, type ProcessContext } from '@homeostat/executor'
import { RECONCILE_ANNOTATION, TRIGGER_ANNOTATION } from '@homeostat/executor/protocol'
import { isStatusError, rfc3339Micro } from '@homeostat/meta'
import type { Controller, PulledSide } from '../runtime/controller.ts'
import type { Dispatcher } from '../runtime/dispatcher.ts'
import { kindKey, nameOf, objectKey } from '../runtime/object-key.ts'
import { OwnedParts } from '../runtime/owned-parts.ts'
import type { Pull } from '../runtime/pull.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'
import type { StatusFields } from '../runtime/status-draft.ts'
import { changedObject } from '../runtime/triggers.ts'
import { attemptOutcome } from './attempt-outcome.ts'
import { RecentKeys } from './recent-keys.ts'

interface PulledRunsOptions {
  readonly client: Client
  readonly fieldManager: string
  readonly executorType: string
  readonly colony: string | undefined
  readonly functions: readonly string[]
  readonly concurrency: number
  readonly shutdownMs: number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
}

/** The field manager with which the colony applies an executor's status. */
const STATUS_MANAGER = 'colonies.io/executor'
const PATIENCE = { min: 1000, max: 60_000 }

export class PulledRuns implements Pull {
  readonly side: PulledSide
  readonly #options: PulledRunsOptions
  readonly #parts = new OwnedParts(STATUS_MANAGER)
  readonly #patience: Backoff<string>
  readonly #keys = new RecentKeys()
  /** Keys being reconciled, and whether another reconcile was requested meanwhile. */
  readonly #running = new Map<string, boolean>()
  readonly #asking = new Set<string>()
  readonly #ready = Promise.withResolvers<void>()

  constructor(options: PulledRunsOptions) {
    this.#options = options
    this.#patience = new Backoff({ ...PATIENCE, random: options.random })
    this.side = { parts: this.#parts }
    this.ready.catch(() => {})
  }

  /** Resolves when the colony has registered the executor. Rejects when that fails. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  async work(dispatcher: Dispatcher, stop: AbortSignal): Promise<void> {
    try {
      const running = executor(this.#executorOptions(dispatcher, stop))
      running.ready.then(this.#ready.resolve, this.#ready.reject)
      await running.done
    } catch (error) {
      this.#ready.reject(error)
      throw error
    }
  }

  #executorOptions(dispatcher: Dispatcher, stop: AbortSignal): ExecutorOptions {
    const { executorType: type, colony, functions, shutdownMs, ...rest } = this.#options
    const { client, concurrency, clock, random, log } = rest
    const reconcile = (context: ProcessContext) => this.#reconcile(dispatcher, context)
    return {
      type,
      functions: Object.fromEntries(functions.map((name) => [name, reconcile])),
      ...(colony !== undefined && { colony }),
      client,
      concurrency,
      drain: { milliseconds: shutdownMs },
      signal: stop,
      clock,
      random,
      log,
    }
  }

  queue(ref: ObjectRef, _text: string, token?: string): void {
    const key = objectKey(kindKey(ref), ref)
    if (this.#running.has(key)) this.#running.set(key, true)
    else if (!this.#asking.has(key)) void this.#ask(key, ref, token)
  }

  async #reconcile(dispatcher: Dispatcher, context: ProcessContext): Promise<void> {
    const { controller, ref, uid, leaving } = objectOf(dispatcher, context)
    const key = controller.keyOf(ref)
    const object = await this.#read(controller, ref, context.signal)
    if (object === undefined || (uid !== undefined && object.metadata.uid !== uid)) {
      this.#forget(dispatcher, key)
      return
    }
    // The deletion began after this process was created: the colony creates another process for the cleanup.
    if (object.metadata.deletionTimestamp !== undefined && !leaving) return
    this.#running.set(key, false)
    for (const old of this.#keys.use(key, (one) => !this.#running.has(one))) this.#forget(dispatcher, old)
    try {
      const { signal } = context
      let status: StatusFields | undefined
      const reportStatus = (reported: StatusFields) => {
        status = reported
        context.status(reported)
      }
      const trigger = processTrigger(context, object)
      const outcome = await dispatcher.runGiven(key, object, { signal, reportStatus, trigger })
      // Ends the process only when the behaviour has stopped, so that no other reconcile overlaps with it.
      await outcome.stuck
      const queued = this.#running.get(key) === true
      let waits = false
      const patience = () => {
        waits = true
        return this.#patience.next(key)
      }
      const attempt = attemptOutcome({ object, outcome, status, queued, patience })
      if (!waits) this.#patience.forget(key)
      if ('error' in attempt) throw attempt.error
      if (attempt.requeueAfter !== undefined) context.requeueAfter({ milliseconds: attempt.requeueAfter })
      else if (object.metadata.deletionTimestamp !== undefined) this.#forget(dispatcher, key)
    } finally {
      this.#running.delete(key)
    }
  }

  async #read({ controlled }: Controller, ref: ObjectRef, signal: AbortSignal): Promise<ApiObject | undefined> {
    const { apiVersion, kind } = controlled
    const found = await this.#options.client.resourceOf<ApiObject>(apiVersion, kind).find(ref, { signal })
    return found && this.#parts.keep(found)
  }

  /** Drops the state of a key. Nothing here is notified when another worker cleaned an object up. */
  #forget(dispatcher: Dispatcher, key: string): void {
    this.#keys.drop(key)
    this.#patience.forget(key)
    dispatcher.forget(key)
  }

  /**
   * Requests a reconcile by an annotation on the object, which the colony watches. Writing the same token again changes
   * nothing.
   */
  async #ask(key: string, ref: ObjectRef, token?: string): Promise<void> {
    const { client, clock, fieldManager, log } = this.#options
    const patch = { metadata: { annotations: { [RECONCILE_ANNOTATION]: token ?? rfc3339Micro(clock.now()) } } }
    this.#asking.add(key)
    try {
      await client.resourceOf<ApiObject>(ref.apiVersion, ref.kind).patch(ref, patch, { fieldManager })
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) log.warn({ err: error, ref }, 'a run could not be asked for')
    } finally {
      this.#asking.delete(key)
    }
  }
}

/** The colony names in an annotation of the Process why it made it. */
function processTrigger({ process }: ProcessContext, object: ApiObject) {
  const { name, annotations = {} } = process.metadata
  const why = annotations[TRIGGER_ANNOTATION]
  const text = `its process ${name} was assigned${why === undefined ? '' : ` (${why})`}`
  return { text, ...changedObject(object) }
}

function objectOf(
  dispatcher: Dispatcher,
  { kwargs, process }: ProcessContext,
): { controller: Controller; ref: ObjectRef; uid: string | undefined; leaving: boolean } {
  const object = kwargs as Partial<ApiObject>
  const { apiVersion, kind, metadata } = object
  if (apiVersion === undefined || kind === undefined || metadata?.name === undefined) {
    const { name } = process.metadata
    throw new PermanentError(`process ${name} has no object in its kwargs: apiVersion, kind and metadata are missing`)
  }
  const controller = dispatcher.controllerOf(kindKey({ apiVersion, kind }))
  if (controller === undefined) throw new PermanentError(`this operator does not control ${apiVersion} ${kind}`)
  const { uid, deletionTimestamp } = metadata
  const ref = { apiVersion, kind, ...nameOf(object as ApiObject) }
  return { controller, ref, uid, leaving: deletionTimestamp !== undefined }
}
