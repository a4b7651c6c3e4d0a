// Structural schemas: what operators and other packages that have CEL at hand may use.

export type { CompiledSchema, CompileOptions } from './compiled-schema.ts'
export type { JsonSchema } from './json-schema.ts'
export type { RuleFindings } from './rules/rule-run.ts'
export { compileSchema } from './with-cel.ts'
