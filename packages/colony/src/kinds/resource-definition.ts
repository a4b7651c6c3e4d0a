// Definitions with a handler: two kinds with one schema, since both names are in use.

import { AGE, coloniesKind } from './definition.ts'
import { FIELD_PATH } from './field-path.ts'
import { conditions, flag, freeObject, integer, MAX_INT32, object, text, texts } from './schema-parts.ts'

/** `spec` of either kind. */
export interface ResourceDefinitionSpec {
  readonly group: string
  /** The version in which objects are stored; or `versions` says which. */
  readonly version?: string
  readonly versions?: readonly DefinitionVersion[]
  readonly names: {
    readonly kind: string
    readonly plural: string
    readonly singular?: string
    readonly listKind?: string
    readonly shortNames?: readonly string[]
  }
  readonly scope?: 'Namespaced' | 'Cluster'
  /** Of `version`. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly handler?: {
    readonly executorType: string
    readonly functionName: string
    readonly reconcileInterval?: number
    readonly location?: string
    readonly locationFrom?: readonly string[]
    readonly softwareFrom?: readonly string[]
  }
}

export interface DefinitionVersion {
  readonly name: string
  /** Default true. */
  readonly served?: boolean
  /** Objects are stored in this version. Default false, or true for a single one. */
  readonly storage?: boolean
  readonly schema?: Readonly<Record<string, unknown>>
}

const nonEmpty = { type: 'string', minLength: 1 }
const path = { type: 'string', pattern: FIELD_PATH.source }

const shape = {
  scope: 'Cluster',
  spec: object(
    {
      group: nonEmpty,
      version: nonEmpty,
      versions: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: object({ name: nonEmpty, served: flag, storage: flag, schema: freeObject }, ['name']),
      },
      names: object({ kind: nonEmpty, plural: nonEmpty, singular: text, listKind: text, shortNames: texts }, [
        'kind',
        'plural',
      ]),
      scope: { type: 'string', enum: ['Namespaced', 'Cluster'] },
      schema: freeObject,
      handler: object(
        {
          executorType: nonEmpty,
          functionName: nonEmpty,
          reconcileInterval: integer(0, MAX_INT32),
          location: text,
          locationFrom: { type: 'array', items: path },
          softwareFrom: { type: 'array', items: path },
        },
        ['executorType', 'functionName'],
      ),
    },
    ['group', 'names'],
  ),
  status: object({ observedGeneration: { type: 'integer', format: 'int64' }, conditions }),
  columns: [
    { name: 'Kind', type: 'string', jsonPath: '.spec.names.kind' },
    { name: 'Version', type: 'string', jsonPath: '.spec.version' },
    { name: 'Handler', type: 'string', jsonPath: '.spec.handler.executorType' },
    { name: 'Accepted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Accepted")].status' },
    AGE,
  ],
} as const

export const resourceDefinition = coloniesKind({ kind: 'ResourceDefinition', plural: 'resourcedefinitions', ...shape })
export const customResourceDefinition = coloniesKind({
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  ...shape,
})
