// All kinds that the server serves. `follow-kinds.ts` asks again when definitions change.

import { deepEqual } from '@homeostat/meta'
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

/** Asks the server. Rejects with the failure of the first request that fails. A kind that is as before stays the same object. */
export async function loadKinds(): Promise<ServedKinds> {
  const before = servedKinds.value
  const served = (await client.resources()).map((kind) => {
    const known = before?.find(kind.group, kind.version, kind.resource)
    return known !== undefined && deepEqual(known, kind) ? known : kind
  })
  const found = new ServedKinds(served)
  servedKinds.set(found)
  return found
}
