// Dispatches changes of single objects to their listeners: one subscription per kind, then a lookup by name, so that
// the cost of an event does not grow with the number of handles. Resources call it.

import type { ApiObject, InformerEvent } from '@homeostat/client'
import type { Cluster } from '../runtime/cluster.ts'
import { nameOf, objectKey } from '../runtime/object-key.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'
import { outOfScope } from './scope.ts'

type OnChange = (change: InformerEvent<ApiObject>) => void

interface KindListeners {
  readonly byName: Map<string, Set<OnChange>>
  readonly unsubscribe: () => void
}

export class ResourceChanges {
  readonly #cluster: Cluster
  readonly #kinds = new Map<string, KindListeners>()

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** Number of objects with listeners. */
  get size(): number {
    let size = 0
    for (const kind of this.#kinds.values()) size += kind.byName.size
    return size
  }

  /** Calls the listener with every change after this call. The returned function stops it and may be called twice. */
  listen(ref: ObjectRef, onChange: OnChange): () => void {
    const key = `${ref.apiVersion} ${ref.kind}`
    const kind = this.#kinds.get(key) ?? this.#open(key, ref)
    const name = objectKey(ref.kind, ref)
    const listeners = kind.byName.get(name) ?? new Set()
    kind.byName.set(name, listeners.add(onChange))
    return () => {
      if (!listeners.delete(onChange) || listeners.size > 0) return
      kind.byName.delete(name)
      if (kind.byName.size > 0) return
      kind.unsubscribe()
      this.#kinds.delete(key)
    }
  }

  #open(key: string, ref: ObjectRef): KindListeners {
    const byName = new Map<string, Set<OnChange>>()
    const notify = (change: InformerEvent<ApiObject>) => {
      for (const onChange of [...(byName.get(objectKey(ref.kind, nameOf(change.object))) ?? [])]) onChange(change)
    }
    // Subscribing replays the existing objects, which nobody can have listened for yet.
    const unsubscribe = outOfScope(() => this.#cluster.informer(ref.apiVersion, ref.kind).subscribe(notify))
    const kind = { byName, unsubscribe }
    this.#kinds.set(key, kind)
    return kind
  }
}
