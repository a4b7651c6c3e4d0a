// A schema that is compiled with the first object it meets: a start need not wait for kinds that nobody uses.

import { type CompiledSchema, compileSchema, type JsonSchema } from '@homeostat/schema'

/** `schema` may itself be made only then. */
export function lazySchema(schema: JsonSchema | (() => JsonSchema)): CompiledSchema {
  let made: CompiledSchema | undefined
  const compiled = () => {
    made ??= compileSchema(typeof schema === 'function' ? (schema as () => JsonSchema)() : schema, {
      root: 'custom-resource',
    })
    return made
  }
  return {
    prune: (object, done) => compiled().prune(object, done),
    applyDefaults: (object, done) => compiled().applyDefaults(object, done),
    validate: (value, old) => compiled().validate(value, old),
    decodeErrors: (value) => compiled().decodeErrors(value),
  }
}
