// The typed form of a CustomResourceDefinition, valid after decoding has checked the types.

import type { Condition, KubeObject } from '@homeostat/meta'
import type { JsonSchema } from '@homeostat/schema'

export interface Definition extends KubeObject {
  spec: DefinitionSpec
  status: DefinitionStatus
}

export interface DefinitionSpec {
  group: string
  scope: string
  names: DefinitionNames
  versions: DefinitionVersion[]
  conversion?: DefinitionConversion
  preserveUnknownFields?: boolean
}

interface DefinitionConversion {
  strategy: string
  webhook?: {
    clientConfig?: { url?: string; service?: object; caBundle?: string }
    conversionReviewVersions?: string[]
  }
}

export interface DefinitionNames {
  plural: string
  singular?: string
  kind: string
  listKind?: string
  shortNames?: string[]
  categories?: string[]
}

export interface DefinitionVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema?: { openAPIV3Schema?: JsonSchema }
  subresources?: { status?: object; scale?: DefinitionScale }
  additionalPrinterColumns?: DefinitionColumn[]
  selectableFields?: { jsonPath: string }[]
}

interface DefinitionScale {
  specReplicasPath: string
  statusReplicasPath: string
  labelSelectorPath?: string
}

interface DefinitionColumn {
  name: string
  type: string
  format?: string
  description?: string
  priority?: number
  jsonPath: string
}

export interface DefinitionStatus {
  acceptedNames: DefinitionNames
  conditions: Condition[] | null
  storedVersions: string[] | null
}

export const DEFINITIONS = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' } as const

/** Keeps a definition under deletion until its objects are deleted. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

/** Casts an object that went through the strategy: a stored one, or one under validation. */
export function asDefinition(object: KubeObject): Definition {
  return object as Definition
}

export function conditionTrue(definition: Definition, type: string): boolean {
  return (definition.status.conditions ?? []).some((c) => c.type === type && c.status === 'True')
}

/** Whether the versions need a webhook to be converted. */
export function hasConversionWebhook({ conversion }: DefinitionSpec): boolean {
  return conversion?.strategy === 'Webhook'
}
