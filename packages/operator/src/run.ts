// `run(site, webApp)`: installs definitions, syncs the caches, and runs the controllers until it is closed.

import { messageOf, systemClock } from '@homeostat/base'
import type { ApiObject, Client, Informer } from '@homeostat/client'
import { type OperatorHost, operatorHost } from './host.ts'
import { installDefinitions } from './install-definitions.ts'
import { type RunArguments, type RunOptions, readArguments, settingsOf } from './run-options.ts'
import { awaitServer, whileReachable } from './runtime/await-server.ts'
import type { Cluster } from './runtime/cluster.ts'
import type { Controlled } from './runtime/controlled.ts'
import { fenceWrites } from './runtime/fence-writes.ts'
import { Manager } from './runtime/manager.ts'
import type { Pull } from './runtime/pull.ts'
import type { ObjectRef } from './runtime/reconcile-context.ts'
import type { Trigger } from './runtime/triggers.ts'
import { type CompanionOptions, type Companions, startCompanions } from './start-companions.ts'
import type { WebhookSettings, Webhooks } from './webhooks/start-webhooks.ts'

export type { Runnable, RunOptions } from './run-options.ts'

export interface Sizes {
  readonly queued: number
  readonly busy: number
  readonly delayed: number
  readonly states: number
  readonly readers: number
  readonly reads: number
  readonly sent: number
}

export interface Running {
  /** Resolves when definitions are installed and caches are synced. Rejects when the operator cannot start. */
  readonly ready: Promise<void>
  /** Resolves when the operator has ended. Rejects when it could not start. */
  readonly done: Promise<void>
  /** Resolves when no key is queued or being reconciled. Delayed keys, such as a retry, do not count. */
  idle(signal?: AbortSignal): Promise<void>
  /** Shuts down: active reconciles may finish first. Safe to call twice. */
  close(): Promise<void>
  /** Queues an object of a controlled kind. */
  queue(ref: ObjectRef, trigger: string): void
  /** The last triggers of an object. */
  why(ref: ObjectRef): readonly Trigger[]
  /** Rejects as `ready` does. */
  readonly cluster: Promise<Cluster>
  /** Number of reconciles so far. */
  readonly runs: number
  /** The open caches. */
  caches(): readonly Informer<ApiObject>[]
  /** Size of the state kept between reconciles: for tests and metrics. */
  sizes(): Sizes
  [Symbol.asyncDispose](): Promise<void>
}

/** `run(a, b)`, `run(a, b, { name: 'shop' })`, `run([a, b], { name: 'shop' })`. */
export function run(...args: RunArguments): Running {
  const { controlled, options } = readArguments(args)
  return new OperatorRun(controlled, options, operatorHost())
}

type Settings = ReturnType<typeof settingsOf>

/** Grace period after the abort, for reconciles that ignore their signal. */
const LAST_GRACE_MS = 6000

class OperatorRun implements Running {
  readonly ready: Promise<void>
  readonly done: Promise<void>
  readonly cluster: Promise<Cluster>
  readonly #controlled: readonly Controlled[]
  readonly #options: RunOptions
  readonly #host: OperatorHost | undefined
  readonly #settings: Settings
  readonly #starting = new AbortController()
  /** Stops the workers: no key is taken from the queue after it aborts. */
  readonly #stopping = new AbortController()
  /** Aborts active reconciles. */
  readonly #aborting = new AbortController()
  readonly #started: Promise<Manager>
  readonly #ended = Promise.withResolvers<void>()
  #client: Client | undefined
  #companions: Companions | undefined
  #webhooks: Webhooks | undefined
  #manager: Manager | undefined
  #working: Promise<void> = Promise.resolve()
  #opened = false
  #serverVersion = ''
  #closing: Promise<void> | undefined

