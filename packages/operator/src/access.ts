// The rights of operators, for tools: `homeostat synth` and `dev`, and the test environment. Authors declare `access`.

export { recordRequests } from './access/record-requests.ts'
export { missingRules, type RecordedAccess, recordedAccess, ruleText } from './access/recorded-access.ts'
export type { RequestInfo } from './access/request-info.ts'
export { type AccessRole, allows, rolesOf } from './access/roles.ts'
export { AccessFile } from './access-file.ts'
export type { AccessRule, NeededRule, PolicyRule } from './runtime/access-rule.ts'
export { kindKey } from './runtime/object-key.ts'
