import { describe, expect, it } from 'vitest'
import { ABANDON, PAUSED } from './change-worth.ts'
import { planRun, type RunPlan } from './run-plan.ts'

const OWN = 'example.com/own'

describe('planRun', () => {
  it.each<
    [
      RunPlan,
      string,
      { cleans?: boolean; terminal?: boolean; metadata?: { finalizers?: string[]; [field: string]: unknown } },
    ]
  >([
    ['reconcile', 'an object', {}],
    ['rest', 'one that ended for good', { terminal: true }],
    ['adopt', 'one that needs cleanup', { cleans: true }],
    ['reconcile', 'one that has the finalizer', { cleans: true, metadata: { finalizers: [OWN] } }],
    ['reconcile', 'one with the finalizer of an earlier version', { metadata: { finalizers: [OWN] } }],
    ['pause', 'one that is paused', { cleans: true, metadata: { annotations: { [PAUSED]: 'true' } } }],
    ['adopt', 'one that is paused in other words', { cleans: true, metadata: { annotations: { [PAUSED]: 'yes' } } }],
    ['reconcile', 'one that is to be abandoned, but stays', { metadata: { annotations: { [ABANDON]: 'true' } } }],
    ['reconcile', 'one that goes, without cleanup', { metadata: { deletionTimestamp: 'now', finalizers: ['x/y'] } }],
    ['rest', 'one that goes without our finalizer', { cleans: true, metadata: { deletionTimestamp: 'now' } }],
    ['cleanup', 'one that goes', { cleans: true, metadata: { deletionTimestamp: 'now', finalizers: ['x/y', OWN] } }],
    [
      'cleanup',
      'one that goes after it ended for good',
      { cleans: true, terminal: true, metadata: { deletionTimestamp: 'now', finalizers: [OWN] } },
    ],
    [
      'release',
      'one that goes when there is no cleanup any more',
      { metadata: { deletionTimestamp: 'now', finalizers: [OWN] } },
    ],
    [
      'pause',
      'one that goes and is paused',
      { cleans: true, metadata: { deletionTimestamp: 'now', finalizers: [OWN], annotations: { [PAUSED]: 'true' } } },
    ],
    [
      'abandon',
      'one that goes and is abandoned, also when it is paused',
      {
        cleans: true,
        metadata: { deletionTimestamp: 'now', finalizers: [OWN], annotations: { [ABANDON]: 'true', [PAUSED]: 'true' } },
      },
    ],
  ])('is %s for %s', (plan, _, { cleans = false, terminal = false, metadata = {} }) => {
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', ...metadata } }
    const held = metadata.finalizers?.includes(OWN) === true
    expect(planRun({ object, held, due: !held, cleans, terminal })).toBe(plan)
  })
})
