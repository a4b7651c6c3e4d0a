// `run(site, webApp)`: installs definitions, fills the caches, and lets controllers work until it is closed.

import type { ApiObject, Client, Informer } from '@homeostat/client'
import { type Clock, systemClock } from '@homeostat/queue'
import { type Equipment, type EquipmentOptions, equip } from './equip.ts'
import { stderrLog } from './log.ts'
import type { CacheSelection } from './runtime/caches.ts'
import type { Cause } from './runtime/causes.ts'
import type { Cluster } from './runtime/cluster.ts'
import type { Controlled } from './runtime/controlled.ts'
import { milliseconds } from './runtime/duration.ts'
import { kindKey } from './runtime/object-key.ts'
import { OperatorProcess } from './runtime/operator-process.ts'
import type { Duration, Log, ObjectRef } from './runtime/run.ts'

export interface RunOptions extends EquipmentOptions {
  /** Default: the server that a kubeconfig, or the pod this runs in, leads to. It is then closed at the end. */
  readonly client?: Client
  /** Of the operator; it should have one, and keep it. Default: after the first kind. */
  readonly name?: string
  /** The manager of what it writes. It must never change. Default: the name. */
  readonly fieldManager?: string
  /** Looks at this namespace alone. Default: all. */
  readonly namespace?: string
  /** Runs at the same time, of all kinds together. Default 16. */
  readonly concurrency?: number
  /** Between tries of a run that failed. Default 500 ms to 5 min. */
  readonly backoff?: { readonly min?: Duration; readonly max?: Duration }
  /** By `apiVersion/Kind`: keeps a part of the kind alone. What is read beyond it is asked of the server, and not watched. */
  readonly caches?: Readonly<Record<string, CacheSelection>>
  /** Whether definitions are installed. Default true; changes that break what is there have to be allowed. */
  readonly install?: boolean | { readonly allowBreaking?: boolean }
  /** Closes the operator when it ends. */
  readonly signal?: AbortSignal
  /** How long runs under way may take at the end before they are aborted. Default 10 s. */
  readonly shutdown?: Duration
  readonly clock?: Clock
  /** Between 0 and 1. Default Math.random. */
  readonly random?: () => number
  /** Default: warnings and errors as lines of JSON on stderr. */
  readonly log?: Log
}

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

/** What `run` takes: what `controller()` and the ways to define an operator make. */
export type Runnable = Controlled

type Arguments = readonly (Controlled | readonly Controlled[] | RunOptions)[]

/** `run(a, b)`, `run(a, b, { name: 'shop' })`, `run([a, b], { name: 'shop' })`. */
export function run(...args: Arguments): Running {
  const { controlled, options } = readArguments(args)
  const starting = new AbortController()
  let client: Client | undefined
  let operator: OperatorProcess | undefined
  let equipment: Equipment | undefined
  let opened = false
  const start = async (): Promise<OperatorProcess> => {
    client = options.client ?? (await (await import('@homeostat/client/node')).defaultClient())
    starting.signal.throwIfAborted()
    const given = processOptions(client, controlled, options)
    const unready = () => (opened ? undefined : 'definitions are not installed, or caches not complete')
    equipment = await equip(options, { ...given, unready })
    starting.signal.throwIfAborted()
    await installAll(client, controlled, options.install ?? true, starting.signal)
    operator = new OperatorProcess({ ...given, ...equipment })
    await operator.open(controlled, starting.signal)
    opened = true
    operator.start()
    return operator
  }
  const started = start()
  const ended = Promise.withResolvers<void>()
  let closing: Promise<void> | undefined
  const end = async () => {
    starting.abort(new Error('the operator was closed before it was ready'))
    options.signal?.removeEventListener('abort', close)
    await started.catch(() => {})
    await operator?.close()
    await equipment?.close()
    if (options.client === undefined) client?.close()
    ended.resolve()
  }
  const close = (): Promise<void> => {
    closing ??= end()
    return closing
  }
  started.catch((error: unknown) => {
    if (closing !== undefined) return
    const log = options.log ?? stderrLog
    log.error({ err: error }, 'the operator could not start')
    ended.reject(error)
    void close()
  })
  if (options.signal?.aborted) void close()
  else options.signal?.addEventListener('abort', close, { once: true })
  const ready = started.then(() => {})
  const cluster = started.then((process) => process.cluster)
  // Who does not wait for these has been told by the log.
  for (const promise of [ready, cluster, ended.promise]) promise.catch(() => {})
  return {
    ready,
    done: ended.promise,
    cluster,
    close,
    idle: async (signal) => whenIdle(await started, signal),
    queue: (ref, cause) => operator?.queue(ref, cause),
    why: (ref) => operator?.why(ref) ?? [],
    get runs() {
      return operator?.dispatcher.runs ?? 0
    },
    caches: () => operator?.cluster.caches.all ?? [],
    sizes: () => sizesOf(operator),
    [Symbol.asyncDispose]: close,
  }
}

function readArguments(args: Arguments): { controlled: readonly Controlled[]; options: RunOptions } {
  const controlled: Controlled[] = []
  let options: RunOptions = {}
  for (const [index, argument] of args.entries()) {
    if (Array.isArray(argument)) controlled.push(...(argument as readonly Controlled[]))
    else if (isControlled(argument)) controlled.push(argument)
    else if (index === args.length - 1) options = argument as RunOptions
    else throw new Error('run() takes definitions, and options in the last place')
  }
  if (controlled.length === 0) throw new Error('run() needs at least one definition')
  const kinds = new Set<string>()
  for (const { apiVersion, kind } of controlled) {
    const key = kindKey({ apiVersion, kind })
    if (kinds.has(key)) {
      throw new Error(
        `${apiVersion} ${kind} is controlled twice: one status has one manager; use a run() of its own name`,
      )
    }
    kinds.add(key)
  }
  return { controlled, options }
}

function isControlled(argument: Arguments[number]): argument is Controlled {
  return 'behave' in argument && typeof argument.behave === 'function'
}

function processOptions(client: Client, controlled: readonly Controlled[], options: RunOptions) {
  const { backoff = {}, namespace, caches } = options
  return {
    client,
    namespace,
    caches,
    fieldManager: options.fieldManager ?? options.name ?? defaultName(controlled),
    concurrency: options.concurrency ?? 16,
    backoff: { min: milliseconds(backoff.min ?? 500), max: milliseconds(backoff.max ?? '5m') },
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    log: options.log ?? stderrLog,
    shutdownMs: milliseconds(options.shutdown ?? '10s'),
  }
}

function defaultName([first]: readonly Controlled[]): string {
  const [group = '', kind = ''] = first === undefined ? [] : kindKey(first).split('/')
  return group === '' ? `${kind.toLowerCase()}-operator` : `${kind.toLowerCase()}-operator.${group}`
}

async function installAll(
  client: Client,
  controlled: readonly Controlled[],
  install: NonNullable<RunOptions['install']>,
  signal: AbortSignal,
): Promise<void> {
  const definitions = controlled.map(({ definition }) => definition).filter((one) => one !== undefined)
  if (install === false || definitions.length === 0) return
  const given = install === true ? { signal } : { ...install, signal }
  const { installDefinition } = await import('./definition/install-definition.ts')
  await Promise.all(definitions.map((definition) => installDefinition(client, definition, given)))
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
