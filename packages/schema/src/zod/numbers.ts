// Numbers: whole ones are integers of 64 bits, bounds are folded to the strongest.

import type { JsonSchema } from '../json-schema.ts'
import type { Place, Translate, Walk } from './walk.ts'
import { type Check, checksOf } from './zod-schema.ts'

export const translateNumber: Translate = (walk, schema, place) => {
  let node: JsonSchema = { type: 'number' }
  for (const check of checksOf(schema)) {
    if (check.check === 'overwrite') return afterOverwrite(walk, node, place)
    node = numberCheck(node, check)
  }
  return node
}

/** What comes after `.overwrite()` is said of another number than the one that is written. */
function afterOverwrite(walk: Walk, node: JsonSchema, place: Place): JsonSchema {
  walk.warn(place, 'checks after .overwrite() are made by the operator only')
  return node
}

const formats: Readonly<Record<string, JsonSchema>> = {
  safeint: { type: 'integer', format: 'int64' },
  int32: { type: 'integer', format: 'int32' },
  uint32: { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 32 - 1 },
  float32: { type: 'number', format: 'float' },
  float64: { type: 'number', format: 'double' },
}

function numberCheck(node: JsonSchema, check: Check): JsonSchema {
  switch (check.check) {
    case 'number_format': {
      const format = formats[String(check.format)]
      if (format === undefined) return node
      // The narrowest format stays: `z.int32().int()` is still of 32 bits.
      if (node.type === 'integer' && (format.type !== 'integer' || check.format === 'safeint')) return node
      return withBounds({ ...node, type: format.type, format: format.format }, format)
    }
    case 'greater_than':
      return withMinimum(node, check.value, check.inclusive !== true)
    case 'less_than':
      return withMaximum(node, check.value, check.inclusive !== true)
    case 'multiple_of':
      return withMultiple(node, check.value)
    default:
      return node
  }
}

function withBounds(node: JsonSchema, { minimum, maximum }: JsonSchema): JsonSchema {
  return withMaximum(withMinimum(node, minimum, false), maximum, false)
}

export function withMinimum(node: JsonSchema, value: unknown, exclusive: boolean): JsonSchema {
  if (typeof value !== 'number' || !Number.isFinite(value)) return node
  const old = typeof node.minimum === 'number' ? node.minimum : Number.NEGATIVE_INFINITY
  if (value < old || (value === old && !exclusive)) return node
  const { exclusiveMinimum: _, ...rest } = node
  return { ...rest, minimum: value, ...(exclusive && { exclusiveMinimum: true }) }
}

export function withMaximum(node: JsonSchema, value: unknown, exclusive: boolean): JsonSchema {
  if (typeof value !== 'number' || !Number.isFinite(value)) return node
  const old = typeof node.maximum === 'number' ? node.maximum : Number.POSITIVE_INFINITY
  if (value > old || (value === old && !exclusive)) return node
  const { exclusiveMaximum: _, ...rest } = node
  return { ...rest, maximum: value, ...(exclusive && { exclusiveMaximum: true }) }
}

function withMultiple(node: JsonSchema, value: unknown): JsonSchema {
  if (typeof value !== 'number') return node
  if (node.multipleOf === undefined) return { ...node, multipleOf: value }
  const more = Array.isArray(node.allOf) ? node.allOf : []
  return { ...node, allOf: [...more, { multipleOf: value }] }
}
