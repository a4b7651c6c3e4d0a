// The object model for everybody who speaks the Kubernetes API: operators, executors, clients, add-ons, the server. Pure, and
// fit for browsers: no clock, no disk, no network. What only an API server needs is in server.ts.

export { deepClone, deepEqual } from './json/deep.ts'
export { isObject } from './json/is-object.ts'
export type { JsonValue } from './json/json-value.ts'
export { parseJson } from './json/parse-json.ts'
export { readJson } from './json/read-json.ts'
export { writeJson } from './json/write-json.ts'
export { type AbsentField, extractFields } from './managed-fields/extract-fields.ts'
export type { FieldSet } from './managed-fields/field-set.ts'
export { compareTexts } from './managed-fields/text-order.ts'
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
export { formatGroupVersion, parseGroupVersion } from './object/group-version.ts'
export type { KubeObject, ObjectMeta, ObjectName, OwnerReference } from './object/object.ts'
export { applyMergePatch } from './patch/merge-patch.ts'
export {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isQuantityText,
  parseQuantity,
  type Quantity,
} from './quantity/quantity.ts'
export { parseFieldSelector } from './selector/field-selector.ts'
export type { LabelRequirement } from './selector/label-requirement.ts'
export { type LabelSelector, labelSelector, parseLabelSelector } from './selector/label-selector.ts'
export { selectorOf } from './selector/selector-of.ts'
export type { Reason, Status } from './status/status.ts'
export { isStatusError, StatusError } from './status/status-error.ts'
export {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  internalError,
  invalid,
  notFound,
} from './status/status-errors.ts'
export { type Duration, humanDuration, milliseconds, parseGoDuration } from './time/duration.ts'
export { LAST_TIME, parseRfc3339, rfc3339, rfc3339Micro } from './time/rfc3339.ts'
