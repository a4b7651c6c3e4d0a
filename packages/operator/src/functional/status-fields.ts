// The status that a function returned, as it goes to the server. Pure. What does not fit the schema is a mistake of the
// author: the compiler does not see fields too many, and the server drops them without a word.

import { wireValue } from '@homeostat/schema/zod'
import type { z } from 'zod'
import type { StatusSchema } from '../resources/custom-resource-types.ts'
import { terminal } from '../runtime/outcome.ts'

type Fields = Readonly<Record<string, unknown>>

export function statusFields(schema: StatusSchema, status: Fields = {}): Fields {
  const present = Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined))
  if (!schema) return wireValue(present) as Fields
  const parsed = partialOf(schema).safeParse(present)
  const issues = parsed.success ? [] : parsed.error.issues
  const isOpen = schema._zod.def.catchall !== undefined
  const unknown = isOpen ? [] : Object.keys(present).filter((field) => !Object.hasOwn(schema.shape, field))
  const problems = [
    ...issues.map(({ path, message }) => `${['status', ...path].join('.')}: ${message}`),
    ...unknown.map((field) => `status.${field}: the schema has no such field`),
  ]
  if (problems.length === 0) return wireValue(present) as Fields
  throw terminal(new Error(`the returned status does not fit its schema: ${problems.join('; ')}`), 'InvalidStatus')
}

const partials = new WeakMap<z.ZodObject, z.ZodObject>()

/** A schema is compiled with its first use, which takes longer than all else in here. */
function partialOf(schema: z.ZodObject): z.ZodObject {
  const known = partials.get(schema)
  if (known) return known
  const partial = schema.partial()
  partials.set(schema, partial)
  return partial
}
