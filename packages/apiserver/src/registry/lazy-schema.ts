// A schema that is compiled with the first object it meets: a start need not wait for kinds that nobody uses.

import { type CompiledSchema, compileSchema, type JsonSchema } from '@homeostat/schema'

export function lazySchema(schema: JsonSchema): CompiledSchema {
  let made: CompiledSchema | undefined
  const compiled = () => {
    made ??= compileSchema(schema, { root: 'custom-resource' })
    return made
  }
  return {
    prune: (object) => compiled().prune(object),
    applyDefaults: (object) => compiled().applyDefaults(object),
    validate: (value, old) => compiled().validate(value, old),
    decodeErrors: (value) => compiled().decodeErrors(value),
  }
}
