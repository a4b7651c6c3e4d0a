// The informer of one selection, shared by its holders. It reconnects until it is closed: no error of the server, the
// network or a handler ends it.

import { Backoff, type Clock } from '@homeostat/base'
import type { Client, ObjectName, ResourceInfo } from '../api/client.ts'
import type { ApiObject } from '../api/kinds.ts'
import { Announcer, type OnChange } from './announcer.ts'
import { ConnectionGuard } from './connection-guard.ts'
import type { Selection } from './informer.ts'
import type { Keep } from './kept-object.ts'
import { safeKeep, withoutManagedFields } from './kept-object.ts'
import { LocalCache } from './local-cache.ts'
import { afterEnd, NotServedError, type Start } from './recovery.ts'
import { Reflector } from './reflector.ts'
import { type Match, selectionMatch } from './selection-match.ts'

export interface SharedInformerOptions {
  readonly client: Client
  readonly apiVersion: string
  readonly kind: string
  readonly selection: Selection
  /** Default: drops managed fields. */
  readonly keep: Keep | undefined
  readonly silenceLimitMs: number
  readonly backoff: { readonly min: number; readonly max: number }
  readonly clock: Clock
  readonly random: () => number
  readonly onTrouble: (error: Error) => void
  readonly onRecovered: () => void
  /** What the client's informers have learned about the server. */
  readonly server: { refusesStreams: boolean }
}

/**
 * The limit of silence during initial events. It is short, since a server that ignores `sendInitialEvents` goes silent
 * after them.
 */
const INITIAL_SILENCE_MS = 10_000
/** A connection that lasted this long resets the backoff. */
const GOOD_MS = 10_000
/** Servers and proxies commonly end connections after 300 seconds. */
const LONGEST_WATCH_S = 295
const SHORTEST_WATCH_S = 260
/** After this many failures a list is requested without pages: pages may expire faster than they are read. */
const UNPAGED_AFTER = 3

export class SharedInformer {
  readonly #options: SharedInformerOptions
  readonly #localCache: LocalCache
  readonly #announcer: Announcer
  /** Connections without a response and those that ended before an event are counted separately. */
  readonly #backoff: Backoff<'unanswered' | 'short'>
  readonly #match: (object: ApiObject) => Match
  readonly #onSynced = new Set<(error?: Error) => void>()
  #connection: AbortController | undefined
  #endPause: (() => void) | undefined
  #info: ResourceInfo | undefined
  #listNext = false
  #mustList = true
  #synced = false
  #closed = false
  #trouble: Error | undefined

