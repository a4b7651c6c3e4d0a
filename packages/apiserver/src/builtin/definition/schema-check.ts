// Checks the schema of a version. Validation asks for what is wrong, and when nothing is, the write asks for the
// warnings: those are kept from the first look, since a big schema takes milliseconds.

import { yieldBetween } from '@homeostat/base'
import type { Cause } from '@homeostat/meta'
import type { JsonSchema } from '@homeostat/schema'
import { type DefinitionCheck, definitionSteps, validateDefinitionSchema } from '@homeostat/schema/definition'

/** A schema, and how it is looked at: what is wrong is told by its path. */
export interface SchemaPlace {
  readonly schema: JsonSchema
  readonly path: string
  readonly statusSubresource: boolean
}

const known = new WeakMap<JsonSchema, readonly string[]>()
/** What was looked at in turns, until validation asks for it. */
const ahead = new WeakMap<JsonSchema, SchemaPlace & { readonly check: DefinitionCheck }>()

export async function checkYielding(place: SchemaPlace): Promise<void> {
  const { schema, path, statusSubresource } = place
  ahead.set(schema, { ...place, check: await yieldBetween(definitionSteps(schema, path, { statusSubresource })) })
}

export function schemaErrors(schema: JsonSchema, path: string, statusSubresource: boolean): Cause[] {
  const before = ahead.get(schema)
  ahead.delete(schema)
  const { causes, warnings } =
    before?.path === path && before.statusSubresource === statusSubresource
      ? before.check
      : validateDefinitionSchema(schema, path, { statusSubresource })
  known.set(schema, warnings)
  return causes
}

/** For a schema that has been checked; one that has not, and is the same as one that has, needs no second look. */
export function schemaWarnings(schema: JsonSchema): readonly string[] {
  return known.get(schema) ?? []
}
