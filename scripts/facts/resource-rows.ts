// The table of served resources: one row per resource and version, with what discovery and tables show of it.

import type { DiscoveredResource, FactsFolder, ResponseKind, TableColumn } from './facts-folder.ts'
import { shortName } from './type-names.ts'

export interface ResourceRow {
  readonly group?: string
  readonly version: string
  readonly kind: string
  readonly resource: string
  /** Where it is not the kind in lower case. */
  readonly singular?: string
  readonly namespaced?: true
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** Where they are not all eight. */
  readonly verbs?: readonly string[]
  readonly subresources?: Readonly<Record<string, SubresourceRow>>
  /** The short name of its type. */
  readonly schema: string
  readonly message?: string
  /** Each `name`, or `name|type|format|priority` where it differs from a plain string. */
  readonly columns?: readonly string[]
}

export interface SubresourceRow {
  readonly verbs: readonly string[]
  readonly answers?: ResponseKind
}

/** What streams or forwards needs a node. */
const NOT_SERVED = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])
const NOT_SERVED_RESOURCES = new Set(['bindings', 'customresourcedefinitions'])

const ALL_VERBS = 'create,delete,deletecollection,get,list,patch,update,watch'

/** Rows in the order of discovery. */
export function resourceRows(facts: FactsFolder): { readonly row: ResourceRow; readonly component: string }[] {
  const components = componentsByKind(facts)
  const { api, apis } = facts.discovery
  return [...api.items, ...apis.items].flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources
        .filter(({ resource }) => !NOT_SERVED_RESOURCES.has(resource))
        .map((found) => {
          const component = components.get(`${group}/${version}/${found.responseKind.kind}`)
          if (component === undefined) throw new Error(`${found.resource} has no schema`)
          return { row: rowOf(facts, group, version, found, component), component }
        }),
    ),
  )
}

function componentsByKind({ schemas }: FactsFolder): Map<string, string> {
  const components = new Map<string, string>()
  for (const [component, schema] of Object.entries(schemas)) {
    const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as readonly ResponseKind[]
    // Types of many groups, such as DeleteOptions, are nobody's resource.
    if (kinds.length !== 1) continue
    for (const { group, version, kind } of kinds) components.set(`${group}/${version}/${kind}`, component)
  }
  return components
}

function rowOf(
  { columns, messages }: FactsFolder,
  group: string,
  version: string,
  found: DiscoveredResource,
  component: string,
): ResourceRow {
  const { kind } = found.responseKind
  const message = component.replace(/^io\.k8s\./, 'k8s.io.')
  const table =
    columns[group === '' ? `/api/${version}/${found.resource}` : `/apis/${group}/${version}/${found.resource}`]
  return {
    ...(group !== '' && { group }),
    version,
    kind,
    resource: found.resource,
    ...(found.singularResource !== kind.toLowerCase() && { singular: found.singularResource }),
    ...(found.scope === 'Namespaced' && { namespaced: true }),
    ...(found.shortNames && { shortNames: found.shortNames }),
    ...(found.categories && { categories: found.categories }),
    ...(found.verbs.join(',') !== ALL_VERBS && { verbs: found.verbs }),
    ...subresources(found),
    schema: shortName(component),
    ...(Object.hasOwn(messages, message) && { message }),
    ...(table && { columns: table.map(columnText) }),
  }
}

function subresources({
  subresources: all = [],
  responseKind: own,
}: DiscoveredResource): Pick<ResourceRow, 'subresources'> {
  const served = all
    .filter(({ subresource }) => !NOT_SERVED.has(subresource))
    .map(({ subresource, verbs, responseKind }): [string, SubresourceRow] => [
      subresource,
      { verbs, ...(responseKind && responseKind.kind !== own.kind && { answers: responseKind }) },
    ])
  return served.length > 0 ? { subresources: Object.fromEntries(served) } : {}
}

function columnText({ name, type, format, priority }: TableColumn): string {
  const parts = [name, type === 'string' ? '' : type, format, priority === 0 ? '' : String(priority)]
  return parts.join('|').replace(/\|+$/, '')
}
