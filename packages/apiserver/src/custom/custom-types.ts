// Makes the ResourceTypes of a definition, one for each served version. The definition controller calls it whenever a
// definition changes.

import { once } from '@homeostat/base'
import { dns1123Subdomain, type KubeObject } from '@homeostat/meta'
import { type Cause, compareVersions, finalizerWarnings } from '@homeostat/meta/server'
import type { JsonSchema } from '@homeostat/schema'
import { mergeTypeOf } from '@homeostat/schema/merge-type'
import { toOpenApiV3 } from '@homeostat/schema/server'
import {
  type Definition,
  type DefinitionNames,
  type DefinitionVersion,
  hasConversionWebhook,
} from '../builtin/definition/definition.ts'
import { selectableFields } from '../builtin/definition/selectable-fields.ts'
import { schemaStrategy } from '../builtin/schema-strategy.ts'
import { apiVersionOf } from '../registry/decode-object.ts'
import { type LazySchema, lazySchema } from '../registry/lazy-schema.ts'
import type { ResourceType, ScalePaths, Strategy } from '../registry/resource-type.ts'
import { TypeMemo } from '../registry/type-memo.ts'
import { typeWith } from '../registry/type-with.ts'
import { isStoredForm } from '../registry/versions.ts'
import { customColumns } from '../table/custom-columns.ts'
import type { WebhookCalls } from '../webhook/webhook-calls.ts'
import { ConversionWebhook } from './conversion/conversion-webhook.ts'
import { ConvertedCopies } from './conversion/converted-copies.ts'
import { scaleErrors } from './scale-errors.ts'

/** Annotations by which a definition opts in; the value is "true". */
export const UNCONDITIONAL_UPDATE = 'homeostat.dev/unconditional-update'
export const CREATE_NAMESPACES = 'homeostat.dev/create-namespaces'
/** Older generations of its objects are not kept. */
export const NO_HISTORY = 'homeostat.dev/no-history'

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

export interface ConversionFacts {
  readonly calls: WebhookCalls
  /** Whether objects may be stored in other versions than the storage version. */
  readonly mixed: boolean
}

/** Objects last written at or below `viewEpoch` are pruned and defaulted again when first read. */
export function customTypes(definition: Definition, viewEpoch: number, conversion?: ConversionFacts): ResourceType[] {
  const served = servedVersions(definition)
  const stored = definition.spec.versions.find((version) => version.storage)
  const storedForm = stored && !served.includes(stored) ? lazySchema(schemaOf(stored)) : undefined
  const types = served.map((version) => customType(definition, version, viewEpoch, storedForm))
  if (conversion === undefined || types.length === 0 || !hasConversionWebhook(definition.spec)) return types
  const { calls, mixed } = conversion
  const webhook = new ConversionWebhook(definition.spec, calls)
  const hidden = definition.spec.versions
    .filter((version) => mixed || version !== stored || !served.includes(version))
    .map((version) => customType(definition, version, viewEpoch, undefined))
  return [
    ...types.map((type) => (isStoredForm(type) && !mixed ? type : converted(type, webhook))),
    ...hidden.map(hiddenType),
  ]
}

/** Objects that are stored in another version stay in it when code inside the server changes them. */
function hiddenType(type: ResourceType): ResourceType {
  if (isStoredForm(type)) return typeWith(type, { hidden: 'storage version' })
  return typeWith(type, { hidden: 'other version', storageVersion: type.version })
}

function converted(type: ResourceType, webhook: ConversionWebhook): ResourceType {
  const prune = (object: KubeObject) => void type.strategy.prune(object)
  return typeWith(type, { converter: new ConvertedCopies(webhook, apiVersionOf(type), prune) })
}

/** The versions to serve. A deleted definition that serves nothing still gets its storage version, so that its objects can be deleted. */
function servedVersions({ metadata, spec }: Definition): DefinitionVersion[] {
  const served = spec.versions.filter(({ served }) => served)
  if (served.length > 0 || metadata.deletionTimestamp === undefined) return served
  return spec.versions.filter((version) => version.storage)
}

