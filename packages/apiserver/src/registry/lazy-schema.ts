// A schema that is compiled when its first object arrives, so that the server starts without compiling unused kinds.

import { yieldBetween } from '@homeostat/base'
import { type CompiledSchema, compileSchema, compileSchemaSteps, type JsonSchema } from '@homeostat/schema'

export interface LazySchema extends CompiledSchema {
  /** Compiles the schema ahead of the first object, yielding to the event loop. Undefined when it is compiled. */
  compile(): Promise<void> | undefined
}

/** `schema` may be a function, which is called when the schema is compiled. Of built-in kinds no schema has rules. */
export function lazySchema(schema: JsonSchema | (() => JsonSchema), { rules = false } = {}): LazySchema {
  const options = { root: 'custom-resource', rules } as const
  let made: CompiledSchema | undefined
  let compiling: Promise<void> | undefined
  const source = () => (typeof schema === 'function' ? (schema as () => JsonSchema)() : schema)
  const compiled = () => {
    made ??= compileSchema(source(), options)
    return made
  }
  return {
    compile() {
      if (made !== undefined) return undefined
      compiling ??= yieldBetween(compileSchemaSteps(source(), options)).then((result) => {
        made ??= result
      })
      return compiling
    },
    prune: (object, done) => compiled().prune(object, done),
    applyDefaults: (object, done) => compiled().applyDefaults(object, done),
    validate: (value, old) => compiled().validate(value, old),
    get hasRules() {
      return compiled().hasRules
    },
    checkRules: (value, old) => compiled().checkRules(value, old),
    decodeErrors: (value) => compiled().decodeErrors(value),
  }
}
