// The informers of an operator: one per kind, opened on first use, restricted to the operator's namespaces and narrowed by
// the `caches` option, and one for each controller with a selection. It knows which reads such a cache cannot answer.

import type { Clock } from '@homeostat/base'
import type { ApiObject, Client, Informer, InformerEvent, Informers, ObjectName, Selection } from '@homeostat/client'
import { parseLabelSelector } from '@homeostat/meta'
import { isRefusal } from './cache-refusal.ts'
import type { NamespaceScope } from './namespace-scope.ts'
import { NamespacesInformer } from './namespaces-informer.ts'
import { type KindRef, kindKey } from './object-key.ts'

export interface CacheSelection {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

interface CachesOptions {
  readonly client: Client
  readonly informers: Informers
  readonly scope: NamespaceScope
  readonly clock: Clock
  readonly random: () => number
  /** By `apiVersion/Kind`. */
  readonly narrowed?: Readonly<Record<string, CacheSelection>> | undefined
  onChange(kind: string, change: InformerEvent<ApiObject>): void
  /** Called when the informer of a kind is synced. */
  onSynced(kind: string): void
  /** Called when it is not known yet where a kind is served. */
  onTrouble(error: Error, kind: KindRef): void
}

type AnyInformer = Informer<ApiObject>

export class Caches {
  readonly #options: CachesOptions
  readonly #main = new Map<string, AnyInformer>()
  readonly #selected = new Map<string, Set<AnyInformer>>()
  readonly #ending = new AbortController()
  readonly #waiting = new Map<string, Set<(refused: Error) => void>>()

  constructor(options: CachesOptions) {
    this.#options = options
  }

  get all(): readonly AnyInformer[] {
    return [...this.#main.values(), ...[...this.#selected.values()].flatMap((some) => [...some])]
  }

  /** The informer that reads of the kind use. */
  main(ref: KindRef): AnyInformer {
    const id = `${ref.apiVersion}/${ref.kind}`
    const known = this.#main.get(id)
    if (known !== undefined) return known
    const informer = this.#open(ref, {})
    this.#main.set(id, informer)
    const kind = kindKey(ref)
    informer.subscribe((change) => this.#options.onChange(kind, change))
    informer.whenSynced(this.#ending.signal).then(
      () => this.#options.onSynced(kind),
      () => {},
    )
    return informer
  }

  /** Like the informer's `whenSynced`, but rejects when the server forbids the kind. */
  async whenSynced(informer: AnyInformer, signal?: AbortSignal): Promise<void> {
    if (informer.synced) return
    if (isRefusal(informer.trouble)) throw informer.trouble
    const id = `${informer.apiVersion}/${informer.kind}`
    const waiting = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, waiting)
    const refused = Promise.withResolvers<never>()
    waiting.add(refused.reject)
    try {
      await Promise.race([informer.whenSynced(signal), refused.promise])
    } finally {
      waiting.delete(refused.reject)
      if (waiting.size === 0) this.#waiting.delete(id)
    }
  }

  /** An informer reports an error. */
  troubled({ apiVersion, kind }: KindRef, namespace: string | undefined, error: Error): void {
    if (!isRefusal(error)) return
    const id = `${apiVersion}/${kind}`
    for (const informer of [this.#main.get(id), ...(this.#selected.get(id) ?? [])]) {
      if (informer instanceof NamespacesInformer) informer.refused(namespace)
    }
    const main = this.#main.get(id)
    if (main instanceof NamespacesInformer && main.trouble === undefined) return
    for (const reject of [...(this.#waiting.get(id) ?? [])]) reject(error)
  }

  /** An informer of a selection, for a controller that handles no other objects. */
  selected(ref: KindRef, select: Selection): AnyInformer {
    const id = `${ref.apiVersion}/${ref.kind}`
    const informer = this.#open(ref, select)
    const known = this.#selected.get(id)
    if (known === undefined) this.#selected.set(id, new Set([informer]))
    else known.add(informer)
    return informer
  }

  /** Whether an object may exist although it is not in the cache of its kind. */
  mayMiss(informer: AnyInformer, { namespace }: ObjectName): boolean {
    const { selection } = informer
    if (selection.labelSelector !== undefined || selection.fieldSelector !== undefined) return true
    if (informer instanceof NamespacesInformer) return !informer.covers(namespace)
    return isElsewhere(selection, namespace)
  }

  /** Whether the cache will hold the object once it is complete: that of a namespace that was added is being filled. */
  isFilling(informer: AnyInformer, namespace: string | undefined): boolean {
    const { labelSelector, fieldSelector } = informer.selection
    if (labelSelector !== undefined || fieldSelector !== undefined) return false
    return informer instanceof NamespacesInformer && !informer.covers(namespace)
  }

  /** Whether a list from the cache may be incomplete. */
  mayMissSome(
    informer: AnyInformer,
    namespace: string | undefined,
    labels: Readonly<Record<string, string>> = {},
  ): boolean {
    const { selection } = informer
    if (selection.fieldSelector !== undefined) return true
    // For an operator of some namespaces, all namespaces means those.
    const { names, only } = this.#options.scope
    if (informer instanceof NamespacesInformer) {
      const places = namespace === undefined ? names : [namespace]
      if (places?.some((place) => !informer.covers(place))) return true
    }
    const wanted = namespace ?? only
    if (selection.namespace !== undefined && selection.namespace !== wanted) return true
    if (selection.labelSelector === undefined) return false
    return !impliesSelector(labels, selection.labelSelector)
  }

  /** The object from any open cache. */
  find(ref: KindRef & ObjectName): ApiObject | undefined {
    const id = `${ref.apiVersion}/${ref.kind}`
    const known = this.#main.get(id)?.get(ref)
    if (known !== undefined) return known
    for (const informer of this.#selected.get(id) ?? []) {
      const found = informer.get(ref)
      if (found !== undefined) return found
    }
    return undefined
  }

  wrote(object: ApiObject): void {
    const id = `${object.apiVersion}/${object.kind}`
    this.#main.get(id)?.wrote(object)
    for (const informer of this.#selected.get(id) ?? []) informer.wrote(object)
  }

  removed(ref: KindRef & ObjectName, resourceVersion: string): void {
    const id = `${ref.apiVersion}/${ref.kind}`
    this.#main.get(id)?.removed(ref, resourceVersion)
    for (const informer of this.#selected.get(id) ?? []) informer.removed(ref, resourceVersion)
  }

  close(): void {
    this.#ending.abort()
    for (const informer of this.all) informer.close()
  }

  #open(ref: KindRef, select: Selection): AnyInformer {
    const { apiVersion, kind } = ref
    const { informers, scope, narrowed, onTrouble } = this.#options
    const own = { ...narrowed?.[`${apiVersion}/${kind}`], ...select }
    if (scope.selection === undefined || own.namespace !== undefined) return informers.open(apiVersion, kind, own)
    if (scope.only !== undefined) return informers.open(apiVersion, kind, { namespace: scope.only, ...own })
    return new NamespacesInformer(ref, own, { ...this.#options, onTrouble: (error) => onTrouble(error, ref) })
  }
}

function isElsewhere(selection: Selection, namespace: string | undefined): boolean {
  return selection.namespace !== undefined && namespace !== undefined && namespace !== selection.namespace
}

/** Whether the selector matches every object with these labels. Labels that are not named may have any value. */
function impliesSelector(labels: Readonly<Record<string, string>>, selector: string): boolean {
  const parsed = parseLabelSelector(selector)
  return parsed.matches(labels) && parsed.requirements.every(({ key }) => labels[key] !== undefined)
}
