// The same in one go, with CEL at hand: for operators, whose schemas are compiled where nobody can wait. A server uses the
// steps, and loads CEL when a schema needs it.

import { runToEnd } from '@homeostat/base'
import * as cel from '@homeostat/cel'
import { type CompiledSchema, type CompileOptions, compileSchemaSteps } from './compiled-schema.ts'
import { type DefinitionCheck, type DefinitionOptions, definitionSteps } from './definition/index.ts'
import type { JsonSchema } from './json-schema.ts'

export function compileSchema(schema: JsonSchema, options: Omit<CompileOptions, 'cel'>): CompiledSchema {
  return runToEnd(compileSchemaSteps(schema, { ...options, cel }))
}

/** Fields of causes start with `path`. */
export function validateDefinitionSchema(
  schema: JsonSchema,
  path: string,
  options: Omit<DefinitionOptions, 'cel'> = {},
): DefinitionCheck {
  return runToEnd(definitionSteps(schema, path, { ...options, cel }))
}
