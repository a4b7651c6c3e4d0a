// The kinds of colonies.io, for the server. Every start loads this, so it must stay small.

import type { TypeRules } from '@homeostat/apiserver'
import { executorDefinition } from './executor.ts'
import { executorPermissions } from './executor-permissions.ts'
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

/** `colony` is the user name of the colony itself; `claim` finds a waiting executor for a new Process. */
export function colonyRules(now: () => number, colony: string, claim: Claim): TypeRules[] {
  const load = async () => (await import('./process-rules.ts')).processRules(now, colony, claim)
  return [
    { group: 'colonies.io', resource: 'processes', load },
    {
      group: 'colonies.io',
      resource: 'executors',
      load: async () => (await import('./executor-rules.ts')).executorRules,
      permissions: executorPermissions,
    },
  ]
}
