// What a Workflow becomes: a ProcessGraph, or a Schedule that makes one each time. Pure.

import type { GraphNode, ProcessGraph } from '@homeostat/executor/graphs'
import type { Schedule } from '@homeostat/executor/schedules'
import { type Fields, fieldsOf, listOf, numberOf, type Observed, type Resource, textOf } from '../resource.ts'
import type { Read } from '../unused-fields.ts'

export const WORKFLOW_FIELDS: Read = {
  schedule: true,
  timeZone: true,
  suspend: true,
  concurrencyPolicy: true,
  steps: [{ name: true, type: true, dependsOn: true, when: true, onFailure: true, functionSpec: true }],
  onFailure: { retry: { maxAttempts: true, backoff: true } },
}

/** What is wrong with the spec, field by field. The colony checks the nodes themselves: names, dependencies, cycles. */
export function workflowProblems({ steps, onFailure }: Fields): string[] {
  const problems: string[] = []
  if (listOf(steps).length === 0) problems.push('spec.steps: at least one step is needed')
  for (const [index, step] of listOf(steps).map(fieldsOf).entries()) {
    const path = `spec.steps[${index}]`
    if (textOf(step.name) === undefined) problems.push(`${path}.name: is needed`)
    const type = step.type ?? 'function'
    if (type !== 'function') problems.push(`${path}.type: ${JSON.stringify(type)} is not "function"`)
    const { funcName, conditions } = fieldsOf(step.functionSpec)
    if (textOf(funcName) === undefined) problems.push(`${path}.functionSpec.funcName: is needed`)
    if (textOf(fieldsOf(conditions).executorType) === undefined)
      problems.push(`${path}.functionSpec.conditions.executorType: is needed`)
  }
  const { maxAttempts, backoff } = fieldsOf(fieldsOf(onFailure).retry)
  if (maxAttempts !== undefined && !(Number.isInteger(maxAttempts) && Number(maxAttempts) >= 1))
    problems.push('spec.onFailure.retry.maxAttempts: a whole number of at least 1')
  if (backoff !== undefined && backoff !== 'exponential')
    problems.push(`spec.onFailure.retry.backoff: ${JSON.stringify(backoff)} is not "exponential"`)
  return problems
}

/** The one object that a valid Workflow has. A graph cannot be changed, so a new generation is a new graph. */
export function workflowChild({ name, namespace, generation, spec }: Resource): ProcessGraph | Schedule {
  const nodes = workflowNodes(spec)
  const { schedule, timeZone, suspend, concurrencyPolicy = 'Forbid' } = spec
  if (schedule === undefined)
    return {
      apiVersion: 'colonies.io/v1',
      kind: 'ProcessGraph',
      metadata: { name: `${name}-${generation}`, namespace },
      spec: { nodes },
    }
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'Schedule',
    metadata: { name, namespace },
    spec: {
      cron: String(schedule),
      ...(timeZone !== undefined && { timeZone: String(timeZone) }),
      ...(suspend !== undefined && { suspend: suspend === true }),
      concurrencyPolicy: concurrencyPolicy as 'Forbid',
      graph: { nodes },
    },
  }
}

function workflowNodes({ steps, onFailure }: Fields): GraphNode[] {
  const attempts = numberOf(fieldsOf(fieldsOf(onFailure).retry).maxAttempts)
  return listOf(steps)
    .map(fieldsOf)
    .map(({ name, dependsOn, when, onFailure: own, functionSpec }) => {
      const optional = { dependencies: dependsOn, when, onFailure: own }
      return {
        ...(attempts !== undefined && { maxRetries: attempts - 1 }),
        ...fieldsOf(functionSpec),
        ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
        name,
      } as GraphNode
    })
}

/** The status, from what its child says now. */
export function workflowStatus(child: Observed | undefined, run: Observed | undefined): Fields {
  if (child === undefined) return { phase: 'Pending' }
  const graph = child.kind === 'Schedule' ? run : child
  const { phase, nodes, failed, startedAt, finishedAt } = fieldsOf(graph?.status)
  const { lastRun, nextRun } = child.kind === 'Schedule' ? fieldsOf(child.status) : {}
  const given = {
    phase: phase ?? (child.kind === 'Schedule' ? 'Scheduled' : 'Pending'),
    graph: graph?.metadata.name,
    nodes,
    failed,
    startedAt,
    finishedAt,
    lastRun,
    nextRun,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
