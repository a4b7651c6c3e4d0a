// The rules that make a schema structural: every field has a type outside of allOf, anyOf, oneOf and not,
// and only there. Pruning and defaulting rely on them.

import { type Cause, forbiddenField, invalidValue, required } from '@homeostat/meta/server'
import { additionalOf, type JsonSchema, schemaOf, stringOf } from '../json-schema.ts'
import { bounded } from './limits.ts'
import type { SchemaWalk, Steps } from './schema-walk.ts'
import { isSet } from './unsupported.ts'
import { type Level, valueRules } from './value-rules.ts'

export function* structuralRules(schema: JsonSchema, level: Level, path: string, walk: SchemaWalk): Steps<Cause[]> {
  if (walk.isDue()) yield
  const causes: Cause[] = []
  const type = stringOf(schema.type)
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  const properties = walk.propertiesOf(schema)
  const items = schemaOf(schema.items)
  if (type === 'array' && items === undefined) causes.push(required(`${path}.items`, 'must be specified'))
  if (items !== undefined) causes.push(...(yield* structuralRules(items, 'item', `${path}.items`, walk)))
  for (const [name, property] of properties) {
    causes.push(...(yield* structuralRules(property, 'field', `${path}.properties[${name}]`, walk)))
  }
  causes.push(...(yield* additionalRules(schema, level, path, embedded, walk)))
  causes.push(...extensionRules(schema, path))
  causes.push(...(yield* valueRules(schema, level, path, walk)))
  causes.push(...typeRules(schema, level, path, embedded))
  const resource = level === 'root' || embedded
  for (const [name, property] of properties) {
    const at = `${path}.properties[${name}]`
    const own = stringOf(property.type)
    if (resource && (name === 'kind' || name === 'apiVersion') && own !== 'string') {
      causes.push(invalidValue(`${at}.type`, own, 'must be string'))
    }
    if (name === 'metadata') causes.push(...metadataRules(property, level, resource, at, walk))
  }
  if (embedded && schema['x-kubernetes-preserve-unknown-fields'] !== true && properties.size === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    causes.push(required(`${path}.properties`, detail))
  }
  return bounded(causes)
}

function* additionalRules(
  schema: JsonSchema,
  level: Level,
  path: string,
  embedded: boolean,
  walk: SchemaWalk,
): Steps<Cause[]> {
  const additional = additionalOf(schema.additionalProperties)
  if (additional === undefined) return []
  const at = `${path}.additionalProperties`
  const causes: Cause[] = []
  if (level === 'root') causes.push(forbiddenField(at, 'must not be used at the root'))
  if (typeof additional === 'object') causes.push(...(yield* structuralRules(additional, 'field', at, walk)))
  if (embedded) causes.push(forbiddenField(at, 'must not be used if x-kubernetes-embedded-resource is set'))
  return causes
}

function extensionRules(schema: JsonSchema, path: string): Cause[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter((keyword) => schema[keyword] === true)
    .map((keyword) => invalidValue(`${path}.${keyword}`, true, 'must be false if x-kubernetes-int-or-string is true'))
}

const emptyType: Record<Level, string> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function typeRules(schema: JsonSchema, level: Level, path: string, embedded: boolean): Cause[] {
  const type = stringOf(schema.type)
  const at = `${path}.type`
  const causes: Cause[] = []
  if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    causes.push(type === '' ? required(at, detail) : invalidValue(at, type, detail))
  } else if (type === '' && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    causes.push(required(at, emptyType[level]))
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    causes.push(invalidValue(at, type, 'must be object at the root'))
  }
  return causes
}

const metadataNames = new Set(['name', 'generateName'])

/** Metadata is implied. At the root a schema may only constrain names. */
function metadataRules(schema: JsonSchema, level: Level, resource: boolean, path: string, walk: SchemaWalk): Cause[] {
  const causes: Cause[] = []
  const type = stringOf(schema.type)
  if (resource && type !== 'object') causes.push(invalidValue(`${path}.type`, type, 'must be object'))
  const named = walk
    .propertiesOf(schema)
    .keys()
    .every((name) => metadataNames.has(name))
  const more = Object.keys(schema).some(
    (keyword) => !['type', 'default', 'properties'].includes(keyword) && isSet(schema[keyword]),
  )
  if (level === 'root' && (!named || more)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
    causes.push(forbiddenField(path, detail))
  }
  return causes
}
