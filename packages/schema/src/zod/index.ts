// Zod schemas as structural schemas.

export { fillsItself } from './defaults.ts'
export { k8s } from './k8s.ts'
export type { ColumnMeta } from './metadata.ts'
export { SchemaError, type Structural, type StructuralOptions, structuralSchema } from './structural-schema.ts'
export type { Column, ScalePaths } from './walk.ts'
export { fromWire, toWire } from './wire.ts'
export { wireValue } from './wire-value.ts'
export type { ZodSchema } from './zod-schema.ts'
