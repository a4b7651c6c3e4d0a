// The kinds of colonies.io, for whoever serves them. Small: a server reads this at every start.

import { executorDefinition } from './executor.ts'
import { processDefinition } from './process.ts'
import { customResourceDefinition, resourceDefinition } from './resource-definition.ts'

export { colonyCalls } from './calls.ts'
export { processRules } from './process-rules.ts'
export type { ResourceDefinitionSpec } from './resource-definition.ts'

export const colonyDefinitions = [
  processDefinition,
  executorDefinition,
  resourceDefinition,
  customResourceDefinition,
] as const
