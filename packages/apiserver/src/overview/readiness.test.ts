import { expect, it } from 'vitest'
import { notReady } from './readiness.ts'

const at = '2026-01-02T03:04:05Z'
const condition = (type: string, status: string, more: object = {}) => ({
  type,
  status,
  lastTransitionTime: at,
  ...more,
})
const of = (status: unknown) => notReady({ apiVersion: 'v1', kind: 'A', metadata: {}, status })

it.each([
  ['says nothing', {}, undefined],
  ['is ready', { conditions: [condition('Ready', 'True'), condition('Available', 'False')] }, undefined],
  [
    'is not ready',
    { conditions: [condition('Synced', 'True'), condition('Ready', 'False', { reason: 'NoImage' })] },
    'NoImage',
  ],
  ['does not know whether it is ready', { conditions: [condition('Ready', 'Unknown')] }, 'Ready'],
  ['is not available', { conditions: [condition('Available', 'False', { reason: 'Few' })] }, 'Few'],
  ['has failed', { conditions: [condition('Failed', 'True', { reason: 'BackoffLimit' })] }, 'BackoffLimit'],
  ['has not failed', { conditions: [condition('Failed', 'False')] }, undefined],
  ['is a Pod that has completed', { conditions: [condition('Ready', 'False', { reason: 'PodCompleted' })] }, undefined],
  ['has a phase', { phase: 'Failed', message: 'it broke' }, 'Failed'],
  ['waits', { phase: 'Pending' }, undefined],
])('an object that %s', (_, status, reason) => {
  expect(of(status)?.reason).toBe(reason)
})

it('tells since when and why, as far as it can be shown in a line', () => {
  const found = of({ conditions: [condition('Ready', 'False', { reason: 'R', message: 'x'.repeat(10_000) })] })
  expect(found?.since).toBe(Date.parse(at))
  expect(found?.message).toHaveLength(301)
})

it.each([
  ['a text', 'nothing'],
  ['no list', { conditions: { Ready: false } }],
  ['odd entries', { conditions: [null, 3, { type: 'Ready' }, { type: 'Ready', status: false }] }],
  ['odd fields', { conditions: [{ type: 'Ready', status: 'True', reason: 7, lastTransitionTime: 'never' }] }],
])('a status that is %s is not judged', (_, status) => {
  expect(of(status)).toBeUndefined()
})
