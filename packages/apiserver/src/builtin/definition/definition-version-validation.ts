// Validates the versions of a definition. Kubernetes moves a part that is equal in all versions to the top of the spec
// and names that place in its causes; so do these checks.

import { deepEqual, dns1035Label } from '@homeostat/meta'
import { type Cause, invalidValue, required, tooMany } from '@homeostat/meta/server'
import type { JsonSchema } from '@homeostat/schema'
import type { DefinitionSpec, DefinitionVersion } from './definition.ts'
import type { SchemaChecks, SchemaPlace } from './schema-check.ts'
import { selectableFieldErrors } from './selectable-fields.ts'

const COLUMN_TYPES = ['integer', 'number', 'string', 'boolean', 'date']
const COLUMN_FORMATS = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password']
const MAX_WARNING = 256

/** Limits versions, because each is a type of its own for discovery, OpenAPI and watches. Kubernetes has no limit. */
const MAX_VERSIONS = 100

/** `old` is the stored spec. */
export function versionErrors(
  { versions = [] }: DefinitionSpec,
  checks: SchemaChecks,
  old: DefinitionSpec | undefined,
): Cause[] {
  if (versions.length > MAX_VERSIONS) return [tooMany('spec.versions', versions.length, MAX_VERSIONS)]
  const shared = sharedParts(versions)
  const schemaErrors: SchemaErrors = (place) => checks.errors({ ...place, stored: isStored(place.schema, old) })
  return [
    ...versions.flatMap((version, index) => [
      ...nameErrors(version, `spec.versions[${index}].name`),
      ...deprecationErrors(version, `spec.versions[${index}]`),
      ...ownErrors(version, `spec.versions[${index}]`, shared, schemaErrors),
    ]),
    ...setErrors(versions),
    ...versions.slice(0, 1).flatMap((first) => sharedErrors(first, versions, shared, schemaErrors)),
  ]
}

/** The schemas that `versionErrors` checks, with their paths. */
export function schemaPlaces({ versions = [] }: DefinitionSpec, old: DefinitionSpec | undefined): SchemaPlace[] {
  if (versions.length > MAX_VERSIONS) return []
  const schema = versions[0]?.schema?.openAPIV3Schema
  if (schema !== undefined && sharedParts(versions).schema)
    return [{ schema, path: SHARED_SCHEMA, statusSubresource: versions.some(hasStatus), stored: isStored(schema, old) }]
  return versions.flatMap((version, index) => {
    const own = version.schema?.openAPIV3Schema
    if (own === undefined) return []
    const path = ownSchema(`spec.versions[${index}]`)
    return [{ schema: own, path, statusSubresource: hasStatus(version), stored: isStored(own, old) }]
  })
}

/** Whether a version of the stored spec has the same schema. */
function isStored(schema: JsonSchema, old: DefinitionSpec | undefined): boolean {
  return old?.versions.some((version) => deepEqual(version.schema?.openAPIV3Schema, schema)) ?? false
}

/** Checks a schema. */
type SchemaErrors = (place: Omit<SchemaPlace, 'stored'>) => Cause[]

const SHARED_SCHEMA = 'spec.validation.openAPIV3Schema'
const ownSchema = (version: string) => `${version}.schema.openAPIV3Schema`

type SharedParts = Readonly<
  Record<'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields', boolean>
>

function sharedParts(versions: readonly DefinitionVersion[]): SharedParts {
  const [first] = versions
  const same = (part: keyof SharedParts): boolean =>
    versions.every((version) => deepEqual(version[part], first?.[part]))
  return {
    schema: first?.schema?.openAPIV3Schema !== undefined && same('schema'),
    subresources: same('subresources'),
    additionalPrinterColumns: same('additionalPrinterColumns'),
    selectableFields: same('selectableFields'),
  }
}

function ownErrors(version: DefinitionVersion, path: string, shared: SharedParts, schemaErrors: SchemaErrors): Cause[] {
  const at = ownSchema(path)
  const causes: Cause[] = []
  const schema = version.schema?.openAPIV3Schema
  if (schema === undefined) causes.push(required(at))
  else if (!shared.schema) causes.push(...schemaErrors({ schema, path: at, statusSubresource: hasStatus(version) }))
  if (!shared.subresources) causes.push(...subresourceErrors(version, `${path}.subresources`))
  if (!shared.additionalPrinterColumns) causes.push(...columnErrors(version, `${path}.additionalPrinterColumns`))
  if (!shared.selectableFields) {
    const rule = 'may only be set when `version.schema.openAPIV3Schema` is not included'
    causes.push(...selectableErrors(version, `${path}.selectableFields`, shared.schema ? undefined : schema, rule))
  }
  return causes
}

