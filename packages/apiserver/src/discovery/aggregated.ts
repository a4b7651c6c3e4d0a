// Discovery in one document: every group with its versions and their resources, as `APIGroupDiscoveryList`.
// Only Discovery calls it. Keys are in the order and presence that Kubernetes answers with.

import type { ResourceType } from '../registry/resource-type.ts'
import { type ApiResource, apiResources } from './api-resource.ts'

/** The versions of apidiscovery.k8s.io; kubectl 1.27 to 1.29 knows only the older. */
export type AggregatedVersion = 'v2' | 'v2beta1'

/** A group with what each of its versions serves, in the order they are published. */
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

/** Of a built-in kind, an empty group and version mean those of the list; custom ones spell them out. */
function responseKind(type: ResourceType, { group, version, kind }: ApiResource): object {
  const own = type.custom ? type : { group: '', version: '' }
  return { group: group ?? own.group, version: version ?? own.version, kind }
}
