// The kinds that a server serves, found by the words that people use for them. The verbs about any object call it.

import type { Client, ResourceInfo } from '@homeostat/client'
import { formatGroupVersion } from '@homeostat/meta'
import { Fault } from '../fault.ts'
import type { Place } from './paths.ts'

export interface ServedKind extends ResourceInfo, Place {}

export class ServedKinds {
  readonly #kinds: readonly ServedKind[]

  constructor(kinds: readonly ResourceInfo[]) {
    this.#kinds = kinds.map(servedKind)
  }

  static async read(client: Client, signal?: AbortSignal): Promise<ServedKinds> {
    return new ServedKinds(await client.resources(signal))
  }

  get all(): readonly ServedKind[] {
    return this.#kinds
  }

  /** The kinds of words such as `pods`, `deploy`, `lamps.example.org`, `a,b` or `all`. Throws a Fault as kubectl words it. */
  named(words: string): ServedKind[] {
    return words.split(',').flatMap((word) => {
      const inCategory = this.#kinds.filter((kind) => kind.categories.includes(word) && kind.verbs.includes('list'))
      return inCategory.length > 0 ? onePerResource(inCategory) : [this.one(word)]
    })
  }

  one(word: string): ServedKind {
    const lower = word.toLowerCase()
    const isCalled = (kind: ServedKind, names: readonly string[]) =>
      names.some((name) => forms(kind, name).includes(lower))
    const found =
      this.#kinds.find((kind) => isCalled(kind, [kind.plural, kind.singular, kind.kind.toLowerCase()])) ??
      this.#kinds.find((kind) => isCalled(kind, kind.shortNames))
    if (found === undefined) throw new Fault(`the server doesn't have a resource type "${word}"`)
    return found
  }

  of(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#kinds.find((served) => served.kind === kind && formatGroupVersion(served) === apiVersion)
  }
}

export function servedKind(info: ResourceInfo): ServedKind {
  return { ...info, plural: info.resource }
}

/** `deployment.apps`, as kubectl begins a line about an object. */
export function typeName({ kind, group }: { readonly kind: string; readonly group: string }): string {
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`
}

/** A name alone, with its group, and with its version and group. */
function forms({ group, version }: ServedKind, name: string): string[] {
  return [name, `${name}.${group}`, `${name}.${version}.${group}`]
}

/** Of a resource in several versions the preferred one. */
function onePerResource(kinds: readonly ServedKind[]): ServedKind[] {
  const isSame = (a: ServedKind, b: ServedKind) => a.group === b.group && a.plural === b.plural
  return kinds.filter((kind, at) => kinds.findIndex((other) => isSame(kind, other)) === at)
}
