// All kinds that the server serves. Asked again when definitions change.

import { client } from '../connection/client.ts'
import { Shown } from '../live/shown.ts'
import type { Kind } from './kind.ts'

export class ServedKinds {
  /** One version of each: the one that the server prefers. */
  readonly all: readonly Kind[]
  readonly #byPath = new Map<string, Kind>()
  readonly #byKind = new Map<string, Kind>()

  constructor(served: readonly Kind[]) {
    for (const kind of served) {
      if (!kind.verbs.includes('list')) continue
      this.#byPath.set(`${kind.group}/${kind.version}/${kind.resource}`, kind)
      const name = `${kind.group}/${kind.kind}`
      if (!this.#byKind.has(name)) this.#byKind.set(name, kind)
    }
    this.all = [...this.#byKind.values()]
  }

  find(group: string, version: string, resource: string): Kind | undefined {
    return this.#byPath.get(`${group}/${version}/${resource}`)
  }

  /** By apiVersion and kind, as an owner reference or an event names it; another version of the kind will do. */
  named(apiVersion: string, kind: string): Kind | undefined {
    const slash = apiVersion.lastIndexOf('/')
    return this.#byKind.get(`${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kind}`)
  }

  has(group: string, resource: string): boolean {
    return this.all.some((kind) => kind.group === group && kind.resource === resource)
  }
}

export const servedKinds = new Shown<ServedKinds | undefined>(undefined)

/** Rejects with the failure of the first request that fails. */
export async function loadKinds(): Promise<ServedKinds> {
  const found = new ServedKinds(await client.resources())
  servedKinds.set(found)
  return found
}
