// What is known of expressions without compiling any: types, limits, errors, what programs are. It is small, for a program that loads
// the rest with the first expression that it sees.

export type { AuthorizationAnswer, AuthorizationQuestion, Authorize } from './authorizer.ts'
export { CelError, type CelErrorCode, isCelError } from './cel-error.ts'
export type {
  Cel,
  CelEnvironment,
  CelProgram,
  Compilation,
  CostEstimate,
  EnvironmentOptions,
  Evaluation,
} from './contract.ts'
export { authorizerType, authorizerValue, resourceCheckType, resourceCheckValue } from './library/authorization.ts'
export {
  definitionCostEstimateLimit,
  matchConditionsCostBudget,
  maxMessageBytes,
  maxRequestBytes,
  perCallCostLimit,
  perObjectCostBudget,
  ruleCostEstimateLimit,
} from './limits.ts'
export { namespaceType, requestType } from './policy-types.ts'
export type { Re2, Re2Matcher } from './re2.ts'
export type { CompileIssue, CompileIssues } from './syntax/issues.ts'
export {
  boolType,
  bounded,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  type Kind,
  type ListKind,
  listOf,
  mapOf,
  nullType,
  type ObjectField,
  objectType,
  opaqueType,
  optionalOf,
  stringType,
  timestampType,
  typeOfType,
  typeParameter,
  uintType,
} from './types/cel-type.ts'
export { escapeFieldName } from './types/field-name.ts'
export { maxCardinality, type SchemaTypeOptions, schemaType } from './types/schema-type.ts'
