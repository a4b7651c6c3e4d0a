// The function of the handler of Workflows. The colony makes the graph or the schedule, owns it and removes it with the Workflow.

import type { ProcessContext } from '@homeostat/executor'
import { fieldsOf, type Observed, readResource, refuse, textOf } from '../resource.ts'
import { partiallySupported, unusedFields } from '../unused-fields.ts'
import { WORKFLOW_FIELDS, workflowChild, workflowProblems, workflowStatus } from './workflow-plan.ts'

/** What was just made, and a graph that runs, are looked at again. */
const LOOK_AGAIN = '1s'

export async function executeWorkflow({
  kwargs,
  client,
  status,
  children,
  requeueAfter,
}: ProcessContext): Promise<void> {
  const resource = readResource(kwargs)
  if (resource.isDeleting) return
  refuse(workflowProblems(resource.spec))
  const child = workflowChild(resource)
  children([child])
  const find = (kind: string, name: string): Promise<Observed | undefined> =>
    client.resourceOf<Observed>('colonies.io/v1', kind).find({ name, namespace: resource.namespace })
  const found = await find(child.kind ?? '', child.metadata.name ?? '')
  const lastRun = textOf(fieldsOf(fieldsOf(found?.status).lastRun).name)
  const run = lastRun === undefined ? undefined : await find('ProcessGraph', lastRun)
  const now = workflowStatus(found, run)
  status({ ...now, conditions: [partiallySupported(unusedFields(resource.spec, WORKFLOW_FIELDS))] })
  const runs = child.kind === 'ProcessGraph' && now.finishedAt === undefined
  if (runs || found === undefined || (child.kind === 'Schedule' && now.nextRun === undefined)) requeueAfter(LOOK_AGAIN)
}
