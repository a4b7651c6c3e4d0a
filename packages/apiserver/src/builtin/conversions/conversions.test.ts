import type { KubeObject } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtinNamed } from '../builtin-named.fixture.ts'

const events = builtinNamed('events', 'events.k8s.io')
const hpa1 = builtinNamed('horizontalpodautoscalers', 'autoscaling', 'v1')

function fromStored(type: typeof events, object: KubeObject): KubeObject {
  if (!type.conversion) throw new Error('stored as it is')
  return type.conversion.fromStored(structuredClone(object))
}

function toStored(type: typeof events, object: KubeObject): KubeObject {
  if (!type.conversion) throw new Error('stored as it is')
  return type.conversion.toStored(structuredClone(object))
}

describe('events', () => {
  const stored: KubeObject = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p' },
    message: 'm',
    reason: 'r',
    source: { component: 'c' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: null,
    eventTime: null,
    count: 2,
    reportingComponent: '',
    reportingInstance: '',
  }

  it('have other names in events.k8s.io', () => {
    expect(fromStored(events, stored)).toEqual({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      regarding: { kind: 'Pod', name: 'p' },
      note: 'm',
      reason: 'r',
      deprecatedSource: { component: 'c' },
      deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      deprecatedLastTimestamp: null,
      eventTime: null,
      deprecatedCount: 2,
    })
  })

  it('come back as they were', () => {
    expect(toStored(events, fromStored(events, stored))).toEqual(stored)
  })
})

describe('autoscalers', () => {
  const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 1, maxReplicas: 3 }
  const object = (fields: object, version = 'v2'): KubeObject => ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a' },
    ...fields,
  })
  const cpu = (averageUtilization: number) => ({
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
  })

  it('have a field for CPU in v1', () => {
    const shown = fromStored(hpa1, object({ spec: { ...spec, metrics: [cpu(55)] } }))
    expect(shown).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 55 } })
    expect(shown.metadata.annotations).toBeUndefined()
  })

  it('mean 80 % of CPU when v1 says nothing', () => {
    expect(toStored(hpa1, object({ spec }, 'v1')).spec).toMatchObject({ metrics: [cpu(80)] })
  })

  it('lose nothing on the way to v1 and back', () => {
    const target = fc.oneof(
      fc.constant({ type: 'Value', value: '3' }),
      fc.constant({ type: 'AverageValue', averageValue: '1500m' }),
    )
    const metric = fc.record({ name: fc.constant('q'), selector: fc.constant({ matchLabels: { a: 'b' } }) })
    const metrics = fc.oneof(
      fc.integer({ min: 1, max: 99 }).map((percent) => cpu(percent)),
      fc.constant({
        type: 'Resource',
        resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
      }),
      fc.record({ metric, target }).map((external) => ({ type: 'External', external })),
      fc
        .record({ metric, target: fc.constant({ type: 'AverageValue', averageValue: '5' }) })
        .map((pods) => ({ type: 'Pods', pods })),
    )
    const policies = [{ type: 'Percent', value: 100, periodSeconds: 15 }]
    const behavior = fc.constantFrom(undefined, {
      scaleDown: { selectPolicy: 'Max', stabilizationWindowSeconds: 5, policies },
    })
    fc.assert(
      fc.property(fc.array(metrics, { minLength: 1, maxLength: 3 }), behavior, (all, how) => {
        const others = all.filter((one) => !JSON.stringify(one).includes('averageUtilization'))
        const first = all.find((one) => !others.includes(one))
        const kept = [...others, ...(first ? [first] : [])]
        const before = object({ spec: { ...spec, metrics: kept, ...(how && { behavior: how }) } })
        const after = toStored(hpa1, fromStored(hpa1, before))
        expect(after.spec).toMatchObject(before.spec as object)
        expect(after.metadata).toEqual(before.metadata)
      }),
    )
  })

  it('carry what v1 has no field for in annotations', () => {
    const status = {
      currentReplicas: 1,
      desiredReplicas: 1,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 9, averageValue: '5m' } } },
      ],
      conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null }],
    }
    const shown = fromStored(hpa1, object({ spec, status }))
    expect(shown.status).toEqual({ currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 9 })
    expect(Object.keys(shown.metadata.annotations ?? {})).toEqual([
      'autoscaling.alpha.kubernetes.io/current-metrics',
      'autoscaling.alpha.kubernetes.io/conditions',
    ])
    expect(toStored(hpa1, shown).status).toMatchObject(status)
  })

  it('take no harm from annotations that are no JSON', () => {
    const annotations = { 'autoscaling.alpha.kubernetes.io/metrics': '{', other: 'kept' }
    const kept = toStored(hpa1, { ...object({ spec }, 'v1'), metadata: { name: 'a', annotations } })
    expect(kept.metadata.annotations).toEqual({ other: 'kept' })
  })
})
