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
  singularResource?: string
  shortNames?: string[]
  categories?: string[]
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
      for (const one of resources) {
        const { resource, responseKind, scope, verbs = [], subresources = [] } = one
        if (resource === undefined || responseKind?.kind === undefined || kinds.has(responseKind.kind)) continue
        kinds.set(responseKind.kind, {
          group,
          version,
          resource,
          kind: responseKind.kind,
          ...otherNames(one, responseKind.kind),
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
  singularName?: string
  shortNames?: string[]
  categories?: string[]
  kind?: string
  namespaced?: boolean
  verbs?: string[]
}

export function readResourceList(group: string, version: string, body: unknown): ServedVersion {
  const { resources = [] } = (body ?? {}) as { resources?: ListedResource[] }
  const kinds = new Map<string, ResourceInfo>()
  for (const one of resources) {
    const { name, kind, namespaced = false, verbs = [], singularName: singularResource } = one
    if (name === undefined || kind === undefined || name.includes('/') || kinds.has(kind)) continue
    const prefix = `${name}/`
    const subresources = resources.flatMap((part) =>
      part.name?.startsWith(prefix) ? part.name.slice(prefix.length) : [],
    )
    const names = otherNames({ ...one, ...(singularResource && { singularResource }) }, kind)
    kinds.set(kind, { group, version, resource: name, kind, ...names, namespaced, verbs, subresources })
  }
  return { group, version, kinds }
}

/** The group versions that a server without aggregated discovery lists at `/api` or `/apis`. */
export function readGroupVersions(body: unknown): { readonly group: string; readonly version: string }[] {
  const { versions = [], groups = [] } = (body ?? {}) as {
    versions?: string[]
    groups?: { name?: string; versions?: { version?: string }[] }[]
  }
  const core = versions.map((version) => ({ group: '', version }))
  return core.concat(
    groups.flatMap(({ name: group = '', versions: served = [] }) =>
      served.flatMap(({ version }) => (version === undefined ? [] : { group, version })),
    ),
  )
}

/** Servers leave the singular of some kinds empty. */
function otherNames({ singularResource, shortNames = [], categories = [] }: AggregatedResource, kind: string) {
  return { singular: singularResource || kind.toLowerCase(), shortNames, categories }
}
