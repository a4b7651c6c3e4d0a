// What only an API server and its validation need: encoded objects, the limits of JSON, the rules of metadata, causes per field,
// and the errors that no client throws. Patches and apply are in merge.ts.

export { JsonError, type JsonRead } from './json/json-reader.ts'
export { isLight, JsonWeightError, MAX_APPLIED_WEIGHT, MAX_JSON_WEIGHT, weighJson } from './json/json-weight.ts'
export { readSentJson } from './json/read-json.ts'
export { type DecodedObjectMeta, decodeObjectMeta } from './object/decode-object-meta.ts'
export { finalizerWarnings } from './object/finalizers.ts'
export { compareVersions } from './object/group-version.ts'
export { validateObjectMeta, validateObjectMetaUpdate } from './object/validate-object-meta.ts'
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
