// The objects of an informer and their indexes, kept consistent. It stores what it is given; local-cache.ts decides
// whether a state is new.

import type { ApiObject } from '../api/kinds.ts'
import { NamespacedMap } from './namespaced-map.ts'

interface Index<T> {
  readonly valuesOf: (object: T) => readonly string[]
  readonly objects: Map<string, Set<T>>
}

export class ObjectCache<T extends ApiObject> {
  readonly #objects = new NamespacedMap<T>()
  readonly #indexes = new Map<string, Index<T>>()
  readonly #onError: (error: Error) => void

  /** `onError` is called when an index function throws; the object is then missing from that index. */
  constructor(onError: (error: Error) => void) {
    this.#onError = onError
  }

  get size(): number {
    return this.#objects.size
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(namespace, name)
  }

  values(namespace?: string): T[] {
    return this.#objects.values(namespace)
  }

  put(object: T, previous: T | undefined): void {
    const { namespace = '', name = '' } = object.metadata
    this.#objects.set(namespace, name, object)
    for (const index of this.#indexes.values()) {
      if (previous !== undefined) this.#unlist(index, previous)
      this.#enlist(index, object)
    }
  }

  delete(object: T): void {
    const { namespace = '', name = '' } = object.metadata
    this.#objects.delete(namespace, name)
    for (const index of this.#indexes.values()) this.#unlist(index, object)
  }

  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void {
    if (this.#indexes.has(name)) return
    const index = { valuesOf, objects: new Map<string, Set<T>>() }
    this.#indexes.set(name, index)
    for (const object of this.values()) this.#enlist(index, object)
  }

  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name)
    if (index === undefined) throw new Error(`There is no index "${name}": add it with addIndex before it is asked.`)
    return [...(index.objects.get(value) ?? [])]
  }

  #enlist(index: Index<T>, object: T): void {
    for (const value of this.#valuesOf(index, object)) {
      const listed = index.objects.get(value)
      if (listed === undefined) index.objects.set(value, new Set([object]))
      else listed.add(object)
    }
  }

  #unlist(index: Index<T>, object: T): void {
    for (const value of this.#valuesOf(index, object)) {
      const listed = index.objects.get(value)
      if (listed?.delete(object) === true && listed.size === 0) index.objects.delete(value)
    }
  }

  #valuesOf(index: Index<T>, object: T): readonly string[] {
    try {
      return index.valuesOf(object)
    } catch (error) {
      this.#onError(new Error('An index function threw; its object is not in that index.', { cause: error }))
      return []
    }
  }
}
