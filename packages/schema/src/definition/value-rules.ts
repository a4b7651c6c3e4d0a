// Rules for schemas below allOf, anyOf, oneOf and not: they may constrain values, but have no types, defaults or extensions.

import { type Cause, forbiddenField, required } from '@homeostat/meta/server'
import { additionalOf, type JsonSchema, schemaOf, schemasOf } from '../json-schema.ts'
import { bounded } from './limits.ts'
import type { SchemaWalk, Steps } from './schema-walk.ts'
import { isSet } from './unsupported.ts'

export type Level = 'root' | 'item' | 'field'

/** `anyOfIsType`: the first anyOf spells out int-or-string and is let through. */
export function* valueRules(
  schema: JsonSchema,
  level: Level,
  path: string,
  walk: SchemaWalk,
  anyOfIsType = isIntOrString(schema),
): Steps<Cause[]> {
  const causes: Cause[] = []
  const allOf = schemasOf(schema.allOf)
  const anyOf = anyOfIsType ? [] : schemasOf(schema.anyOf)
  for (const [i, one] of anyOf.entries()) causes.push(...(yield* nestedRules(one, level, `${path}.anyOf[${i}]`, walk)))
  for (const [i, one] of allOf.entries()) {
    causes.push(...(yield* nestedRules(one, level, `${path}.allOf[${i}]`, walk, i === 0 && isIntOrString(one))))
  }
  for (const [i, one] of schemasOf(schema.oneOf).entries()) {
    causes.push(...(yield* nestedRules(one, level, `${path}.oneOf[${i}]`, walk)))
  }
  const not = schemaOf(schema.not)
  if (not !== undefined) causes.push(...(yield* nestedRules(not, level, `${path}.not`, walk)))
  return bounded(causes)
}

const forbidden: [string, string][] = [
  ['type', 'must be empty to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

function* nestedRules(
  schema: JsonSchema,
  level: Level,
  path: string,
  walk: SchemaWalk,
  anyOfIsType = false,
): Steps<Cause[]> {
  if (walk.isDue()) yield
  const causes = yield* valueRules(schema, level, path, walk, anyOfIsType)
  const items = schemaOf(schema.items)
  if (items !== undefined) causes.push(...(yield* nestedRules(items, level, `${path}.items`, walk)))
  for (const [name, property] of walk.propertiesOf(schema)) {
    causes.push(...(yield* nestedRules(property, 'field', `${path}.properties[${name}]`, walk)))
    if (name === 'metadata') {
      causes.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'))
    }
  }
  const additional = additionalOf(schema.additionalProperties)
  if (additional !== undefined && additional !== false) {
    causes.push(forbiddenField(`${path}.additionalProperties`, 'must be undefined to be structural'))
  }
  for (const [keyword, detail] of forbidden) {
    const given = schema[keyword]
    const present = keyword === 'default' ? given !== undefined && given !== null : isSet(given)
    if (present) causes.push(forbiddenField(`${path}.${keyword}`, detail))
  }
  return bounded(causes)
}

/** `anyOf: [{type: integer}, {type: string}]`, and nothing else in the two. */
function isIntOrString(schema: JsonSchema): boolean {
  const [first, second, ...rest] = schemasOf(schema.anyOf)
  return (
    first !== undefined && second !== undefined && rest.length === 0 && only(first, 'integer') && only(second, 'string')
  )
}

function only(schema: JsonSchema, type: string): boolean {
  return schema.type === type && Object.keys(schema).every((keyword) => keyword === 'type' || !isSet(schema[keyword]))
}

/** Fields and items named in the junctors of the root must be specified outside of them too. */
export function* completeness(
  value: JsonSchema,
  structural: JsonSchema,
  at: string,
  from: string,
  walk: SchemaWalk,
): Steps<Cause[]> {
  const causes: Cause[] = []
  const branches: [string, JsonSchema][] = []
  const not = schemaOf(value.not)
  if (not !== undefined) branches.push([`${from}.not`, not])
  for (const junctor of ['allOf', 'anyOf', 'oneOf']) {
    for (const [i, one] of schemasOf(value[junctor]).entries()) branches.push([`${from}.${junctor}[${i}]`, one])
  }
  for (const [path, branch] of branches) {
    causes.push(...(yield* branchCompleteness(branch, structural, at, path, walk)))
  }
  return bounded(causes)
}

function* branchCompleteness(
  branch: JsonSchema,
  structural: JsonSchema | undefined,
  at: string,
  from: string,
  walk: SchemaWalk,
): Steps<Cause[]> {
  if (walk.isDue()) yield
  if (structural === undefined) return [required(at, `because it is defined in ${from}`)]
  const causes = yield* completeness(branch, structural, at, from, walk)
  const items = schemaOf(branch.items)
  if (items !== undefined) {
    causes.push(...(yield* branchCompleteness(items, schemaOf(structural.items), `${at}.items`, `${from}.items`, walk)))
  }
  const known = walk.propertiesOf(structural)
  for (const [name, property] of walk.propertiesOf(branch)) {
    const key = `properties[${name}]`
    causes.push(...(yield* branchCompleteness(property, known.get(name), `${at}.${key}`, `${from}.${key}`, walk)))
  }
  return bounded(causes)
}
