// Tells clients which groups, versions and resources exist: the bodies of /api, /apis, /apis/GROUP and of each
// version. The HTTP layer sends them as they are. Everything is derived from the table of types and kept,
// encoded, until the table changes; nothing here can fail for one group and spoil the others.

import { compareVersions, formatGroupVersion } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { apiResources } from './api-resource.ts'
import { compareGroups } from './group-order.ts'

interface Group {
  readonly name: string
  readonly versions: { readonly groupVersion: string; readonly version: string }[]
  readonly preferredVersion: { readonly groupVersion: string; readonly version: string } | undefined
}

export class Discovery {
  readonly #types: ResourceTypes
  readonly #encoded = new Map<string, Buffer>()
  #generation = -1

  constructor(types: ResourceTypes) {
    this.#types = types
  }

  /** The body of /api. `host` is the address clients reach the server at, as host:port. */
  apiVersions(host: string): Buffer {
    return encode({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
    })
  }

  /** The body of /apis. */
  groupList(): Buffer {
    return this.#remember('apis', () => encode({ kind: 'APIGroupList', apiVersion: 'v1', groups: this.#groups() }))
  }

  /** The body of /apis/GROUP; undefined when nothing of the group is served. */
  group(name: string): Buffer | undefined {
    return this.#remember(`apis/${name}`, () => {
      const group = this.#groups().find((candidate) => candidate.name === name)
      return group && encode({ kind: 'APIGroup', apiVersion: 'v1', ...group })
    })
  }

  /** The body of /api/v1 (the group is then empty) or /apis/GROUP/VERSION; undefined when nothing of it is served. */
  resourceList(group: string, version: string): Buffer | undefined {
    return this.#remember(`${group}/${version}`, () => {
      const types = this.#types.all().filter((type) => type.group === group && type.version === version)
      if (types.length === 0) return undefined
      return encode({
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: formatGroupVersion({ group, version }),
        resources: types.sort(byResource).flatMap(apiResources),
      })
    })
  }

  #groups(): Group[] {
    const versions = new Map<string, Set<string>>()
    for (const { group, version } of this.#types.all()) {
      if (group === '') continue
      const known = versions.get(group)
      if (known) known.add(version)
      else versions.set(group, new Set([version]))
    }
    return [...versions.keys()].sort(compareGroups).map((name) => {
      const sorted = [...(versions.get(name) ?? [])].sort(compareVersions)
      const entries = sorted.map((version) => ({ groupVersion: `${name}/${version}`, version }))
      return { name, versions: entries, preferredVersion: entries[0] }
    })
  }

  #remember<T extends Buffer | undefined>(key: string, build: () => T): T {
    if (this.#generation !== this.#types.generation) {
      this.#encoded.clear()
      this.#generation = this.#types.generation
    }
    const known = this.#encoded.get(key)
    if (known) return known as T
    const built = build()
    // What is absent is not kept: its names come from requests and would fill the map.
    if (built) this.#encoded.set(key, built)
    return built
  }
}

function byResource(a: ResourceType, b: ResourceType): number {
  return a.resource < b.resource ? -1 : 1
}

function encode(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
