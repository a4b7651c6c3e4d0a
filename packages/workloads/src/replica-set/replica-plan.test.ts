import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pod, ReplicaSet } from '../kinds.ts'
import { planReplicas, reportReplicas } from './replica-plan.ts'

const NOW = Date.parse('2026-01-01T01:00:00Z')
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString().replace('.000', '')

function set(replicas: number, more: Partial<ReplicaSet['spec']> = {}): ReplicaSet {
  const spec = { replicas, template: { metadata: { labels: { app: 'web' } } }, ...more }
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web', generation: 7 }, spec }
}

interface Traits {
  node?: boolean
  phase?: string
  readyFor?: number
  age?: number
  restarts?: number
  cost?: string
  labels?: Record<string, string>
}

function pod(
  name: string,
  { node = true, phase = 'Running', readyFor, age = 60, restarts = 0, cost, labels }: Traits = {},
): Pod {
  const annotations = cost === undefined ? {} : { 'controller.kubernetes.io/pod-deletion-cost': cost }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: name, creationTimestamp: at(age), annotations, labels: labels ?? { app: 'web' } },
    spec: node ? { nodeName: 'n' } : {},
    status: {
      phase,
      conditions: readyFor === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: at(readyFor) }],
      containerStatuses: [{ name: 'main', image: '', imageID: '', ready: true, restartCount: restarts }],
    },
  }
}

describe('the pods of a replica set', () => {
  it.each([
    [3, 1, 2, 0],
    [3, 3, 0, 0],
    [1, 3, 0, 2],
    [0, 2, 0, 2],
    [1000, 0, 500, 0],
  ])('for %i wanted and %i there: %i made, %i removed', (wanted, there, create, remove) => {
    const plan = planReplicas(
      set(wanted),
      Array.from({ length: there }, (_, index) => pod(`p${index}`)),
    )
    expect([plan.create, plan.remove.length]).toEqual([create, remove])
  })

  it('are left alone when it goes', () => {
    const going = set(3)
    going.metadata.deletionTimestamp = at(0)
    expect(planReplicas(going, [])).toEqual({ create: 0, remove: [] })
  })

  it('go in this order: without a node, pending, not ready, cheap, ready for a short time, often restarted, new', () => {
    const inOrder = [
      pod('no-node', { node: false, readyFor: 50 }),
      pod('pending', { phase: 'Pending', readyFor: 50 }),
      pod('not-ready'),
      pod('cheap', { readyFor: 50, cost: '-5' }),
      pod('ready-later', { readyFor: 10 }),
      pod('restarted', { readyFor: 50, restarts: 3 }),
      pod('new', { readyFor: 50, age: 51 }),
      pod('old', { readyFor: 50, age: 59 }),
      pod('dear', { readyFor: 1, cost: '100' }),
    ]
    const removed = planReplicas(set(0), inOrder.toReversed()).remove
    expect(removed.map(({ metadata }) => metadata.name)).toEqual(inOrder.map(({ metadata }) => metadata.name))
  })

  it('are chosen the same whatever order they come in', () => {
    const traits = fc.record({
      node: fc.boolean(),
      phase: fc.constantFrom('Pending', 'Running'),
      readyFor: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      age: fc.integer({ min: 0, max: 3 }),
      restarts: fc.integer({ min: 0, max: 2 }),
    })
    fc.assert(
      fc.property(
        fc.array(traits, { maxLength: 12 }),
        fc.nat(12),
        fc.infiniteStream(fc.nat()),
        (all, wanted, shuffle) => {
          const pods = all.map(({ readyFor, ...rest }, index) =>
            pod(`p${index}`, { ...rest, ...(readyFor !== undefined && { readyFor }) }),
          )
          const mixed = pods.map((one) => ({ one, key: shuffle.next().value })).sort((a, b) => a.key - b.key)
          const names = (list: readonly Pod[]) =>
            planReplicas(set(wanted), list).remove.map(({ metadata }) => metadata.name)
          expect(names(mixed.map(({ one }) => one))).toEqual(names(pods))
        },
      ),
    )
  })
})

describe('the status of a replica set', () => {
  it('counts what is there, labelled, ready and available', () => {
    const pods = [
      pod('a', { readyFor: 5 }),
      pod('b', { labels: { app: 'web', extra: '1' }, readyFor: 5 }),
      pod('c', { labels: {} }),
    ]
    expect(reportReplicas(set(3), pods, undefined, NOW)).toEqual({
      status: {
        replicas: 3,
        fullyLabeledReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        observedGeneration: 7,
      },
    })
  })

  it('counts a pod as available when it was ready for long enough, and says when to look again', () => {
    const pods = [pod('a', { readyFor: 5 }), pod('b', { readyFor: 1 })]
    const { status, requeueAfterMs } = reportReplicas(set(2, { minReadySeconds: 90 }), pods, undefined, NOW)
    expect(status).toMatchObject({ readyReplicas: 2, availableReplicas: 1 })
    expect(requeueAfterMs).toBe(30_000)
  })

  it('tells of a failure, keeps its time while it lasts, and forgets it', () => {
    const failure = { reason: 'FailedCreate' as const, message: 'no more' }
    const failed = set(1)
    failed.status = reportReplicas(failed, [], failure, NOW).status
    expect(failed.status.conditions).toMatchObject([{ type: 'ReplicaFailure', status: 'True', ...failure }])
    expect(reportReplicas(failed, [], { ...failure, message: 'still' }, NOW + 5000).status).toEqual(failed.status)
    expect(reportReplicas(failed, [], undefined, NOW).status.conditions).toBeUndefined()
  })
})
