// Converts between Zod's values and JSON. Zod has Date, bigint, Set and Map; JSON has strings, lists and objects. `z.date()`
// refuses the string that users must write, so the string becomes a Date before Zod parses it.

import { isObject } from '@homeostat/meta'
import { encode, type output, safeParse } from 'zod/v4/core'
import { wireValue } from './wire-value.ts'
import { defOf, isZod, lazyOf, pipeInput, schemaAt, schemasAt, shapeOf, typeOf, type ZodSchema } from './zod-schema.ts'

/** What is written for a value that Zod gave: codecs are run backwards. Throws for a transformation without a way back. */
export function toWire<S extends ZodSchema>(schema: S, value: output<S>): unknown {
  return wireValue(encode(schema, value))
}

/** What Zod can read for what was written. What does not fit stays as it is: Zod says what is wrong with it. */
export function fromWire(schema: ZodSchema, value: unknown): unknown {
  return hasForeign(schema) ? read(schema, value) : value
}

type Read = (schema: ZodSchema, value: unknown) => unknown

const inner: Read = (schema, value) => read(schemaAt(schema, 'innerType'), value)

const readers: Readonly<Record<string, Read>> = {
  date: (_, value) => (typeof value === 'string' ? dateOf(value) : value),
  bigint: (_, value) => (typeof value === 'string' && /^-?[0-9]+$/.test(value) ? BigInt(value) : value),
  literal: (schema, value) => {
    const values = defOf(schema).values
    const found = Array.isArray(values) && values.find((one) => typeof one === 'bigint' && `${one}` === value)
    return typeof found === 'bigint' ? found : value
  },
  set: (schema, value) => {
    const item = schemaAt(schema, 'valueType')
    return Array.isArray(value) ? new Set(value.map((one) => read(item, one))) : value
  },
  map: (schema, value) => {
    const item = schemaAt(schema, 'valueType')
    return isObject(value) ? new Map(Object.entries(value).map(([key, one]) => [key, read(item, one)])) : value
  },
  array: (schema, value) => {
    const item = schemaAt(schema, 'element')
    return Array.isArray(value) ? value.map((one) => read(item, one)) : value
  },
  tuple: (schema, value) => {
    const members = schemasAt(schema, 'items')
    const { rest } = defOf(schema)
    if (!Array.isArray(value)) return value
    return value.map((one, index) => {
      const member = members[index] ?? rest
      return isZod(member) ? read(member, one) : one
    })
  },
  object: (schema, value) => {
    const shape = new Map(shapeOf(schema))
    const { catchall } = defOf(schema)
    return fields(value, (name) => shape.get(name) ?? (isZod(catchall) ? catchall : undefined))
  },
  record: (schema, value) => {
    const item = schemaAt(schema, 'valueType')
    return fields(value, () => item)
  },
  union: (schema, value) => {
    for (const option of schemasAt(schema, 'options')) {
      const candidate = read(option, value)
      if (safeParse(option, candidate).success) return candidate
    }
    return value
  },
  intersection: (schema, value) => read(schemaAt(schema, 'right'), read(schemaAt(schema, 'left'), value)),
  lazy: (schema, value) => read(lazyOf(schema), value),
  pipe: (schema, value) => read(pipeInput(schema), value),
  optional: inner,
  nonoptional: inner,
  nullable: inner,
  default: inner,
  prefault: inner,
  catch: inner,
  readonly: inner,
}

function read(schema: ZodSchema, value: unknown): unknown {
  if (value === undefined || value === null) return value
  const reader = readers[typeOf(schema)]
  return reader === undefined ? value : reader(schema, value)
}

function fields(value: unknown, schemaFor: (name: string) => ZodSchema | undefined): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const schema = schemaFor(name)
      return [name, schema === undefined ? one : read(schema, one)]
    }),
  )
}

function dateOf(text: string): unknown {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) || !/^\d{4}-\d\d-\d\d[Tt]/.test(text) ? text : date
}

const foreign = new Set(['date', 'bigint', 'set', 'map'])
const known = new WeakMap<ZodSchema, boolean>()

/** Whether anything inside is no JSON. Most schemas have nothing of the kind, and their values need no copy. */
function hasForeign(schema: ZodSchema): boolean {
  const remembered = known.get(schema)
  if (remembered !== undefined) return remembered
  const seen = new Set<ZodSchema>([schema])
  let found = false
  for (const one of seen) {
    const values = defOf(one).values
    found ||= foreign.has(typeOf(one)) || (Array.isArray(values) && values.some((value) => typeof value === 'bigint'))
    for (const part of partsOf(one)) seen.add(part)
  }
  known.set(schema, found)
  return found
}

function partsOf(schema: ZodSchema): ZodSchema[] {
  if (typeOf(schema) === 'lazy') return [lazyOf(schema)]
  const parts = ['innerType', 'element', 'valueType', 'rest', 'in', 'out', 'left', 'right', 'catchall']
  const single = parts.map((part) => defOf(schema)[part]).filter(isZod)
  const fieldSchemas = typeOf(schema) === 'object' ? shapeOf(schema).map(([, field]) => field) : []
  return [...single, ...schemasAt(schema, 'options'), ...schemasAt(schema, 'items'), ...fieldSchemas]
}
