// Which namespaces an operator serves: all, those of a list, or those with labels, which come and go while it runs. Caches
// ask it what to watch, and the dispatcher which reconciles to abort. Cluster-scoped objects are always served.

import type { ApiObject, Informer, InformerEvent, Informers } from '@homeostat/client'

/** Names, or a label selector of Namespaces such as `team=x,!archived`. */
export type NamespaceSelection = readonly string[] | { readonly labels: string }

export class NamespaceScope {
  /** Undefined: all. */
  readonly selection: NamespaceSelection | undefined
  readonly #served = new Map<string, AbortController>()
  readonly #listeners = new Set<() => void>()
  #namespaces: Informer<ApiObject> | undefined

  constructor(selection?: NamespaceSelection) {
    this.selection = selection
    if (isList(selection)) for (const name of selection) this.#served.set(name, new AbortController())
  }

  /** The namespaces that are served now; undefined: all. */
  get names(): readonly string[] | undefined {
    return this.selection && [...this.#served.keys()]
  }

  /** The only namespace, for an operator that serves one and will never serve another. */
  get only(): string | undefined {
    return isList(this.selection) && this.selection.length === 1 ? this.selection[0] : undefined
  }

  serves(namespace: string | undefined): boolean {
    return this.selection === undefined || namespace === undefined || this.#served.has(namespace)
  }

  /** Aborts when the namespace is no longer served. Undefined when that cannot happen. */
  signal(namespace: string | undefined): AbortSignal | undefined {
    return namespace === undefined || isList(this.selection) ? undefined : this.#served.get(namespace)?.signal
  }

  /** Calls back when a namespace is added or leaves. */
  subscribe(onChange: () => void): () => void {
    this.#listeners.add(onChange)
    return () => this.#listeners.delete(onChange)
  }

  /** Begins to follow the labels of Namespaces, and resolves when the first are known. A list needs no such thing. */
  async follow(informers: Informers, signal: AbortSignal): Promise<void> {
    if (this.selection === undefined || isList(this.selection)) return
    const select = { labelSelector: this.selection.labels, metadataOnly: true }
    this.#namespaces = informers.open('v1', 'Namespace', select)
    this.#namespaces.subscribe((change) => this.#changed(change))
    await this.#namespaces.whenSynced(signal)
  }

  #changed({ type, object }: InformerEvent<ApiObject>): void {
    const { name = '' } = object.metadata
    if (type === 'updated') return
    const served = this.#served.get(name)
    if (type === 'added' && served === undefined) this.#served.set(name, new AbortController())
    if (type === 'deleted') {
      this.#served.delete(name)
      served?.abort(new Error(`the namespace ${name} is no longer served: it was deleted, or its labels changed`))
    }
    for (const listener of [...this.#listeners]) listener()
  }
}

function isList(selection: NamespaceSelection | undefined): selection is readonly string[] {
  return Array.isArray(selection)
}
