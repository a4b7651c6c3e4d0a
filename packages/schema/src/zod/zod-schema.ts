// Reads the definition, the checks and the metadata of a Zod schema. The only file that accesses `_zod`.
// Never `_zod.bag`, which some releases leave empty, and never Zod's own JSON Schema, which no API server accepts.

import { globalRegistry } from 'zod'
import type { $ZodType } from 'zod/v4/core'

export type ZodSchema = $ZodType

/** A definition with what its type has; every part is read as unknown, since releases differ. */
export type Def = Readonly<Record<string, unknown>> & { readonly type: string }

export type Check = Readonly<Record<string | symbol, unknown>> & { readonly check: string }

export function defOf(schema: ZodSchema): Def {
  return schema._zod.def as unknown as Def
}

export function typeOf(schema: ZodSchema): string {
  return schema._zod.def.type
}

/** A format such as `z.email()` is a check of the schema itself. */
export function checksOf(schema: ZodSchema): Check[] {
  const def = defOf(schema)
  const own = typeof def.check === 'string' ? [def as unknown as Check] : []
  const more = (schema._zod.def.checks ?? []).map((check) => check._zod.def as unknown as Check)
  return [...own, ...more]
}

export function metaOf(schema: ZodSchema): Readonly<Record<string, unknown>> {
  // The method asks the registry of the schema's own copy of Zod; schemas of zod/mini have none.
  const own = (schema as { meta?: () => unknown }).meta
  const meta = typeof own === 'function' ? own.call(schema) : globalRegistry.get(schema)
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : {}
}

export function isZod(value: unknown): value is ZodSchema {
  return typeof value === 'object' && value !== null && '_zod' in value
}

export function schemaAt(schema: ZodSchema, part: string): ZodSchema {
  const inner = defOf(schema)[part]
  if (!isZod(inner)) throw new TypeError(`a Zod schema of type ${typeOf(schema)} has no ${part}: use zod 4.1 or later`)
  return inner
}

export function schemasAt(schema: ZodSchema, part: string): ZodSchema[] {
  const inner = defOf(schema)[part]
  return Array.isArray(inner) ? inner.filter(isZod) : []
}

export function shapeOf(schema: ZodSchema): [string, ZodSchema][] {
  const shape = defOf(schema).shape
  if (typeof shape !== 'object' || shape === null) return []
  return Object.entries(shape).filter((entry): entry is [string, ZodSchema] => isZod(entry[1]))
}

export function lazyOf(schema: ZodSchema): ZodSchema {
  const { getter } = defOf(schema)
  const inner: unknown = typeof getter === 'function' ? getter() : undefined
  if (!isZod(inner)) throw new TypeError('z.lazy() has to return a schema')
  return inner
}

/** Of a pipe: the schema of what is written. `preprocess` takes anything, so that what comes after it counts. */
export function pipeInput(schema: ZodSchema): ZodSchema {
  const input = schemaAt(schema, 'in')
  return typeOf(input) === 'transform' ? schemaAt(schema, 'out') : input
}

/** Whether a field of this schema may be left out by who writes it. */
export function isOptional(schema: ZodSchema): boolean {
  switch (typeOf(schema)) {
    case 'catch':
      return true
    case 'nullable':
    case 'readonly':
      return isOptional(schemaAt(schema, 'innerType'))
    case 'pipe':
      return isOptional(pipeInput(schema))
    default:
      return schema._zod.optin !== undefined
  }
}
