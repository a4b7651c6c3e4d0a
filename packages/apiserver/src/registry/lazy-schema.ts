// A schema that is compiled when its first object arrives, so that the server starts without compiling unused kinds.

import { runToEnd, yieldBetween } from '@homeostat/base'
import type { Cel } from '@homeostat/cel/without-compiler'
import type { CompiledSchema, JsonSchema } from '@homeostat/schema'
import { compileSchemaSteps, usesCel } from '@homeostat/schema/server'
import { loadCel } from './load-cel.ts'

export interface LazySchema extends CompiledSchema {
  /**
   * Compiles the schema ahead of the first object, yielding to the event loop. Undefined when it is compiled. Before it, a
   * schema that uses CEL can prune and default, and no more.
   */
  compile(): Promise<void> | undefined
}

/** `schema` may be a function, which is called when the schema is compiled. Of built-in kinds no schema has rules. */
export function lazySchema(schema: JsonSchema | (() => JsonSchema), { rules = false } = {}): LazySchema {
  let made: CompiledSchema | undefined
  let compiling: Promise<void> | undefined
  const source = () => (typeof schema === 'function' ? (schema as () => JsonSchema)() : schema)
  const steps = (cel?: Cel) => compileSchemaSteps(source(), { root: 'custom-resource', rules, cel })
  const compileWhole = async () => {
    made = await yieldBetween(steps(usesCel(source()) ? await loadCel() : undefined))
  }
  const compiled = () => {
    made ??= runToEnd(steps())
    return made
  }
  return {
    compile() {
      if (made?.isWhole) return undefined
      compiling ??= compileWhole()
      return compiling
    },
    prune: (object, done) => compiled().prune(object, done),
    applyDefaults: (object, done) => compiled().applyDefaults(object, done),
    get isWhole() {
      return compiled().isWhole
    },
    validate: (value, old) => compiled().validate(value, old),
    get hasRules() {
      return compiled().hasRules
    },
    get judgesTypeNames() {
      return compiled().judgesTypeNames
    },
    checkRules: (value, old) => compiled().checkRules(value, old),
    decodeErrors: (value) => compiled().decodeErrors(value),
  }
}
