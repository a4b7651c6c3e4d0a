// One walk of the rules through a schema: it says when to give way, and sorts the properties of a place once for all
// rules. Work between two yields must depend on the schemas looked at, never on how many there are in all.

import { type JsonSchema, namedSchemasOf } from '../json-schema.ts'

/** A check that yields between its steps and returns what it found. */
export type Steps<T> = Generator<undefined, T, undefined>

/** So many schemas are looked at in one step: well below a millisecond of work for most rules. */
const SCHEMAS_PER_STEP = 256

export class SchemaWalk {
  #left = SCHEMAS_PER_STEP
  readonly #properties = new Map<JsonSchema, ReadonlyMap<string, JsonSchema>>()

  /** Call it once for each schema; when true, yield before the next. */
  isDue(): boolean {
    if (--this.#left > 0) return false
    this.#left = SCHEMAS_PER_STEP
    return true
  }

  /** The properties in name order. */
  propertiesOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
    let properties = this.#properties.get(schema)
    if (properties === undefined) {
      properties = new Map(namedSchemasOf(schema.properties))
      this.#properties.set(schema, properties)
    }
    return properties
  }
}
