// Checks the schema of a version. Validation asks for what is wrong, and when nothing is, the write asks for the
// warnings: those are kept from the first look, since a big schema takes milliseconds.

import type { Cause } from '@homeostat/meta'
import { type JsonSchema, validateDefinitionSchema } from '@homeostat/schema'

const known = new WeakMap<JsonSchema, readonly string[]>()

export function schemaErrors(schema: JsonSchema, path: string, statusSubresource: boolean): Cause[] {
  const { causes, warnings } = validateDefinitionSchema(schema, path, { statusSubresource })
  known.set(schema, warnings)
  return causes
}

/** For a schema that has been checked; one that has not, and is the same as one that has, needs no second look. */
export function schemaWarnings(schema: JsonSchema): readonly string[] {
  return known.get(schema) ?? []
}
