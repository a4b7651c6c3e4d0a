// Hears an informer and holds what it was told, and what it was told that cannot be: a version twice or out of order, an
// addition of something known, a deletion of something unknown. Tests look at `problems`, since an error thrown by a
// handler would not be heard of.

import { messageOf } from '@homeostat/base'
import type { ApiObject, Informer, InformerEvent } from '@homeostat/client'
import { expect } from 'vitest'

export class Listener<T extends ApiObject> {
  readonly problems: string[] = []
  changes = 0
  readonly #objects = new Map<string, T>()
  readonly #latest = new Map<string, string | undefined>()

  constructor(informer: Informer<T>) {
    informer.subscribe((change) => {
      this.changes++
      try {
        this.#hear(change)
      } catch (error) {
        const { name, resourceVersion, uid } = change.object.metadata
        const text = messageOf(error)
        this.problems.push(`${change.type} ${name}@${resourceVersion} ${uid}: ${text}`)
      }
    })
    if (this.#objects.size !== informer.size) throw new Error('subscribing did not tell of what is there')
  }

  /** `name@version`, sorted. */
  state(): string[] {
    return stateOf([...this.#objects.values()])
  }

  #hear({ type, object, previous }: InformerEvent<T>): void {
    const { name = '', resourceVersion, uid } = object.metadata
    const known = this.#objects.get(name)
    expect(object.metadata.managedFields).toBeUndefined()
    expect(previous).toBe(known)
    if (type === 'added') expect(known).toBeUndefined()
    else expect(known?.metadata.uid).toBe(uid)
    if (type === 'deleted') {
      expect(isNewer(known?.metadata.resourceVersion, resourceVersion)).toBe(false)
      this.#objects.delete(name)
      return
    }
    const latest = this.#latest.get(name)
    if (latest !== undefined) expect(isNewer(resourceVersion, latest)).toBe(true)
    this.#latest.set(name, resourceVersion)
    this.#objects.set(name, object)
  }
}

export function stateOf(objects: readonly ApiObject[]): string[] {
  return objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort()
}

function isNewer(candidate = '', known = ''): boolean {
  return BigInt(candidate) > BigInt(known)
}
