import { isStatusError, type KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { evictionWay, spentStatus } from './pod-eviction.ts'

const NOW = Date.UTC(2026, 0, 1)

function pod(status: object, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default', ...metadata }, status }
}
function budget(status: object, spec: object = {}): KubeObject {
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b', generation: 2 }, spec, status }
}
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
const unready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }

describe('the way of an eviction', () => {
  const mark = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  it.each<[string, KubeObject, KubeObject[], object]>([
    ['a pod that has ended counts nowhere', pod({ phase: 'Succeeded' }), [budget({})], { guarded: false }],
    ['nor does one that is being deleted', pod(ready, mark), [budget({})], { guarded: false }],
    [
      'one that has not started must not have become healthy',
      pod({ phase: 'Pending' }),
      [budget({})],
      { guarded: true },
    ],
    ['without a budget nothing holds it', pod(ready), [], { guarded: false }],
    ['a healthy pod spends a disruption', pod(ready), [budget({})], { budget: 'b', spends: 'b', guarded: false }],
    [
      'an unhealthy one, too, while the application lacks pods',
      pod(unready),
      [budget({ currentHealthy: 1, desiredHealthy: 2 })],
      { budget: 'b', spends: 'b', guarded: false },
    ],
    [
      'an unhealthy one is free while the application has enough',
      pod(unready),
      [budget({ currentHealthy: 2, desiredHealthy: 2 })],
      { budget: 'b', guarded: true },
    ],
    [
      'an unhealthy one is always free under AlwaysAllow',
      pod(unready),
      [budget({}, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
      { budget: 'b', guarded: true },
    ],
  ])('%s', (_, one, budgets, way) => {
    expect(evictionWay(one, () => budgets)).toEqual(way)
  })

  it('of a pod with two budgets is refused', () => {
    expect(() => evictionWay(pod(ready), () => [budget({}), budget({})])).toThrow('more than one PodDisruptionBudget')
  })
})

describe('a budget', () => {
  const refusal = (status: object) => {
    try {
      return spentStatus(budget({ observedGeneration: 2, ...status }), 'a', NOW)
    } catch (error) {
      return isStatusError(error) ? [error.code, error.status.details?.causes?.[0]?.message ?? error.message] : error
    }
  }

  it('has one disruption less afterwards, and names the pod', () => {
    expect(refusal({ disruptionsAllowed: 2, disruptedPods: { z: 'then' } })).toEqual({
      observedGeneration: 2,
      disruptionsAllowed: 1,
      disruptedPods: { z: 'then', a: '2026-01-01T00:00:00Z' },
    })
  })

  it('says in its condition that it was the last', () => {
    expect(refusal({ disruptionsAllowed: 1 })).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', observedGeneration: 2 }],
    })
  })

  const condition = (reason: string) => [{ type: 'DisruptionAllowed', status: 'False', reason, message: 'why' }]
  const none = 'The disruption budget b does not allow evicting pods currently'
  it.each<[object, [number, string]]>([
    [{ observedGeneration: 1 }, [429, 'The disruption budget b is still being processed by the server.']],
    [
      { currentHealthy: 1, desiredHealthy: 2 },
      [429, 'The disruption budget b needs 2 healthy pods and has 1 currently'],
    ],
    [{ currentHealthy: 3, desiredHealthy: 2 }, [429, none]],
    [{ currentHealthy: 3, desiredHealthy: 2, conditions: condition('Odd') }, [429, `${none} (Odd): why`]],
    [{ conditions: condition('SyncFailed') }, [429, `${none} because it failed sync: why`]],
    [
      { disruptionsAllowed: -1 },
      [403, 'poddisruptionbudget.policy "b" is forbidden: pdb disruptions allowed is negative'],
    ],
  ])('with the status %j refuses', (status, expected) => {
    expect(refusal(status)).toEqual(expected)
  })
})
