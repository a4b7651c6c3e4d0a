// Rights that a wildcard does not give: older values of Secrets outlive their rotation. A rule has to name them, or be
// a rule for everything, as cluster-admin has it. Pure.

import type { PolicyRule } from './policy-rule.ts'

const ALL = '*'
const EXPLICIT: ReadonlySet<string> = new Set(['secrets/history'])

/** `resource` is RESOURCE/SUBRESOURCE. Groups other than the core one have no such resource that matters. */
export function mustBeNamed(resource: string): boolean {
  return EXPLICIT.has(resource)
}

/** Whether the rule allows every verb on everything. */
export function allowsEverything({ verbs, apiGroups, resources, resourceNames }: PolicyRule): boolean {
  return [verbs, apiGroups, resources].every((values) => values.includes(ALL)) && resourceNames.length === 0
}
