// `run(site, webApp)`: installs definitions, fills the caches, and lets controllers work until it is closed.

import type { ApiObject, Client, Informer } from '@homeostat/client'
import { type Equipment, type EquipmentOptions, equip } from './equip.ts'
import type { PullOptions } from './pull/pull-options.ts'
import { type RunArguments, type RunOptions, readArguments, settingsOf } from './run-options.ts'
import { awaitServer, type ServerWait, whileReachable } from './runtime/await-server.ts'
import type { Cause } from './runtime/causes.ts'
import type { Cluster } from './runtime/cluster.ts'
import type { Controlled } from './runtime/controlled.ts'
import { OperatorProcess } from './runtime/operator-process.ts'
import type { ObjectRef } from './runtime/run.ts'

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
  /** Definitions are installed and caches complete. Rejects when the operator cannot start. */
  readonly ready: Promise<void>
  /** The operator has ended. Rejects when it could not start. */
  readonly done: Promise<void>
  /** Resolves when nothing waits for a run or runs. What is due later, such as a retry, does not count. */
  idle(signal?: AbortSignal): Promise<void>
  /** Ends it: runs under way may finish first. Safe to call twice. */
  close(): Promise<void>
  /** Queues an object of a controlled kind. */
  queue(ref: ObjectRef, cause: string): void
  /** Why an object ran, the last few times. */
  why(ref: ObjectRef): readonly Cause[]
  /** Rejects as `ready` does. */
  readonly cluster: Promise<Cluster>
  /** How many runs there have been. */
  readonly runs: number
  /** The caches that are open. */
  caches(): readonly Informer<ApiObject>[]
  /** How much is kept between runs: for tests and metrics. */
  sizes(): Sizes
  [Symbol.asyncDispose](): Promise<void>
}

/** `run(a, b)`, `run(a, b, { name: 'shop' })`, `run([a, b], { name: 'shop' })`. */
export function run(...args: RunArguments): Running {
  const { controlled, options } = readArguments(args)
  return new OperatorRun(controlled, options)
}

type Settings = ReturnType<typeof settingsOf>

class OperatorRun implements Running {
  readonly ready: Promise<void>
  readonly done: Promise<void>
  readonly cluster: Promise<Cluster>
  readonly #controlled: readonly Controlled[]
  readonly #options: RunOptions
  readonly #settings: Settings
  readonly #starting = new AbortController()
  readonly #started: Promise<OperatorProcess>
  readonly #ended = Promise.withResolvers<void>()
  #client: Client | undefined
  #equipment: Equipment | undefined
  #operator: OperatorProcess | undefined
  #opened = false
  #serverVersion = ''
  #closing: Promise<void> | undefined