/** Parts in common, seen at the first version, whose name stands beside them too. */
function sharedErrors(
  first: DefinitionVersion,
  all: readonly DefinitionVersion[],
  shared: SharedParts,
  schemaErrors: SchemaErrors,
): Cause[] {
  const schema = shared.schema ? first.schema?.openAPIV3Schema : undefined
  return [
    ...nameErrors(first, 'spec.version'),
    ...(schema ? schemaErrors({ schema, path: SHARED_SCHEMA, statusSubresource: all.some(hasStatus) }) : []),
    ...(shared.subresources ? subresourceErrors(first, 'spec.subresources') : []),
    ...(shared.additionalPrinterColumns ? columnErrors(first, 'spec.additionalPrinterColumns') : []),
    ...(shared.selectableFields
      ? selectableErrors(first, 'spec.selectableFields', schema, 'may only be set when validations.schema is included')
      : []),
  ]
}

/** Kubernetes needs schema and selectable fields in one place: both shared by all versions, or both per version. */
function selectableErrors(
  { selectableFields = [] }: DefinitionVersion,
  path: string,
  schema: JsonSchema | undefined,
  rule: string,
): Cause[] {
  if (selectableFields.length === 0) return []
  return schema ? selectableFieldErrors(selectableFields, schema, path) : [invalidValue(path, '', rule)]
}

function setErrors(versions: readonly DefinitionVersion[]): Cause[] {
  const names = versions.map((version) => version.name)
  const shown = names.length === 0 ? [] : names.join(', ')
  const causes: Cause[] = []
  if (new Set(names).size < names.length) {
    causes.push(invalidValue('spec.versions', shown, 'must contain unique version names'))
  }
  if (versions.filter((version) => version.storage).length !== 1) {
    const rule = 'must have exactly one version marked as storage version'
    causes.push(invalidValue('spec.versions', shown, rule))
  }
  return causes
}

function nameErrors({ name }: DefinitionVersion, path: string): Cause[] {
  const messages = dns1035Label(name)
  return messages.length === 0 ? [] : [invalidValue(path, name, messages.join(','))]
}

function hasStatus({ subresources }: DefinitionVersion): boolean {
  return subresources?.status !== undefined
}

function deprecationErrors({ deprecated, deprecationWarning }: DefinitionVersion, path: string): Cause[] {
  if (deprecationWarning === undefined) return []
  const messages: string[] = []
  const refused = (message: string) => invalidValue(`${path}.deprecationWarning`, deprecationWarning, message)
  if (deprecated !== true) return [refused('can only be set for deprecated versions')]
  if (deprecationWarning === '') messages.push('must not be an empty string')
  if (Buffer.byteLength(deprecationWarning) > MAX_WARNING) messages.push(`must be <= ${MAX_WARNING} characters long`)
  const odd = deprecationWarning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u)
  if (odd >= 0) {
    messages.push(`must only contain printable UTF-8 characters; non-printable character found at index ${odd}`)
  }
  return messages.map(refused)
}

function subresourceErrors({ subresources }: DefinitionVersion, path: string): Cause[] {
  const scale = subresources?.scale
  if (scale === undefined) return []
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale
  return [
    ...scalePathErrors(specReplicasPath, ['.spec.'], `${path}.scale.specReplicasPath`),
    ...scalePathErrors(statusReplicasPath, ['.status.'], `${path}.scale.statusReplicasPath`),
    ...(labelSelectorPath
      ? scalePathErrors(labelSelectorPath, ['.spec.', '.status.'], `${path}.scale.labelSelectorPath`)
      : []),
  ]
}

function columnErrors({ additionalPrinterColumns = [] }: DefinitionVersion, path: string): Cause[] {
  return additionalPrinterColumns.flatMap((column, index) => {
    const at = `${path}[${index}]`
    const causes: Cause[] = []
    if (column.name === '') causes.push(required(`${at}.name`, ''))
    const types = `must be one of ${COLUMN_TYPES.join(',')}`
    if (column.type === '') causes.push(required(`${at}.type`, types))
    else if (!COLUMN_TYPES.includes(column.type)) causes.push(invalidValue(`${at}.type`, column.type, types))
    if (column.format && !COLUMN_FORMATS.includes(column.format)) {
      causes.push(invalidValue(`${at}.format`, column.format, `must be one of ${COLUMN_FORMATS.join(',')}`))
    }
    // Kubernetes spells this one field in the path differently from the object.
    if (column.jsonPath === '') causes.push(required(`${at}.JSONPath`, ''))
    else causes.push(...simplePathErrors(column.jsonPath, `${at}.JSONPath`))
    return causes
  })
}

function scalePathErrors(value: string, roots: readonly string[], field: string): Cause[] {
  if (value === '') return [required(field, '')]
  const simple = simplePathErrors(value, field)
  if (simple.length > 0 || roots.some((root) => value.startsWith(root))) return simple
  const places = roots.map((root) => root.slice(0, -1)).join(' or ')
  return [invalidValue(field, value, `should be a json path under ${roots.length > 1 ? 'either ' : ''}${places}`)]
}

function simplePathErrors(value: string, field: string): Cause[] {
  return value.startsWith('.') ? [] : [invalidValue(field, value, 'must be a simple json path starting with .')]
}
