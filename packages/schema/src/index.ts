// Structural schemas: what other packages may use.

export { type CompiledSchema, type CompileOptions, compileSchema, compileSchemaSteps } from './compiled-schema.ts'
export type { JsonSchema } from './json-schema.ts'
export { toOpenApiV3 } from './publish/open-api.ts'
export type { RuleFindings } from './rules/rule-run.ts'
