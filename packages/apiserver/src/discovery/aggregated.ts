// Aggregated discovery: every group with its versions and resources in one `APIGroupDiscoveryList`.
// Only Discovery calls it. Keys have the order and presence of Kubernetes' responses.

import type { ResourceType } from '../registry/resource-type.ts'
import { type ApiResource, apiResources } from './api-resource.ts'

/** The versions of apidiscovery.k8s.io; kubectl 1.27 to 1.29 knows only v2beta1. */
export type AggregatedVersion = 'v2' | 'v2beta1'

/** A group with the resources of each version, in the order of publication. */
export interface DiscoveredGroup {
  readonly name: string
  readonly versions: readonly { readonly version: string; readonly types: readonly ResourceType[] }[]
}

export function aggregatedDiscovery(groups: readonly DiscoveredGroup[], version: AggregatedVersion): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, types }) => ({
        version,
        resources: types.map(resource),
        freshness: 'Current',
      })),
    })),
  }
}

function resource(type: ResourceType): object {
  const [main, ...subresources] = apiResources(type)
  if (!main) throw new Error(`${type.resource} has no entry in discovery`)
  return {
    resource: main.name,
    responseKind: responseKind(type, main),
    scope: main.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: main.singularName,
    verbs: main.verbs,
    ...(main.shortNames && { shortNames: main.shortNames }),
    ...(main.categories && { categories: main.categories }),
    ...(subresources.length > 0 && { subresources: subresources.map((entry) => subresource(type, entry)) }),
  }
}

function subresource(type: ResourceType, entry: ApiResource): object {
  return {
    subresource: entry.name.slice(type.resource.length + 1),
    responseKind: responseKind(type, entry),
    verbs: entry.verbs,
  }
}

/** For built-in kinds an empty group and version mean those of the list; custom kinds spell them out. */
function responseKind(type: ResourceType, { group, version, kind }: ApiResource): object {
  const own = type.custom ? type : { group: '', version: '' }
  return { group: group ?? own.group, version: version ?? own.version, kind }
}
