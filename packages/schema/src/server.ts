// What a server uses besides. It loads without CEL, which is an argument of what may need it.

export { usesCel } from './compile/uses-cel.ts'
export { compileSchemaSteps } from './compiled-schema.ts'
export { toOpenApiV3 } from './publish/open-api.ts'
