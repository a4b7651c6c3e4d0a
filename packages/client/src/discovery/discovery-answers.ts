// Parses discovery responses in both forms: aggregated, for all groups at once, and the resource list of one group
// version. Pure. Malformed entries are skipped, so that one broken group does not hide the others.

import type { ResourceInfo } from '../api/client.ts'

/** The kinds of one group version. */
export interface ServedVersion {
  readonly group: string
  readonly version: string
  readonly kinds: ReadonlyMap<string, ResourceInfo>
}

interface AggregatedResource {
  resource?: string
  responseKind?: { kind?: string }
  scope?: string
  verbs?: string[]
  subresources?: { subresource?: string }[]
}

interface AggregatedGroup {
  metadata?: { name?: string }
  versions?: { version?: string; resources?: AggregatedResource[] }[]
}

/** Undefined when the response is not aggregated, as from servers before 1.26. */
export function readAggregated(body: unknown): ServedVersion[] | undefined {
  const { kind, items = [] } = (body ?? {}) as { kind?: string; items?: AggregatedGroup[] }
  if (kind !== 'APIGroupDiscoveryList') return undefined
  return items.flatMap(({ metadata, versions = [] }) =>
    versions.map(({ version = '', resources = [] }) => {
      const group = metadata?.name ?? ''
      const kinds = new Map<string, ResourceInfo>()
      for (const { resource, responseKind, scope, verbs = [], subresources = [] } of resources) {
        if (resource === undefined || responseKind?.kind === undefined || kinds.has(responseKind.kind)) continue
        kinds.set(responseKind.kind, {
          group,
          version,
          resource,
          kind: responseKind.kind,
          namespaced: scope === 'Namespaced',
          verbs,
          subresources: subresources.flatMap(({ subresource }) => subresource ?? []),
        })
      }
      return { group, version, kinds }
    }),
  )
}

interface ListedResource {
  name?: string
  kind?: string
  namespaced?: boolean
  verbs?: string[]
}

export function readResourceList(group: string, version: string, body: unknown): ServedVersion {
  const { resources = [] } = (body ?? {}) as { resources?: ListedResource[] }
  const kinds = new Map<string, ResourceInfo>()
  for (const { name, kind, namespaced = false, verbs = [] } of resources) {
    if (name === undefined || kind === undefined || name.includes('/') || kinds.has(kind)) continue
    const prefix = `${name}/`
    const subresources = resources.flatMap((part) =>
      part.name?.startsWith(prefix) ? part.name.slice(prefix.length) : [],
    )
    kinds.set(kind, { group, version, resource: name, kind, namespaced, verbs, subresources })
  }
  return { group, version, kinds }
}
