export { createEnvironment } from './environment.ts'
export { compileRe2 } from './re2.ts'
export { jsonOf } from './values/json-of.ts'
export * from './without-compiler.ts'
