// The kinds of colonies.io, for whoever serves them. Small: a server reads this at every start.

import type { TypeRules } from '@homeostat/apiserver'
import { executorDefinition } from './executor.ts'
import { processDefinition } from './process.ts'
import type { Claim } from './process-rules.ts'
import { customResourceDefinition, resourceDefinition } from './resource-definition.ts'

export { colonyCalls } from './calls.ts'

export const colonyDefinitions = [
  processDefinition,
  executorDefinition,
  resourceDefinition,
  customResourceDefinition,
] as const

/** `colony` is the user name of the colony itself, `claim` its method, once it is there. */
export function colonyRules(now: () => number, colony: string, claim: Claim): TypeRules[] {
  const load = async () => (await import('./process-rules.ts')).processRules(now, colony, claim)
  return [{ group: 'colonies.io', resource: 'processes', load }]
}
