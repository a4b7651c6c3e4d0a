// Finds the kinds in a server's OpenAPI documents and the components that they consist of. Pure.

import { formatGroupVersion } from '@homeostat/meta'
import { type GroupVersionKind, type OpenApiDocument, referenceOf, type Schema } from './openapi.ts'

export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

export interface ServedKind {
  readonly apiVersion: string
  readonly kind: string
  /** The component that describes it. */
  readonly component: string
  /** Its objects have no namespace. False when the paths do not show it. */
  readonly isClusterScoped: boolean
}

export interface Served {
  readonly kinds: readonly ServedKind[]
  /** All components of all documents, by name. */
  readonly schemas: ReadonlyMap<string, Schema>
}

/** Documents by the group version they are for, e.g. `apps/v1`. */
export function readServed(documents: ReadonlyMap<string, OpenApiDocument>): Served {
  const kinds: ServedKind[] = []
  const schemas = new Map<string, Schema>()
  for (const [apiVersion, document] of documents) {
    const collections = collectionKinds(document)
    const namespaced = collectionKinds(document, '{namespace}')
    for (const [component, schema] of Object.entries(document.components?.schemas ?? {})) {
      if (!schemas.has(component)) schemas.set(component, schema)
      const own = kindOf(schema, apiVersion)
      if (own !== undefined && (collections === undefined || collections.has(own))) {
        const isClusterScoped = namespaced !== undefined && !namespaced.has(own)
        kinds.push({ apiVersion, kind: own, component, isClusterScoped })
      }
    }
  }
  return { kinds: kinds.toSorted(byName), schemas }
}

/** Returns the kind of a schema with ObjectMeta; lists and options have none. */
function kindOf(schema: Schema, apiVersion: string): string | undefined {
  const { metadata } = schema.properties ?? {}
  if (metadata === undefined || referenceOf(metadata) !== OBJECT_META) return undefined
  return schema['x-kubernetes-group-version-kind']?.find((gvk) => formatGroupVersion(gvk) === apiVersion)?.kind
}

/**
 * Kinds with a collection, without those that are only the body of a subresource; undefined for a document without
 * paths.
 */
function collectionKinds({ paths }: OpenApiDocument, below = ''): ReadonlySet<string> | undefined {
  if (paths === undefined || Object.keys(paths).length === 0) return undefined
  const found = new Set<string>()
  for (const [path, item] of Object.entries(paths)) {
    if (path.includes('{name}') || !path.includes(below)) continue
    for (const operation of Object.values(item)) {
      const { 'x-kubernetes-group-version-kind': gvk } = (operation ?? {}) as {
        'x-kubernetes-group-version-kind'?: GroupVersionKind
      }
      if (gvk !== undefined) found.add(gvk.kind)
    }
  }
  return found
}

/** Every component that the given ones refer to, directly or not, with themselves and without ObjectMeta. */
export function reachable(schemas: ReadonlyMap<string, Schema>, roots: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (component: string) => {
    const schema = schemas.get(component)
    if (found.has(component) || component === OBJECT_META || schema === undefined) return
    found.add(component)
    for (const inner of references(schema)) visit(inner)
  }
  for (const root of roots) visit(root)
  return [...found].toSorted()
}

function references(schema: Schema): string[] {
  const { $ref, properties = {}, items, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema
  const inner = [...Object.values(properties), ...allOf, ...anyOf, ...oneOf]
  if (items !== undefined) inner.push(items)
  if (typeof additionalProperties === 'object') inner.push(additionalProperties)
  const own = $ref === undefined ? [] : [referenceOf(schema) ?? '']
  return [...own, ...inner.flatMap(references)]
}

function byName(a: ServedKind, b: ServedKind): number {
  return a.apiVersion === b.apiVersion ? order(a.kind, b.kind) : order(a.apiVersion, b.apiVersion)
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
