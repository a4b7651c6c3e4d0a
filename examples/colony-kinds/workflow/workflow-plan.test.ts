import { describe, expect, it } from 'vitest'
import type { Resource } from '../resource.ts'
import { unusedFields } from '../unused-fields.ts'
import { WORKFLOW_FIELDS, workflowChild, workflowProblems } from './workflow-plan.ts'

const functionSpec = { funcName: 'f', conditions: { executorType: 't' } }
const resource: Resource = {
  name: 'w',
  namespace: 'dev',
  uid: 'u',
  generation: 3,
  isDeleting: false,
  spec: {},
  status: {},
}

describe('a Workflow', () => {
  it('without a schedule is a graph of its generation', () => {
    const steps = [
      { name: 'a', functionSpec },
      { name: 'b', dependsOn: ['a'], functionSpec: { ...functionSpec, maxRetries: 0 } },
    ]
    const spec = { steps, onFailure: { retry: { maxAttempts: 3 } } }
    expect(workflowChild({ ...resource, spec })).toMatchObject({
      kind: 'ProcessGraph',
      metadata: { name: 'w-3', namespace: 'dev' },
      spec: {
        nodes: [
          { name: 'a', maxRetries: 2 },
          { name: 'b', dependencies: ['a'], maxRetries: 0 },
        ],
      },
    })
  })

  it('with one is a Schedule that makes such a graph', () => {
    const spec = { schedule: '0 1 * * *', timeZone: 'Europe/Berlin', steps: [{ name: 'a', functionSpec }] }
    expect(workflowChild({ ...resource, spec })).toMatchObject({
      kind: 'Schedule',
      metadata: { name: 'w' },
      spec: {
        cron: '0 1 * * *',
        timeZone: 'Europe/Berlin',
        concurrencyPolicy: 'Forbid',
        graph: { nodes: [{ name: 'a' }] },
      },
    })
  })

  it.each([
    [{}, 'spec.steps'],
    [{ steps: [{ functionSpec }] }, 'spec.steps[0].name'],
    [{ steps: [{ name: 'a', type: 'human', functionSpec }] }, 'spec.steps[0].type'],
    [{ steps: [{ name: 'a' }] }, 'spec.steps[0].functionSpec.funcName'],
    [{ steps: [{ name: 'a', functionSpec }], onFailure: { retry: { maxAttempts: 0 } } }, 'maxAttempts'],
    [{ steps: [{ name: 'a', functionSpec }], onFailure: { retry: { backoff: 'linear' } } }, 'backoff'],
    [{ steps: 'no' }, 'spec.steps'],
    [{ steps: [null] }, 'spec.steps[0].name'],
  ])('%j is refused, naming the field', (spec, field) => {
    expect(workflowProblems(spec)[0]).toContain(field)
  })
})

it('fields that nothing acts on are named', () => {
  const spec = {
    steps: [
      { name: 'a', colour: 1 },
      { name: 'b', colour: 2 },
    ],
    onFailure: { notify: ['me'], retry: { maxAttempts: 1 } },
    owner: 'x',
  }
  expect(unusedFields(spec, WORKFLOW_FIELDS)).toEqual(['spec.steps[].colour', 'spec.onFailure.notify', 'spec.owner'])
})
