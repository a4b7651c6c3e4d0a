// The kinds of colonies.io, for whoever serves them. Small: a server reads this at every start.

import type { TypeRules } from '@homeostat/apiserver'
import { executorDefinition } from './executor.ts'
import { processDefinition } from './process.ts'
import { customResourceDefinition, resourceDefinition } from './resource-definition.ts'

export { colonyCalls } from './calls.ts'
export type { ResourceDefinitionSpec } from './resource-definition.ts'

export const colonyDefinitions = [
  processDefinition,
  executorDefinition,
  resourceDefinition,
  customResourceDefinition,
] as const

/** `colony` is the user name of the colony itself. */
export function colonyRules(now: () => number, colony: string): TypeRules[] {
  const load = async () => (await import('./process-rules.ts')).processRules(now, colony)
  return [{ group: 'colonies.io', resource: 'processes', load }]
}
