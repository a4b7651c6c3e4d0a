// The selectableFields of a definition: which paths are valid, and how field selectors read them from an object.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, duplicate, invalidValue, required, tooMany } from '@homeostat/meta/server'
import type { JsonSchema } from '@homeostat/schema'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { DefinitionVersion } from './definition.ts'

type SelectableFields = NonNullable<DefinitionVersion['selectableFields']>

const MAX_FIELDS = 8
const TYPES = ['string', 'boolean', 'integer']
const TYPE_RULE =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'

export function selectableFieldErrors(fields: SelectableFields, schema: JsonSchema, path: string): Cause[] {
  const causes: Cause[] = []
  const seen = new Set<string>()
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`
    if (jsonPath === '') {
      causes.push(required(at))
      continue
    }
    const found = follow(jsonPath, schema)
    if (found.problem !== undefined) {
      causes.push(invalidValue(at, jsonPath, `is an invalid path: ${found.problem}`))
      continue
    }
    if (found.steps[0] === 'metadata') causes.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'))
    if (!TYPES.includes(String(found.schema?.type))) causes.push(invalidValue(at, jsonPath, TYPE_RULE))
    const place = JSON.stringify(found.steps)
    if (seen.has(place)) causes.push(duplicate(at, jsonPath))
    seen.add(place)
  }
  if (seen.size > MAX_FIELDS) causes.push(tooMany(path, seen.size, MAX_FIELDS))
  return causes
}

/** By the names in field selectors: paths without the leading dot. */
export function selectableFields(fields: SelectableFields = []): ResourceType['selectableFields'] {
  return Object.fromEntries(
    fields.map(({ jsonPath }) => {
      const name = jsonPath.replace(/^\./, '')
      const steps = name.split('.')
      return [name, (object: KubeObject) => textAt(object, steps)]
    }),
  )
}

interface Followed {
  readonly steps: readonly string[]
  readonly schema?: JsonSchema | undefined
  readonly problem?: string
}

/** A path has only dots and names; a name is a property, or a key where the schema has a map. */
function follow(jsonPath: string, root: JsonSchema): Followed {
  const tokens = jsonPath.match(/[.[\]]|[^.[\]]+/g) ?? []
  const steps: string[] = []
  let schema: JsonSchema | undefined = root
  for (let i = 0; i < tokens.length; i += 2) {
    const [token = '', name] = tokens.slice(i, i + 2)
    if (token === '[') return { steps, problem: 'array notation is not allowed' }
    if (token !== '.') return { steps, problem: `expected [ or . but got: ${token}` }
    if (name === undefined) return { steps, problem: 'unexpected end of JSON path' }
    const next = below(schema, name)
    if (next === 'nothing') return { steps, problem: 'does not refer to a valid field' }
    steps.push(name)
    schema = next
  }
  return { steps, schema }
}

/** Undefined for the values of a map without a schema. */
function below(schema: JsonSchema | undefined, name: string): JsonSchema | undefined | 'nothing' {
  const { properties, additionalProperties } = schema ?? {}
  if (isObject(properties)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    return isObject(property) ? property : 'nothing'
  }
  if (isObject(additionalProperties)) return additionalProperties
  return additionalProperties === undefined ? 'nothing' : undefined
}

function textAt(object: KubeObject, steps: readonly string[]): string {
  let value: unknown = object
  for (const step of steps) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  return value === undefined || value === null ? '' : String(value)
}