function customType(
  definition: Definition,
  version: DefinitionVersion,
  viewEpoch: number,
  storedForm: LazySchema | undefined,
): ResourceType {
  const { spec, metadata } = definition
  const { group } = spec
  const names = servedNames(definition)
  const schema = schemaOf(version)
  const status = version.subresources?.status !== undefined
  const scale = scalePaths(version)
  const published = once(() => toOpenApiV3(schema))
  const compiled = lazySchema(schema, { rules: true })
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    resource: spec.names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    namespaced: spec.scope === 'Namespaced',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: VERBS,
    storage: `${group}/${spec.names.plural}`,
    storageVersion: storageVersion(definition),
    ...(storedForm && { storedForm }),
    keepsHistory: metadata.annotations?.[NO_HISTORY] !== 'true',
    viewEpoch,
    subresources: { status, ...(scale === undefined ? {} : { scale }) },
    columns: customColumns(version.additionalPrinterColumns),
    selectableFields: selectableFields(version.selectableFields),
    strategy: customStrategy(compiled, {
      status,
      scale,
      unconditionalUpdate: metadata.annotations?.[UNCONDITIONAL_UPDATE] === 'true',
    }),
    memo: new TypeMemo(),
    compile: () => compiled.compile() ?? storedForm?.compile(),
    mergeType: mergeTypeOf(schema),
    ...deprecation(definition, version),
    custom: true,
    acceptsCreates: metadata.deletionTimestamp === undefined,
    createsNamespaces: metadata.annotations?.[CREATE_NAMESPACES] === 'true',
    get openapi() {
      return published()
    },
  }
}

function schemaOf({ schema }: DefinitionVersion): JsonSchema {
  return schema?.openAPIV3Schema ?? {}
}

interface CustomStrategyOptions {
  readonly status: boolean
  readonly scale: ScalePaths | undefined
  readonly unconditionalUpdate: boolean
}

function customStrategy(compiled: LazySchema, options: CustomStrategyOptions): Strategy {
  const { status, scale, unconditionalUpdate } = options
  const scaled = (object: KubeObject): Cause[] => (scale === undefined ? [] : scaleErrors(object, scale))
  const validate = (object: KubeObject, old?: KubeObject): Cause[] => [
    ...compiled.validate(object, old),
    ...scaled(object),
  ]
  return schemaStrategy(compiled, {
    nameErrors: dns1123Subdomain,
    statusApart: status,
    ...(status && { resetFields: STATUS_APART }),
    generation: true,
    unconditionalUpdate,
    validate,
    validateUpdate: validate,
    validateStatusUpdate: (object, old) => [
      ...compiled.validate(object, old).flatMap(seenFromStatus),
      ...scaled(object),
    ],
    warnings: (object, old) => finalizerWarnings(object.metadata, old?.metadata),
    rules: compiled,
  })
}

/** Kubernetes validates a status on its own: other causes do not count, and messages omit the `status.` prefix. */
function seenFromStatus(cause: Cause): Cause[] {
  const { field, message } = cause
  if (!/^status(?![^.[])/.test(field)) return []
  return [
    { ...cause, message: message.replace(`: ${field} in body`, () => `: ${field.slice('status.'.length)} in body`) },
  ]
}

/** A write of the object never owns fields of the status, and a write of the status owns nothing else. */
const STATUS_APART = { '': [['status']], status: [['metadata'], ['spec']] }

/** What is served are the names that nobody else has; a definition that is not established yet has none. */
function servedNames({ spec, status }: Definition): DefinitionNames {
  return status.acceptedNames.plural === '' ? spec.names : status.acceptedNames
}

function storageVersion({ spec }: Definition): string {
  return spec.versions.find((version) => version.storage)?.name ?? ''
}

function scalePaths({ subresources }: DefinitionVersion): ScalePaths | undefined {
  const scale = subresources?.scale
  if (scale === undefined) return undefined
  return {
    specReplicas: scale.specReplicasPath,
    statusReplicas: scale.statusReplicasPath,
    ...(scale.labelSelectorPath ? { labelSelector: scale.labelSelectorPath } : {}),
  }
}

function deprecation(
  definition: Definition,
  { name, deprecated, deprecationWarning }: DefinitionVersion,
): { deprecation?: string } {
  if (deprecated !== true) return {}
  if (deprecationWarning !== undefined) return { deprecation: deprecationWarning }
  const [better] = servedVersions(definition)
    .filter((version) => version.deprecated !== true && compareVersions(version.name, name) < 0)
    .map((version) => version.name)
    .sort(compareVersions)
  const { group, names } = definition.spec
  const use = better === undefined ? '' : `; use ${group}/${better} ${names.kind}`
  return { deprecation: `${group}/${name} ${names.kind} is deprecated${use}` }
}
