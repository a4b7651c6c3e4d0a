// Which versions a definition of colonies.io has, each with its schema, and in which one objects are stored. Pure; only
// definition-plan.ts calls it. A version that was served is never taken away before the definition says so.

import type { KubeObject } from '@homeostat/meta'
import { AGE } from '../kinds/definition.ts'
import type { DefinitionVersion, ResourceDefinitionSpec } from '../kinds/resource-definition.ts'
import { conditions, integer } from '../kinds/schema-parts.ts'
import { type Schema, SchemaProblem, translateSchema } from './translate-schema.ts'

export interface Refused {
  readonly reason: string
  readonly message: string
}

export interface WantedVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly [field: string]: unknown
}

/** `made`: the CustomResourceDefinition that the definition has now. */
export function planVersions(definition: ResourceDefinitionSpec, made?: KubeObject): WantedVersion[] | Refused {
  const named = namedVersions(definition)
  if ('reason' in named) return named
  const wanted: WantedVersion[] = []
  for (const { field, name, served, storage, schema } of named) {
    const spec = specSchema(schema, field)
    if (typeof spec === 'string') return { reason: 'InvalidSchema', message: spec }
    wanted.push({ name, served, storage, ...versionParts(spec) })
  }
  return [...wanted, ...formerVersions(wanted, made)]
}

type NamedVersion = Required<Omit<DefinitionVersion, 'schema'>> & { readonly schema: unknown; readonly field: string }

/** The storage version first. */
function namedVersions({ version, versions = [], schema }: ResourceDefinitionSpec): NamedVersion[] | Refused {
  const own = versions.findIndex(({ name }) => name === version)
  const [only] = versions.length === 1 && version === undefined ? versions : []
  const marked = versions.filter(({ storage }) => storage === true)
  const stored = version ?? (only ?? marked[0])?.name
  if (stored === undefined) {
    return invalid('spec.version: is required, or one of spec.versions with storage: true')
  }
  const other = marked.find(({ name }) => name !== stored)
  if (other) return invalid(`spec.versions: ${other.name} has storage: true, but objects are stored in ${stored}`)
  if (own >= 0 && schema !== undefined && versions[own]?.schema !== undefined) {
    return invalid(`spec.schema: the schema of ${version} is in spec.versions[${own}] too: leave one of them out`)
  }
  if (version === undefined && schema !== undefined) {
    return invalid('spec.schema: belongs to spec.version; without it each of spec.versions has its own')
  }
  const entries = versions.map(({ name, served = true, schema: inner }, index) => {
    const isOfVersion = index === own && inner === undefined
    return {
      name,
      served,
      storage: name === stored,
      schema: isOfVersion ? schema : inner,
      field: isOfVersion ? 'spec.schema' : `spec.versions[${index}].schema`,
    }
  })
  const single = { name: stored, served: true, storage: true, schema, field: 'spec.schema' }
  const all = version === undefined || own >= 0 ? entries : [single, ...entries]
  if (all.some(({ served }) => served)) return all.sort((a, b) => Number(b.storage) - Number(a.storage))
  return invalid('spec.versions: at least one version must be served')
}

function invalid(message: string): Refused {
  return { reason: 'InvalidVersions', message }
}

/** Versions that the definition no longer names: clients may use those that are served, and stored objects may be in them. */
function formerVersions(wanted: readonly WantedVersion[], made: KubeObject | undefined): WantedVersion[] {
  const { versions = [] } = (made?.spec ?? {}) as { versions?: readonly WantedVersion[] }
  const { storedVersions } = (made?.status ?? {}) as { storedVersions?: readonly string[] | null }
  return versions
    .filter(
      ({ name, served }) => !wanted.some((one) => one.name === name) && (served || storedVersions?.includes(name)),
    )
    .map((former) => ({ ...former, storage: false }))
}

/** Or what is wrong with it. */
function specSchema(schema: unknown, field: string): Schema | string {
  try {
    const spec = translateSchema({ type: 'object', ...(schema as Schema | undefined) }, field)
    return spec.type === 'object' ? spec : `${field}.type: the schema is that of spec, which is an object`
  } catch (error) {
    if (error instanceof SchemaProblem) return error.message
    throw error
  }
}

function versionParts(spec: Schema): Readonly<Record<string, unknown>> {
  return {
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec, status: STATUS },
        // What a spec must have is missing too when there is no spec.
        ...(Array.isArray(spec.required) && { required: ['spec'] }),
      },
    },
    subresources: { status: {} },
    additionalPrinterColumns: COLUMNS,
  }
}

const FREE = { 'x-kubernetes-preserve-unknown-fields': true }

/** Any field is allowed. Conditions are a list map by type, since executors and the colony both write them. */
const STATUS = {
  type: 'object',
  ...FREE,
  properties: {
    observedGeneration: { ...integer(), format: 'int64' },
    conditions: { ...conditions, items: { ...(conditions.items as Schema), ...FREE } },
  },
}

const ready = (field: string) => `.status.conditions[?(@.type=="Ready")].${field}`
const COLUMNS = [
  { name: 'Ready', type: 'string', jsonPath: ready('status') },
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].status', priority: 1 },
  { name: 'Reason', type: 'string', jsonPath: ready('reason'), priority: 1 },
  { name: 'Message', type: 'string', jsonPath: ready('message'), priority: 1 },
  AGE,
]
