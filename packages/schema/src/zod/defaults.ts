// Defaults as the server fills them in: on the way in, so that the value is one that could have been written.

import { deepEqual } from '@homeostat/meta'
import { $ZodError, encode } from 'zod/v4/core'
import { type JsonSchema, schemaOf, stringsOf } from '../json-schema.ts'
import { compileSchema } from '../with-cel.ts'
import type { Place, Translate, Walk } from './walk.ts'
import { wireValue } from './wire-value.ts'
import { defOf, schemaAt, type ZodSchema } from './zod-schema.ts'

export const translateDefault: Translate = (walk, schema, place) => {
  const inner = schemaAt(schema, 'innerType')
  return withDefault(walk, schema, place, walk.node(inner, place), (value) => encode(inner, value))
}

/** Here the value is one of the input already. */
export const translatePrefault: Translate = (walk, schema, place) => {
  return withDefault(walk, schema, place, walk.node(schemaAt(schema, 'innerType'), place), (value) => value)
}

function withDefault(
  walk: Walk,
  schema: ZodSchema,
  place: Place,
  node: JsonSchema,
  toInput: (value: unknown) => unknown,
): JsonSchema {
  const def = defOf(schema)
  try {
    const value = wireValue(toInput(def.defaultValue))
    if (!deepEqual(value, wireValue(toInput(def.defaultValue)))) {
      walk.warn(place, 'the default is another one each time: the operator fills it in, the stored object has none')
      return node
    }
    // Servers take a default of null for none; Zod fills it in.
    return value === null ? node : { ...node, default: value }
  } catch (error) {
    if (isOneWay(error)) {
      walk.warn(
        place,
        'the default is filled in by the operator only, since .transform() cannot be undone: use .prefault()',
      )
    } else if (error instanceof $ZodError || error instanceof TypeError) {
      walk.problem(place, `the default is not valid: ${messageOf(error)}`)
    } else throw error
    return node
  }
}

/** By name, since the error may come from another copy of Zod. */
function isOneWay(error: unknown): boolean {
  return error instanceof Error && error.name === 'ZodEncodeError'
}

function messageOf(error: $ZodError | TypeError): string {
  return error instanceof TypeError ? error.message : error.issues.map((issue) => issue.message).join('; ')
}

/**
 * A server fills in the defaults inside an object only when the object is there. Objects that need nothing and have
 * defaults inside get the default `{}`, so that leaving them out is the same as leaving them empty.
 */
export function hoistDefaults(node: JsonSchema): JsonSchema {
  const result = { ...node }
  const items = schemaOf(node.items)
  if (items !== undefined) result.items = hoistDefaults(items)
  const additional = schemaOf(node.additionalProperties)
  if (additional !== undefined) result.additionalProperties = hoistDefaults(additional)
  const properties = schemaOf(node.properties)
  if (properties === undefined) return result
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, hoistDefaults(schemaOf(field) ?? {})] as const,
  )
  const hoisted = new Set<string>()
  const required = stringsOf(node.required)
  result.properties = Object.fromEntries(
    fields.map(([name, field]) => {
      if (!required.includes(name) || !fillsItself(field)) return [name, field]
      hoisted.add(name)
      return [name, { ...field, default: {} }]
    }),
  )
  const left = required.filter((name) => !hoisted.has(name))
  delete result.required
  return left.length > 0 ? { ...result, required: left } : result
}

/** Whether nothing has to be written in an object and something is filled in. */
export function fillsItself(node: JsonSchema): boolean {
  if (node.type !== 'object' || node.default !== undefined || stringsOf(node.required).length > 0) return false
  const fields = Object.values(schemaOf(node.properties) ?? {})
  if (!fields.some((field) => schemaOf(field)?.default !== undefined)) return false
  return compileSchema(node, { root: 'object' }).validate({}).length === 0
}
