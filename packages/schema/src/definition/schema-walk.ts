// One walk of the rules over a schema: it says when to yield, and sorts the properties of a node once for all rules. The
// work between two yields must depend on the schemas visited, never on their total number.

import { type JsonSchema, namedSchemasOf } from '../json-schema.ts'

/** A check that yields between its steps and returns what it found. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Schemas visited in one step: well below a millisecond of work for most rules. */
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
