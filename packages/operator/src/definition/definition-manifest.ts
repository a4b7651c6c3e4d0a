// Builds the CustomResourceDefinition of a kind from its author's options. Pure: equal input gives an equal manifest.

import type { ApiObject } from '@homeostat/client'
import type { JsonSchema } from '@homeostat/schema'
import { type Column, type ScalePaths, SchemaError, type ZodSchema } from '@homeostat/schema/zod'
import { specPart, statusPart } from './definition-schema.ts'
import { type KindNames, kindNames } from './kind-names.ts'

export interface DefinitionOptions {
  group: string
  version: string
  kind: string
  names?: KindNames | undefined
  /** Default `Namespaced`. */
  scope?: 'Namespaced' | 'Cluster' | undefined
  spec: ZodSchema
  /** Without it the status accepts any field. */
  status?: ZodSchema | undefined
  /** The description in `kubectl explain`. */
  description?: string | undefined
  /** Adds the columns Ready and Age after those that the schemas mark. Default true. */
  standardColumns?: boolean | undefined
}

export interface CustomResourceDefinition extends ApiObject {
  spec: {
    group: string
    scope: string
    names: { plural: string; kind: string; singular?: string; listKind?: string; [field: string]: unknown }
    versions: DefinitionVersion[]
    [field: string]: unknown
  }
  status?: { storedVersions?: string[] | null; [field: string]: unknown }
}

export interface DefinitionVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  schema?: { openAPIV3Schema?: JsonSchema }
  subresources?: { status?: object; scale?: ScalePaths }
  additionalPrinterColumns?: Column[]
  selectableFields?: { jsonPath: string }[]
  [field: string]: unknown
}

/** Throws a SchemaError that names every place in the schemas that no server would accept. */
export function definitionManifest(options: DefinitionOptions): CustomResourceDefinition {
  return describeDefinition(options).manifest
}

/** The manifest, and a list of checks that the server cannot do. */
export function describeDefinition(options: DefinitionOptions): {
  manifest: CustomResourceDefinition
  warnings: string[]
} {
  const { group, version, kind, scope = 'Namespaced' } = options
  const names = kindNames(kind, options.names)
  const spec = specPart(options.spec)
  const status = statusPart(options.status)
  const openAPIV3Schema: JsonSchema = {
    ...(options.description !== undefined && { description: options.description }),
    type: 'object',
    properties: { spec: spec.schema, status: status.schema },
    ...(spec.required && { required: ['spec'] }),
  }
  const own = [...spec.columns, ...status.columns]
  const standard = options.standardColumns === false ? [] : standardColumns
  const columns = [...own, ...standard.filter(({ name }) => !own.some((column) => column.name === name))]
  const selectableFields = [...spec.selectableFields, ...status.selectableFields]
  const scale = scaleOf({ ...spec.scale, ...status.scale })
  const manifest: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      group,
      scope,
      names,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(spec.deprecated && { deprecated: true }),
          schema: { openAPIV3Schema },
          subresources: { status: {}, ...(scale && { scale }) },
          ...(columns.length > 0 && { additionalPrinterColumns: columns }),
          ...(selectableFields.length > 0 && { selectableFields }),
        },
      ],
    },
  }
  return { manifest, warnings: [...spec.warnings, ...status.warnings] }
}

const standardColumns: readonly Column[] = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
]

function scaleOf(scale: ScalePaths): ScalePaths | undefined {
  if (Object.keys(scale).length === 0) return undefined
  const missing = [
    scale.specReplicasPath === undefined
      ? "spec: mark the number that is asked for with .meta({ scale: 'specReplicas' })"
      : '',
    scale.statusReplicasPath === undefined
      ? "status: mark the number that is there with .meta({ scale: 'statusReplicas' })"
      : '',
  ].filter((text) => text !== '')
  if (missing.length > 0) throw new SchemaError(missing)
  return scale
}
