// Checks the status that a function returned and prepares it for the apply. Pure. A field that is not in the schema is
// the author's mistake: the compiler does not see excess fields, and the server prunes them silently.

import { wireValue } from '@homeostat/schema/zod'
import type { StatusSchema } from '../resources/custom-resource-types.ts'
import { terminal } from '../runtime/outcome.ts'

type Fields = Readonly<Record<string, unknown>>

/** `partial` is the schema with all fields optional. Zod compiles it on first use, so callers keep it. */
export function statusFields(schema: StatusSchema, status: Fields = {}, partial = schema?.partial()): Fields {
  const present = Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined))
  if (!schema || !partial) return wireValue(present) as Fields
  const parsed = partial.safeParse(present)
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
