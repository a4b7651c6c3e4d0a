// Opens informers and shares those of an equal selection, so that two parts of a program fetch and hold the same
// objects once.

import { systemClock } from '@homeostat/base'
import { milliseconds } from '@homeostat/meta'
import type { Client, ObjectName } from '../api/client.ts'
import type { ApiObject } from '../api/kinds.ts'
import type { Informer, InformerEvent, Informers, InformersOptions, Selection } from './informer.ts'
import { SharedInformer } from './shared-informer.ts'

interface Shared {
  readonly informer: SharedInformer
  holders: number
}

export function createInformers(client: Client, options: InformersOptions = {}): Informers {
  const { keep, silenceLimit = '70s', backoff = {}, clock = systemClock } = options
  const { random = Math.random, onTrouble, onRecovered } = options
  const all = new Map<string, Shared>()
  const server = { refusesStreams: false }
  let closed = false

  const share = (apiVersion: string, kind: string, selection: Selection): [Shared, () => void] => {
    const key = JSON.stringify([apiVersion, kind, selection])
    let shared = all.get(key)
    if (shared === undefined) {
      const informer = new SharedInformer({
        client,
        apiVersion,
        kind,
        selection,
        keep,
        silenceLimitMs: milliseconds(silenceLimit),
        backoff: { min: milliseconds(backoff.min ?? '500ms'), max: milliseconds(backoff.max ?? '30s') },
        clock,
        random,
        onTrouble: (error) => onTrouble?.(error, { apiVersion, kind, selection }),
        onRecovered: () => onRecovered?.({ apiVersion, kind, selection }),
        server,
      })
      shared = { informer, holders: 0 }
      all.set(key, shared)
      informer.start()
    }
    const held = shared
    held.holders++
    return [
      held,
      () => {
        held.holders--
        if (held.holders > 0) return
        if (all.get(key) === held) all.delete(key)
        held.informer.close()
      },
    ]
  }

  return {
    open<T extends ApiObject>(apiVersion: string, kind: string, selection: Selection = {}): Informer<T> {
      if (closed) throw new Error(`The informers are closed; ${kind} cannot be opened.`)
      const wanted = normalize(selection)
      const [{ informer }, release] = share(apiVersion, kind, wanted)
      return new Holder<T>(apiVersion, kind, wanted, informer, release)
    },
    get size() {
      return all.size
    },
    close() {
      closed = true
      for (const { informer } of all.values()) informer.close()
      all.clear()
    },
  }
}

/** Normalizes a selection, so that equal ones have the same key. */
function normalize({ namespace, labelSelector, fieldSelector, metadataOnly }: Selection): Selection {
  return {
    namespace: namespace === '' ? undefined : namespace,
    labelSelector: labelSelector === '' ? undefined : labelSelector,
    fieldSelector: fieldSelector === '' ? undefined : fieldSelector,
    metadataOnly: metadataOnly === true ? true : undefined,
  }
}

/**
 * One holder's share of an informer. Closing it ends the holder's subscriptions and waits, not the informer of others.
 */
class Holder<T extends ApiObject> implements Informer<T> {
  readonly apiVersion: string
  readonly kind: string
  readonly selection: Selection
  readonly #informer: SharedInformer
  readonly #release: () => void
  readonly #endings = new Set<(error: Error) => void>()
  #closed = false

  constructor(apiVersion: string, kind: string, selection: Selection, informer: SharedInformer, release: () => void) {
    this.apiVersion = apiVersion
    this.kind = kind
    this.selection = selection
    this.#informer = informer
    this.#release = release
  }

  get synced(): boolean {
    return this.#informer.synced
  }

  get revision(): string {
    return this.#informer.revision
  }

  get trouble(): Error | undefined {
    return this.#informer.trouble
  }

  get size(): number {
    return this.#informer.cache.size
  }

  async whenSynced(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#closed || this.#informer.closed) throw new Error(`The informer of ${this.kind} was closed.`)
    if (this.#informer.synced) return
    await new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => {
        this.#endings.delete(end)
        cancel()
        signal?.removeEventListener('abort', onAbort)
        if (error === undefined) resolve()
        else reject(error)
      }
      const onAbort = () => end(signal?.reason as Error)
      const cancel = this.#informer.onSynced(end)
      this.#endings.add(end)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  get({ namespace = '', name }: ObjectName): T | undefined {
    return this.#informer.cache.get(namespace, name) as T | undefined
  }

  list(namespace?: string): T[] {
    return this.#informer.cache.values(namespace) as T[]
  }

  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void {
    this.#informer.cache.addIndex(name, valuesOf as (object: ApiObject) => readonly string[])
  }

  byIndex(name: string, value: string): T[] {
    return this.#informer.cache.byIndex(name, value) as T[]
  }

  subscribe(onChange: (change: InformerEvent<T>) => void): () => void {
    if (this.#closed) return () => undefined
    const unsubscribe = this.#informer.subscribe(onChange as (change: InformerEvent<ApiObject>) => void)
    const end = () => {
      this.#endings.delete(end)
      unsubscribe()
    }
    this.#endings.add(end)
    return end
  }

  wrote(object: T): void {
    this.#informer.wrote(object)
  }

  removed(name: ObjectName, resourceVersion: string): void {
    this.#informer.removed(name, resourceVersion)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    const error = new Error(`The informer of ${this.kind} was closed.`)
    for (const end of [...this.#endings]) end(error)
    this.#release()
  }
}
