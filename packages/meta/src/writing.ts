// What only writes need: managed fields and patches. An entry of its own, since a server that starts reads first.

export { type ApplyWrite, applyConfiguration, applySteps } from './managed-fields/apply-configuration.ts'
export { createdFields } from './managed-fields/created-fields.ts'
export { type AbsentField, extractFields } from './managed-fields/extract-fields.ts'
export type { FieldSet } from './managed-fields/field-set.ts'
export type { FieldWrite, VersionedTypes } from './managed-fields/field-write.ts'
export type { ManagedFieldsEntry } from './managed-fields/managed-entry.ts'
export { createdFieldsOver, updatedFields } from './managed-fields/updated-fields.ts'
export { applyJsonPatch } from './patch/json-patch.ts'
export { JsonPatchError, type JsonPatchProblem } from './patch/json-patch-error.ts'
export { applyMergePatch } from './patch/merge-patch.ts'
export { goText } from './patch/strategic-errors.ts'
export { applyStrategicMergePatch } from './patch/strategic-merge-patch.ts'
