// The object model of the Kubernetes API, pure: no clock, no disk, no network.

export { deepClone, deepEqual } from './json/deep.ts'
export { isObject } from './json/is-object.ts'
export { JsonError, type JsonRead } from './json/json-reader.ts'
export type { JsonObject, JsonValue } from './json/json-value.ts'
export { isLight, JsonWeightError, MAX_APPLIED_WEIGHT, MAX_JSON_WEIGHT, weighJson } from './json/json-weight.ts'
export { parseJson } from './json/parse-json.ts'
export { readJson, readSentJson } from './json/read-json.ts'
export { writeJson } from './json/write-json.ts'
export { type JsonPath, parseJsonPath } from './json-path/json-path.ts'
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
export { generateName } from './names/generate-name.ts'
export {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValue,
  pathSegmentName,
  qualifiedName,
} from './names/names.ts'
export { type Condition, findCondition, setCondition } from './object/conditions.ts'
export { type DecodedObjectMeta, decodeObjectMeta } from './object/decode-object-meta.ts'
export { finalizerWarnings } from './object/finalizers.ts'
export { compareVersions, formatGroupVersion, parseGroupVersion } from './object/group-version.ts'
export type { KubeObject, ObjectMeta, ObjectName, OwnerReference } from './object/object.ts'
export {
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object/validate-object-meta.ts'
export {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from './quantity/quantity.ts'
export { parseFieldSelector } from './selector/field-selector.ts'
export type { LabelRequirement } from './selector/label-requirement.ts'
export {
  type LabelSelector,
  labelSelector,
  parseLabelSelector,
} from './selector/label-selector.ts'
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
export type { Reason, Status } from './status/status.ts'
export { isStatusError, StatusError } from './status/status-error.ts'
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  failure,
  forbidden,
  generateNameConflict,
  holdsTooMuch,
  internalError,
  invalid,
  invalidOptions,
  methodNotAllowed,
  notAcceptable,
  notFound,
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
export { type Duration, humanDuration, milliseconds, parseGoDuration } from './time/duration.ts'
export { LAST_TIME, parseRfc3339, rfc3339, rfc3339Micro } from './time/rfc3339.ts'
