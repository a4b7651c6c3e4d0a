// Builds the discovery documents: /api, /apis, /apis/GROUP, each version, and the aggregated forms. The HTTP layer
// sends them as they are. Everything derives from the ResourceTypes and is cached, encoded, until those change; a
// failure in one group cannot affect the others.

import { createHash } from 'node:crypto'
import { formatGroupVersion } from '@homeostat/meta'
import { compareVersions } from '@homeostat/meta/server'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { type AggregatedVersion, aggregatedDiscovery, type DiscoveredGroup } from './aggregated.ts'
import { apiResources } from './api-resource.ts'
import { compareGroups } from './group-order.ts'

interface Group {
  readonly name: string
  readonly versions: { readonly groupVersion: string; readonly version: string }[]
  readonly preferredVersion: { readonly groupVersion: string; readonly version: string } | undefined
}

export interface AggregatedDiscovery {
  readonly body: Buffer
  /** In quotes; changes with the body. */
  readonly etag: string
}

export class Discovery {
  readonly #types: ResourceTypes
  readonly #encoded = new Map<string, Buffer>()
  readonly #aggregated = new Map<string, AggregatedDiscovery>()
  #byVersion = new Map<string, ResourceType[]>()
  #generation = -1

  constructor(types: ResourceTypes) {
    this.#types = types
  }

  /** The body of /api. `host` is the address at which clients reach the server, as host:port. */
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
      const types = this.#byVersion.get(`${group}/${version}`)
      if (!types) return undefined
      return encode({
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: formatGroupVersion({ group, version }),
        resources: types.flatMap(apiResources),
      })
    })
  }

  /** All of /api or of /apis in one body. */
  aggregated(root: 'api' | 'apis', version: AggregatedVersion): AggregatedDiscovery {
    this.#refresh()
    const key = `${root} ${version}`
    const known = this.#aggregated.get(key)
    if (known) return known
    const groups = this.#discovered().filter(({ name }) => (name === '') === (root === 'api'))
    const body = encode(aggregatedDiscovery(groups, version))
    const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`
    const built = { body, etag }
    this.#aggregated.set(key, built)
    return built
  }

  #groups(): Group[] {
    return this.#discovered()
      .filter(({ name }) => name !== '')
      .map(({ name, versions }) => {
        const entries = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }))
        return { name, versions: entries, preferredVersion: entries[0] }
      })
  }

  #discovered(): DiscoveredGroup[] {
    const served = Map.groupBy(this.#byVersion.values(), ([first]) => first?.group ?? '')
    return [...served.keys()].sort(compareGroups).map((name) => {
      const versions = (served.get(name) ?? []).map((types) => ({ version: types[0]?.version ?? '', types }))
      return { name, versions: versions.sort((a, b) => compareVersions(a.version, b.version)) }
    })
  }

  #remember<T extends Buffer | undefined>(key: string, build: () => T): T {
    this.#refresh()
    const known = this.#encoded.get(key)
    if (known) return known as T
    const built = build()
    // Do not cache absent documents: their names come from requests and would fill the map.
    if (built) this.#encoded.set(key, built)
    return built
  }

  #refresh(): void {
    if (this.#generation === this.#types.generation) return
    this.#generation = this.#types.generation
    this.#encoded.clear()
    this.#aggregated.clear()
    this.#byVersion = Map.groupBy(this.#types.all(), ({ group, version }) => `${group}/${version}`)
    for (const types of this.#byVersion.values()) types.sort(byResource)
  }
}

function byResource(a: ResourceType, b: ResourceType): number {
  return a.resource < b.resource ? -1 : 1
}

function encode(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
