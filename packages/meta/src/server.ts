// What only an API server and its validation need: managed fields, patches, merge types, encoded objects, the limits of JSON,
// the rules of metadata, and the errors that no client throws.

export { JsonError, type JsonRead } from './json/json-reader.ts'
export { isLight, JsonWeightError, MAX_APPLIED_WEIGHT, MAX_JSON_WEIGHT, weighJson } from './json/json-weight.ts'
export { readSentJson } from './json/read-json.ts'
export { type JsonPath, parseJsonPath } from './json-path/json-path.ts'
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
export { type DecodedObjectMeta, decodeObjectMeta } from './object/decode-object-meta.ts'
export { finalizerWarnings } from './object/finalizers.ts'
export { compareVersions } from './object/group-version.ts'
export { validateObjectMeta, validateObjectMetaUpdate } from './object/validate-object-meta.ts'
export { applyJsonPatch } from './patch/json-patch.ts'
export { goText } from './patch/strategic-errors.ts'
export { applyStrategicMergePatch } from './patch/strategic-merge-patch.ts'
export {
  type Cause,
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './status/field-causes.ts'
export {
  expired,
  failure,
  generateNameConflict,
  holdsTooMuch,
  invalidOptions,
  methodNotAllowed,
  notAcceptable,
  pathNotAllowed,
  pathNotFound,
  requestEntityTooLarge,
  serviceUnavailable,
  timeout,
  tooLargeResourceVersion,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
} from './status/status-errors.ts'
export { type Encoded, encodeObject, spliceRevision } from './stored/encode-object.ts'
export { readStored, storedMetadata } from './stored/read-stored.ts'
