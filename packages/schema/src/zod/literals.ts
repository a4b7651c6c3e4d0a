// Literals and enums: one enum with the type that its values have.

import { writeJson } from '@homeostat/meta'
import type { JsonSchema } from '../json-schema.ts'
import { withNull } from './nullable.ts'
import type { Place, Translate, Walk } from './walk.ts'
import { defOf } from './zod-schema.ts'

export const translateLiteral: Translate = (walk, schema, place) => {
  const { values } = defOf(schema)
  return enumOf(walk, Array.isArray(values) ? values : [], place)
}

export const translateEnum: Translate = (walk, schema, place) => {
  const entries = (defOf(schema).entries ?? {}) as Record<string, string | number>
  // A TypeScript enum with numbers has its names as values, too.
  const numbers = Object.values(entries).filter((value) => typeof value === 'number')
  const values = Object.entries(entries).filter(([key]) => !numbers.includes(Number(key)))
  return enumOf(
    walk,
    values.map(([, value]) => value),
    place,
  )
}

function enumOf(walk: Walk, given: readonly unknown[], place: Place): JsonSchema {
  const values = given
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === 'bigint' ? `${value}` : value))
  const known = [...new Set(values.filter((value) => value !== null))]
  const type = typeFor(known)
  if (type === undefined) {
    const shown = known.map((value) => writeJson(value)).join(', ')
    walk.problem(place, `the values ${shown} have no common type: use values of one type, or whole numbers and strings`)
    return {}
  }
  const node = { ...type, enum: known }
  return values.includes(null) ? withNull(node) : node
}

function typeFor(values: readonly unknown[]): JsonSchema | undefined {
  if (values.length === 0) return undefined
  const text = (value: unknown) => typeof value === 'string'
  if (values.every(text)) return { type: 'string' }
  if (values.every((value) => typeof value === 'boolean')) return { type: 'boolean' }
  if (values.every(Number.isInteger)) return { type: 'integer' }
  if (values.every((value) => typeof value === 'number')) return { type: 'number' }
  if (values.every((value) => text(value) || Number.isInteger(value))) return { 'x-kubernetes-int-or-string': true }
  return undefined
}