  constructor(controlled: readonly Controlled[], options: RunOptions, host: OperatorHost | undefined) {
    this.#controlled = controlled
    this.#options = options
    this.#host = host
    this.#settings = settingsOf(controlled, options)
    this.#started = this.#start()
    this.#started.catch((error: unknown) => this.#fail(error))
    this.done = this.#ended.promise
    this.ready = this.#started.then(() => {})
    this.cluster = this.#started.then(({ cluster }) => cluster)
    // The failure is already in the log, for callers that await none of these.
    for (const promise of [this.ready, this.cluster, this.done]) promise.catch(() => {})
    if (options.signal?.aborted) void this.close()
    else options.signal?.addEventListener('abort', this.#onSignal, { once: true })
  }

  get runs(): number {
    return this.#manager?.dispatcher.runs ?? 0
  }

  async idle(signal?: AbortSignal): Promise<void> {
    const { dispatcher } = await this.#started
    await dispatcher.whenIdle(signal)
  }

  queue(ref: ObjectRef, trigger: string): void {
    this.#manager?.queue(ref, trigger)
  }

  why(ref: ObjectRef): readonly Trigger[] {
    return this.#manager?.why(ref) ?? []
  }

  caches(): readonly Informer<ApiObject>[] {
    return this.#manager?.cluster.caches.all ?? []
  }

  sizes(): Sizes {
    return sizesOf(this.#manager)
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  readonly #onSignal = (): void => {
    void this.close()
  }

  async #start(): Promise<Manager> {
    const { signal } = this.#starting
    const { install, pull: pullOptions } = this.#options
    if (this.#host?.describe || this.#host?.started) await this.#introduceTo(this.#host, signal)
    const client = await this.#connect()
    this.#client = client
    signal.throwIfAborted()
    const settings = { ...this.#settings, client, signal }
    const unready = () => (this.#opened ? undefined : 'definitions are not installed, or caches not complete')
    this.#companions = await startCompanions(companionOptions(this.#options), { ...settings, unready })
    signal.throwIfAborted()
    this.#serverVersion = await awaitServer(settings)
    // Only operators that pull need the executor SDK.
    const pulling = pullOptions && (await import('./pull/start-pull.ts')).pulling(pullOptions)
    const given = pulling?.withHandlers(this.#controlled) ?? this.#controlled
    this.#webhooks = await this.#startWebhooks(given, settings)
    const controlled = this.#webhooks?.controlled ?? given
    const pull = await whileReachable(settings, async () => {
      await installDefinitions(settings, controlled, install, this.#host)
      await this.#webhooks?.register()
      return pulling?.start(controlled, settings)
    })
    const { leadership } = this.#companions
    const own = leadership === undefined ? client : fenceWrites(client, leadership)
    const manager = new Manager({ ...settings, ...this.#companions, client: own, pull })
    this.#manager = manager
    await manager.open(controlled, signal)
    const working = this.#work(manager, pull)
    this.#working = working.catch((error: unknown) => this.#fail(error))
    if (pull !== undefined) await pull.ready
    this.#logStart(client)
    return manager
  }

  /** Rejects for a host that takes the description instead of letting the run start. */
  async #introduceTo(host: OperatorHost, signal: AbortSignal): Promise<void> {
    // Only `homeostat dev` and `synth` ask for it.
    const { describeRun } = await import('./describe-run.ts')
    const description = await describeRun(this.#controlled, this.#options, this.#settings)
    host.started?.({ description, ready: this.ready, close: () => this.close() })
    if (host.describe === undefined) return
    host.describe(description)
    await aborted(signal)
  }

  async #connect(): Promise<Client> {
    const client = this.#options.client ?? (await this.#defaultClient())
    const { requested } = this.#host ?? {}
    if (requested === undefined) return client
    // Only `homeostat dev` and tests record.
    const { recordRequests } = await import('./access/record-requests.ts')
    return recordRequests(client, (request) => requested(request))
  }

  async #defaultClient(): Promise<Client> {
    const { rateLimit } = this.#options
    // Who gives a client needs neither a kubeconfig nor Node's own transport.
    const { defaultClient } = await import('@homeostat/client/node')
    if (rateLimit === undefined) return defaultClient()
    const onWait = (ms: number) => this.#companions?.observer?.waited?.(ms)
    return defaultClient({ rateLimit: { ...rateLimit, onWait } })
  }

  async #startWebhooks(controlled: readonly Controlled[], settings: WebhookSettings): Promise<Webhooks | undefined> {
    if (!controlled.some(({ webhooks }) => webhooks !== undefined)) return undefined
    // Only operators with webhooks need a server for them.
    const { startWebhooks } = await import('./webhooks/start-webhooks.ts')
    return startWebhooks(controlled, this.#options.webhooks ?? {}, settings)
  }

  async #work({ dispatcher }: Manager, pull: Pull | undefined): Promise<void> {
    const { signal: stop } = this.#stopping
    await (pull?.work(dispatcher, stop) ?? dispatcher.work(stop, this.#aborting.signal))
  }

  #logStart(client: Client): void {
    this.#opened = true
    const { log, fieldManager: name, scope } = this.#settings
    const kinds = this.#controlled.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`)
    const { pull } = this.#options
    const way = pull === undefined ? { way: 'watch' } : { way: 'pull', executorType: pull.executorType }
    const server = { server: client.transport.server, serverVersion: this.#serverVersion || undefined }
    // A host that got the run reports this itself.
    const level = this.#host?.started === undefined ? 'info' : 'debug'
    log[level]({ name, ...server, kinds, ...way, namespaces: scope.selection ?? 'all' }, 'the operator works')
  }

  #fail(error: unknown): void {
    if (this.#closing !== undefined) return
    this.#settings.log.error(failureFields(error), this.#opened ? 'the operator ends' : 'the operator could not start')
    this.#ended.reject(error)
    void this.close()
  }

  async #end(): Promise<void> {
    this.#starting.abort(new Error('the operator was closed before it was ready'))
    this.#options.signal?.removeEventListener('abort', this.#onSignal)
    try {
      await this.#endRuns()
      await this.#started.catch(() => {})
      // A startup in progress may have started to work meanwhile.
      await this.#endRuns()
      await this.#webhooks?.close()
      await this.#companions?.close()
    } catch (error) {
      this.#settings.log.error({ err: error }, 'the operator did not end as it should')
    }
    if (this.#options.client === undefined) this.#client?.close()
    this.#ended.resolve()
  }

  /**
   * Waits for active reconciles, and aborts them after the shutdown time. Uses real time, whatever clock the reconciles
   * use.
   */
  async #endRuns(): Promise<void> {
    const { shutdownMs } = this.#settings
    this.#stopping.abort(new Error('the operator ends'))
    const abort = () => this.#aborting.abort(new Error('the operator ends'))
    const cancelAbort = systemClock.setTimer(shutdownMs, abort)
    let cancelWait = () => {}
    const given = new Promise<void>((resolve) => {
      cancelWait = systemClock.setTimer(shutdownMs + LAST_GRACE_MS, resolve)
    })
    // The executor reports its outcomes to the colony, which takes its own, bounded time.
    await (this.#options.pull === undefined ? Promise.race([this.#working, given]) : this.#working)
    cancelAbort()
    cancelWait()
    abort()
    this.#manager?.close()
  }
}

/** An operator that pulls has no leader: a colony assigns an object to one worker at a time. */
function companionOptions(options: RunOptions): CompanionOptions {
  if (options.pull === undefined) return options
  const { leaderElection: _, leadership: __, ...rest } = options
  return rest
}

/** The message says why it could not start; the stack only matters for a mistake in a program. */
function failureFields(error: unknown): object {
  if (error instanceof TypeError || error instanceof ReferenceError) return { err: error }
  return { error: messageOf(error) }
}

/** Rejects when the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function sizesOf(manager: Manager | undefined): Sizes {
  const { queue, states } = manager?.dispatcher ?? {}
  const { keys = 0, buckets = 0 } = manager?.dependencies.size ?? {}
  return {
    queued: queue?.size ?? 0,
    busy: queue?.busy ?? 0,
    delayed: queue?.delayed ?? 0,
    states: states?.size ?? 0,
    readers: keys,
    reads: buckets,
    sent: manager?.cluster.sent.size ?? 0,
  }
}
