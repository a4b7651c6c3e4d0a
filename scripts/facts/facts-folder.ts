// Reads the folder of facts about the built-in kinds, and says which of its shapes the derivation relies on.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A place in an OpenAPI v3 schema. */
export interface Place {
  readonly type?: string
  readonly format?: string
  readonly $ref?: string
  readonly allOf?: readonly Place[]
  readonly oneOf?: readonly Place[]
  readonly items?: Place
  readonly additionalProperties?: Place
  readonly properties?: Readonly<Record<string, Place>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly [extension: `x-kubernetes-${string}`]: unknown
}

export interface ResponseKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** A resource in aggregated discovery. */
export interface DiscoveredResource {
  readonly resource: string
  readonly responseKind: ResponseKind
  readonly scope: 'Namespaced' | 'Cluster'
  readonly singularResource: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly {
    readonly subresource: string
    readonly responseKind?: ResponseKind
    readonly verbs: readonly string[]
  }[]
}

interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[]
  }[]
}

export interface TableColumn {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly priority: number
}

export interface FactsFolder {
  readonly schemas: Readonly<Record<string, Place>>
  readonly discovery: { readonly api: DiscoveryList; readonly apis: DiscoveryList }
  /** By the path of the list. */
  readonly columns: Readonly<Record<string, readonly TableColumn[]>>
  /** By message name. */
  readonly messages: Readonly<Record<string, unknown>>
}

export function readFacts(folder: string): FactsFolder {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  return {
    schemas: read('builtin-schemas.json'),
    discovery: read('discovery.json'),
    columns: read('table-columns.json'),
    messages: read('protobuf-fields.json'),
  }
}
