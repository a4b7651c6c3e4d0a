// Checks the schema of a version. Validation asks for the causes, and if there are none, the write asks for the
// warnings; those are cached from the first check, since a big schema takes milliseconds.

import { yieldBetween } from '@homeostat/base'
import type { Cause } from '@homeostat/meta'
import type { JsonSchema } from '@homeostat/schema'
import { type DefinitionCheck, definitionSteps, validateDefinitionSchema } from '@homeostat/schema/definition'

/** A schema and the parameters of its check; causes name its path. */
export interface SchemaPlace {
  readonly schema: JsonSchema
  readonly path: string
  readonly statusSubresource: boolean
}

const known = new WeakMap<JsonSchema, readonly string[]>()
/** Results of `checkYielding`, until validation takes them. */
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

/** The warnings of a checked schema. An unchecked one is equal to a checked one, whose warnings suffice. */
export function schemaWarnings(schema: JsonSchema): readonly string[] {
  return known.get(schema) ?? []
}