  constructor(controlled: readonly Controlled[], options: RunOptions) {
    this.#controlled = controlled
    this.#options = options
    this.#settings = settingsOf(controlled, options)
    this.#started = this.#start()
    this.#started.catch((error: unknown) => this.#fail(error))
    this.done = this.#ended.promise
    this.ready = this.#started.then(() => {})
    this.cluster = this.#started.then(({ cluster }) => cluster)
    // Who does not wait for these has been told by the log.
    for (const promise of [this.ready, this.cluster, this.done]) promise.catch(() => {})
    if (options.signal?.aborted) void this.close()
    else options.signal?.addEventListener('abort', this.#onSignal, { once: true })
  }

  get runs(): number {
    return this.#operator?.dispatcher.runs ?? 0
  }

  async idle(signal?: AbortSignal): Promise<void> {
    await whenIdle(await this.#started, signal)
  }

  queue(ref: ObjectRef, cause: string): void {
    this.#operator?.queue(ref, cause)
  }

  why(ref: ObjectRef): readonly Cause[] {
    return this.#operator?.why(ref) ?? []
  }

  caches(): readonly Informer<ApiObject>[] {
    return this.#operator?.cluster.caches.all ?? []
  }

  sizes(): Sizes {
    return sizesOf(this.#operator)
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

  async #start(): Promise<OperatorProcess> {
    const { signal } = this.#starting
    const { client: given, install = true } = this.#options
    const client = given ?? (await (await import('@homeostat/client/node')).defaultClient())
    this.#client = client
    signal.throwIfAborted()
    const settings = { ...this.#settings, client, signal }
    const unready = () => (this.#opened ? undefined : 'definitions are not installed, or caches not complete')
    this.#equipment = await equip(equipmentOf(this.#options), { ...settings, unready })
    signal.throwIfAborted()
    this.#serverVersion = await awaitServer(settings)
    if (this.#options.pull !== undefined) return this.#startPulling(this.#options.pull, settings)
    await whileReachable(settings, () => installAll(settings, this.#controlled, install))
    const operator = new OperatorProcess({ ...settings, ...this.#equipment })
    this.#operator = operator
    await operator.open(this.#controlled, signal)
    this.#tellStart(client)
    operator.start().catch((error: unknown) => this.#fail(error))
    return operator
  }

  async #startPulling(options: PullOptions, settings: Settings & ServerWait): Promise<OperatorProcess> {
    const { client, signal } = settings
    const { pullFor, withHandlers } = await import('./pull/start-pull.ts')
    const controlled = withHandlers(this.#controlled, options)
    const pull = await whileReachable(settings, async () => {
      await installAll(settings, controlled, this.#options.install ?? true)
      return pullFor(controlled, options, settings, signal)
    })
    const operator = new OperatorProcess({ ...settings, ...this.#equipment, pull })
    this.#operator = operator
    await operator.open(controlled, signal)
    operator.start().catch((error: unknown) => this.#fail(error))
    await pull.ready
    this.#tellStart(client)
    return operator
  }

  #tellStart(client: Client): void {
    this.#opened = true
    const { log, fieldManager: name, namespace = 'all' } = this.#settings
    const kinds = this.#controlled.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`)
    const { pull } = this.#options
    const way = pull === undefined ? { way: 'watch' } : { way: 'pull', executorType: pull.executorType }
    const server = { server: client.transport.server, serverVersion: this.#serverVersion || undefined }
    log.info({ name, ...server, kinds, ...way, namespace }, 'the operator works')
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
      // One that pulls is not started before the colony knows it, and that may never be.
      await this.#operator?.close()
      await this.#started.catch(() => {})
      await this.#operator?.close()
      await this.#equipment?.close()
    } catch (error) {
      this.#settings.log.error({ err: error }, 'the operator did not end as it should')
    }
    if (this.#options.client === undefined) this.#client?.close()
    this.#ended.resolve()
  }
}

/** Whoever pulls has no leader: a colony gives an object to one worker at a time. */
function equipmentOf(options: RunOptions): EquipmentOptions {
  if (options.pull === undefined) return options
  const { leaderElection: _, leadership: __, ...rest } = options
  return rest
}

/** Why it could not start is said by the message; where it was thrown counts for a mistake in a program alone. */
function failureFields(error: unknown): object {
  if (error instanceof TypeError || error instanceof ReferenceError) return { err: error }
  return { error: error instanceof Error ? error.message : String(error) }
}

async function installAll(
  { client, log, signal }: ServerWait,
  controlled: readonly Controlled[],
  install: NonNullable<RunOptions['install']>,
): Promise<void> {
  const definitions = controlled.map(({ definition }) => definition).filter((one) => one !== undefined)
  if (install === false || definitions.length === 0) return
  const given = install === true ? { signal } : { ...install, signal }
  const { installDefinition } = await import('./definition/install-definition.ts')
  await Promise.all(
    definitions.map(async (definition) => {
      const { written, differences } = await installDefinition(client, definition, given)
      const fields = { definition: definition.metadata.name, ...(differences.length > 0 && { differences }) }
      if (written !== 'nothing') log.info(fields, `the definition was ${written}`)
    }),
  )
}

async function whenIdle({ dispatcher }: OperatorProcess, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  if (dispatcher.isIdle) return
  await new Promise<void>((resolve, reject) => {
    const settle = (finish: () => void) => {
      unsubscribe()
      signal?.removeEventListener('abort', onAbort)
      finish()
    }
    const onAbort = () => settle(() => reject(signal?.reason))
    const unsubscribe = dispatcher.onIdle(() => settle(resolve))
    signal?.addEventListener('abort', onAbort)
  })
}

function sizesOf(operator: OperatorProcess | undefined): Sizes {
  const { queue, states } = operator?.dispatcher ?? {}
  const { keys = 0, buckets = 0 } = operator?.dependencies.size ?? {}
  return {
    queued: queue?.size ?? 0,
    busy: queue?.busy ?? 0,
    delayed: queue?.delayed ?? 0,
    states: states?.size ?? 0,
    readers: keys,
    reads: buckets,
    sent: operator?.cluster.sent.size ?? 0,
  }
}
