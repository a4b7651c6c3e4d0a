// The kinds of colonies.io, for the server. Every start loads this, so it must stay small.

import type { TypeRules, WriteRules } from '@homeostat/apiserver'
import { bootstrapPermissions } from './bootstrap-permissions.ts'
import { bootstrapTokenDefinition } from './bootstrap-token.ts'
import { executorDefinition } from './executor.ts'
import { executorPermissions } from './executor-permissions.ts'
import { processDefinition } from './process.ts'
import { processGraphDefinition, processGraphPartDefinition } from './process-graph.ts'
import type { Claim } from './process-rules.ts'
import { customResourceDefinition, resourceDefinition } from './resource-definition.ts'
import type { RuleParts } from './rule-parts.ts'
import { scheduleDefinition } from './schedule.ts'

export { colonyAccess } from './access.ts'
export { colonyCalls, type ExecutorCalls } from './calls.ts'
export type { RuleParts } from './rule-parts.ts'
export { RunningColonies } from './running-colonies.ts'

export const colonyDefinitions = [
  processDefinition,
  executorDefinition,
  bootstrapTokenDefinition,
  resourceDefinition,
  customResourceDefinition,
  processGraphDefinition,
  processGraphPartDefinition,
  scheduleDefinition,
] as const

/** `colony` is the user name of the colony itself; `running` is undefined until it has started. */
export function colonyRules(now: () => number, colony: string, running: () => RuleParts | undefined): TypeRules[] {
  // Rules load with the first write of their kind: a start needs the kinds alone.
  const rules = (resource: string, load: () => Promise<WriteRules>) => ({ group: 'colonies.io', resource, load })
  const claim: Claim = (process) => running()?.claim(process)
  return [
    {
      ...rules('processes', async () => (await import('./process-rules.ts')).processRules(now, colony, claim)),
      createsLists: true,
      ownStatus: true,
    },
    rules('processgraphs', async () => (await import('./graph-rules.ts')).graphRules(colony, running)),
    rules('processgraphparts', async () => (await import('./graph-rules.ts')).partRules),
    rules('schedules', async () => (await import('./schedule-rules.ts')).scheduleRules(now)),
    {
      group: 'colonies.io',
      resource: 'executors',
      load: async () => (await import('./executor-rules.ts')).executorRules,
      permissions: executorPermissions,
      ownStatus: true,
    },
    // Its schema says all about its shape.
    {
      group: 'colonies.io',
      resource: 'bootstraptokens',
      load: async () => ({}),
      permissions: bootstrapPermissions,
    },
  ]
}
