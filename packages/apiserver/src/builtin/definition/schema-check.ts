// Checks the schema of a version. Validation asks for the causes, and if there are none, the write asks for the
// warnings; those are cached from the first check, since a big schema takes milliseconds.

import { runToEnd, yieldBetween } from '@homeostat/base'
import type { Cause } from '@homeostat/meta/server'
import type { JsonSchema } from '@homeostat/schema'
import { type DefinitionCheck, definitionSteps } from '@homeostat/schema/definition'
import { usesCel } from '@homeostat/schema/server'
import { loadCel } from '../../registry/load-cel.ts'

/** A schema and the parameters of its check; causes name its path. */
export interface SchemaPlace {
  readonly schema: JsonSchema
  readonly path: string
  readonly statusSubresource: boolean
  /** The definition has the schema already: its rules in CEL are not judged again. */
  readonly stored: boolean
}

/** The checks of the definitions of one server. */
export class SchemaChecks {
  /** What validation warned of, until the write asks for it: a create of a definition looks at its schemas once. */
  readonly #warnings = new WeakMap<JsonSchema, readonly string[]>()
  /** What was looked at ahead, until validation asks for it. */
  readonly #ahead = new WeakMap<JsonSchema, SchemaPlace & { readonly check: DefinitionCheck }>()

  /** Needed for a schema that uses CEL, and for a large one. */
  async checkAhead(place: SchemaPlace): Promise<void> {
    const { schema, path, ...options } = place
    const cel = usesCel(schema) ? await loadCel() : undefined
    const check = await yieldBetween(definitionSteps(schema, path, { ...options, cel }))
    this.#ahead.set(schema, { ...place, check })
  }

  errors({ schema, path, statusSubresource, stored }: SchemaPlace): Cause[] {
    const before = this.#ahead.get(schema)
    this.#ahead.delete(schema)
    const { causes, warnings } =
      before?.path === path && before.statusSubresource === statusSubresource && before.stored === stored
        ? before.check
        : runToEnd(definitionSteps(schema, path, { statusSubresource, stored }))
    this.#warnings.set(schema, warnings)
    return causes
  }

  /** For a schema that has been checked; one that has not, and is the same as one that has, needs no second look. */
  warnings(schema: JsonSchema): readonly string[] {
    return this.#warnings.get(schema) ?? []
  }
}