  constructor(options: SharedInformerOptions) {
    this.#options = options
    this.#backoff = new Backoff({ ...options.backoff, jitter: 0.5, random: options.random })
    this.#match = selectionMatch(options.selection)
    const onError = (error: Error) => this.#report(error)
    this.#announcer = new Announcer(onError)
    this.#localCache = new LocalCache(
      safeKeep(options.keep ?? withoutManagedFields, onError),
      (change) => this.#announcer.add(change),
      onError,
    )
  }

  get synced(): boolean {
    return this.#synced
  }

  get closed(): boolean {
    return this.#closed
  }

  get revision(): string {
    return this.#localCache.revision
  }

  get trouble(): Error | undefined {
    return this.#trouble
  }

  get cache(): LocalCache['cache'] {
    return this.#localCache.cache
  }

  start(): void {
    void this.#run()
  }

  subscribe(onChange: OnChange): () => void {
    return this.#announcer.subscribe(onChange, this.cache.values())
  }

  /**
   * Calls back once: after the first list, or with an error when the informer closes before. The returned function
   * cancels it.
   */
  onSynced(callback: (error?: Error) => void): () => void {
    this.#onSynced.add(callback)
    return () => this.#onSynced.delete(callback)
  }

  wrote(object: ApiObject): void {
    if (this.#closed) return
    const { namespace, name = '', resourceVersion = '' } = object.metadata
    // Cluster-scoped objects have no namespace; the selection's namespace does not exclude them.
    const { namespace: own = namespace } = this.#options.selection
    if (namespace !== own && namespace !== undefined) return
    const match = this.#match(object)
    if (match === 'no') this.#localCache.removed({ namespace, name }, resourceVersion)
    // If the match is unknown, the watch may never report the object and a new entry would stay forever: only update an
    // existing one.
    else if (match === 'yes' || this.cache.get(namespace ?? '', name) !== undefined) this.#localCache.wrote(object)
    this.#announcer.flush()
  }

  removed(name: ObjectName, resourceVersion: string): void {
    if (this.#closed) return
    this.#localCache.removed(name, resourceVersion)
    this.#announcer.flush()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    const error = new Error(`The informer of ${this.#options.kind} was closed.`)
    this.#connection?.abort(error)
    this.#endPause?.()
    this.#announcer.close()
    this.#localCache.clear()
    for (const callback of [...this.#onSynced]) callback(error)
    this.#onSynced.clear()
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const pauseMs = await this.#connect()
      if (pauseMs > 0 && !this.#closed) await this.#pause(pauseMs)
    }
  }

  /** Runs one connection to its end and returns how long to wait before the next. */
  async #connect(): Promise<number> {
    const { clock, silenceLimitMs } = this.#options
    const startedAt = clock.now()
    const start = this.#start()
    const connection = new AbortController()
    this.#connection = connection
    const guard = new ConnectionGuard(clock, silenceLimitMs, (error) => connection.abort(error))
    let reflector: Reflector | undefined
    let error: Error | undefined
    try {
      this.#info ??= await this.#locate(connection.signal)
      if (start === 'stream') guard.allow(Math.min(INITIAL_SILENCE_MS, silenceLimitMs))
      reflector = this.#reflector(this.#info, connection.signal, guard)
      await reflector.run(start)
    } catch (thrown) {
      error = asError(connection.signal.aborted ? connection.signal.reason : thrown)
      connection.abort(error)
    } finally {
      guard.close()
      this.#connection = undefined
    }
    return this.#closed ? 0 : this.#goOn(start, reflector, clock.now() - startedAt, error)
  }

  #goOn(start: Start, reflector: Reflector | undefined, lastedMs: number, error: Error | undefined): number {
    const { listed = false, progressed = false, answered = false } = reflector ?? {}
    if (answered) this.#backoff.forget('unanswered')
    if (progressed || (answered && lastedMs > GOOD_MS)) this.#backoff.forget('short')
    const kind = answered ? 'short' : 'unanswered'
    const failures = this.#backoff.failures(kind)
    const next = afterEnd({ start, listed, answered, progressed, lastedMs, error, failures })
    this.#mustList = next.from === 'anew'
    if (!listed) this.#listNext = start === 'stream'
    if (next.refusesStreams) this.#options.server.refusesStreams = true
    if (next.vanished) this.#vanish()
    if (next.trouble !== undefined) {
      this.#trouble = next.trouble
      this.#report(next.trouble)
    }
    if (next.wait === 'none') return 0
    return Math.max(next.atLeastMs, Math.min(next.atMostMs, this.#backoff.next(kind)))
  }

  #start(): Start {
    if (!this.#mustList && this.#localCache.revision !== '') return 'resume'
    return this.#listNext || this.#options.server.refusesStreams ? 'list' : 'stream'
  }

  async #locate(signal: AbortSignal): Promise<ResourceInfo> {
    const { client, apiVersion, kind } = this.#options
    const info = await client.discover(apiVersion, kind, signal)
    if (info === undefined) {
      throw new NotServedError(`The server does not serve ${kind} of ${apiVersion}. If it is a custom kind, create it.`)
    }
    return info
  }

  #reflector(info: ResourceInfo, signal: AbortSignal, guard: ConnectionGuard): Reflector {
    const { client, apiVersion, kind, selection, silenceLimitMs, random } = this.#options
    const timeoutSeconds = Math.floor(SHORTEST_WATCH_S + random() * (LONGEST_WATCH_S - SHORTEST_WATCH_S))
    return new Reflector({
      client,
      localCache: this.#localCache,
      apiVersion,
      kind,
      selection,
      info,
      timeoutSeconds,
      withoutManagedFields: this.#options.keep === undefined,
      paged: this.#backoff.failures('unanswered') < UNPAGED_AFTER,
      signal,
      onHeard: () => guard.heard(),
      onListed: (revision) => {
        guard.allow(silenceLimitMs)
        this.#listed(revision)
      },
      onWatching: () => {
        guard.endAfter(timeoutSeconds * 1000 + silenceLimitMs)
        this.#recover()
      },
      onChanges: () => this.#announcer.flush(),
      onLeftOut: (error) => this.#report(error),
    })
  }

  #listed(revision: string): void {
    this.#localCache.swap(revision, !this.#synced)
    this.#synced = true
    this.#mustList = false
    this.#listNext = false
    this.#recover()
    this.#announcer.flush()
    for (const callback of [...this.#onSynced]) callback()
    this.#onSynced.clear()
  }

  #vanish(): void {
    this.#info = undefined
    this.#localCache.clear()
    this.#announcer.flush()
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.setTimer(ms, resolve)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  #recover(): void {
    if (this.#trouble === undefined) return
    this.#trouble = undefined
    this.#tell(() => this.#options.onRecovered())
  }

  #report(error: Error): void {
    this.#tell(() => this.#options.onTrouble(error))
  }

  #tell(tell: () => void): void {
    try {
      tell()
    } catch {
      // An error in a listener of errors is dropped, since reporting it would call the listener again.
    }
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
