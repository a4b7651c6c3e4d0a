// Objects by namespace and name. There is one map per namespace: a lookup builds no key, and listing a namespace visits
// no others. Cluster-scoped objects are under the empty namespace.

import type { ApiObject } from '../api/kinds.ts'

export class NamespacedMap<T extends ApiObject> {
  readonly #namespaces = new Map<string, Map<string, T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(namespace: string, name: string): T | undefined {
    return this.#namespaces.get(namespace)?.get(name)
  }

  set(namespace: string, name: string, object: T): void {
    let names = this.#namespaces.get(namespace)
    if (names === undefined) {
      names = new Map()
      this.#namespaces.set(namespace, names)
    }
    const before = names.size
    names.set(name, object)
    this.#size += names.size - before
  }

  delete(namespace: string, name: string): void {
    const names = this.#namespaces.get(namespace)
    if (names?.delete(name) !== true) return
    this.#size--
    if (names.size === 0) this.#namespaces.delete(namespace)
  }

  /** All namespaces by default. */
  values(namespace?: string): T[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])]
    const all: T[] = []
    for (const names of this.#namespaces.values()) for (const object of names.values()) all.push(object)
    return all
  }
}
