// How objects are merged: the types of merging, managed fields, apply and patches. The server's write pipeline and the schemas
// import it; nothing else needs to.

export { applyConfiguration, applySteps } from './managed-fields/apply-configuration.ts'
export { createdFields } from './managed-fields/created-fields.ts'
export { FieldMemory } from './managed-fields/field-memory.ts'
export type { FieldWrite, VersionedTypes } from './managed-fields/field-write.ts'
export type { ManagedFieldsEntry } from './managed-fields/managed-entry.ts'
export { createdFieldsOver, updatedFields } from './managed-fields/updated-fields.ts'
export {
  ANY,
  BOOLEAN,
  type ListKey,
  type MapType,
  METADATA_TYPE,
  type MergeType,
  mapType,
  NUMBER,
  type PatchStrategy,
  SCALAR,
  type ScalarType,
  STRING,
} from './merge/merge-type.ts'
export { applyJsonPatch } from './patch/json-patch.ts'
export { goText } from './patch/strategic-errors.ts'
export { applyStrategicMergePatch } from './patch/strategic-merge-patch.ts'
