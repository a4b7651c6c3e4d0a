import { describe, expect, it } from 'vitest'
import { readinessOf } from './readiness.ts'

const object = (apiVersion: string, kind: string, body: object, metadata: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'x', generation: 2, ...metadata },
  ...body,
})
const condition = (type: string, status: string, more: object = {}) => ({
  status: { conditions: [{ type, status, reason: 'Because', message: 'of that', ...more }] },
})
const seen = { observedGeneration: 2 }

describe('readiness', () => {
  it.each<[string, object, boolean, string?]>([
    ['a deployment that was not looked at', object('apps/v1', 'Deployment', {}), false, 'Progressing'],
    [
      'a deployment of an older generation',
      object('apps/v1', 'Deployment', { status: { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1 } }),
      false,
    ],
    [
      'a deployment with all replicas',
      object('apps/v1', 'Deployment', {
        spec: { replicas: 2 },
        status: { ...seen, replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
      }),
      true,
    ],
    [
      'a deployment with old replicas',
      object('apps/v1', 'Deployment', {
        spec: { replicas: 1 },
        status: { ...seen, replicas: 2, updatedReplicas: 1, availableReplicas: 1 },
      }),
      false,
    ],
    ['a deployment of none', object('apps/v1', 'Deployment', { spec: { replicas: 0 }, status: seen }), true],
    [
      'a deployment that got stuck',
      object('apps/v1', 'Deployment', condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded' })),
      false,
      'ProgressDeadlineExceeded',
    ],
    [
      'a stateful set that rolls',
      object('apps/v1', 'StatefulSet', {
        spec: { replicas: 2 },
        status: { ...seen, readyReplicas: 2, updatedReplicas: 1 },
      }),
      false,
    ],
    [
      'a stateful set that is updated by hand',
      object('apps/v1', 'StatefulSet', {
        spec: { replicas: 2, updateStrategy: { type: 'OnDelete' } },
        status: { ...seen, readyReplicas: 2, updatedReplicas: 0 },
      }),
      true,
    ],
    [
      'a daemon set on all nodes',
      object('apps/v1', 'DaemonSet', {
        status: { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 },
      }),
      true,
    ],
    [
      'a daemon set on some nodes',
      object('apps/v1', 'DaemonSet', {
        status: { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 },
      }),
      false,
    ],
    ['a replica set', object('apps/v1', 'ReplicaSet', { status: { ...seen, availableReplicas: 1 } }), true],
    ['a job that runs', object('batch/v1', 'Job', { status: {} }), false, 'Running'],
    ['a job that is complete', object('batch/v1', 'Job', condition('Complete', 'True')), true],
    ['a job that failed', object('batch/v1', 'Job', condition('Failed', 'True')), false, 'JobFailed'],
    ['a pod that starts', object('v1', 'Pod', { status: { phase: 'Pending' } }), false, 'NotReady'],
    ['a pod that is ready', object('v1', 'Pod', condition('Ready', 'True')), true],
    ['a pod that is done', object('v1', 'Pod', { status: { phase: 'Succeeded' } }), true],
    ['a pod that failed', object('v1', 'Pod', { status: { phase: 'Failed' } }), false, 'PodFailed'],
    [
      'a claim without a volume',
      object('v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }),
      false,
      'Pending',
    ],
    ['a claim with a volume', object('v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }), true],
    ['a service', object('v1', 'Service', { spec: { type: 'ClusterIP' } }), true],
    [
      'a load balancer without an address',
      object('v1', 'Service', { spec: { type: 'LoadBalancer' } }),
      false,
      'NoAddress',
    ],
    [
      'a load balancer with an address',
      object('v1', 'Service', {
        spec: { type: 'LoadBalancer' },
        status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } },
      }),
      true,
    ],
    ['a namespace that is there', object('v1', 'Namespace', { status: { phase: 'Active' } }), true],
    [
      'a definition that is served',
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', condition('Established', 'True')),
      true,
    ],
    ['a custom object without conditions', object('ex.io/v1', 'Site', {}), true],
    ['a custom object that is ready', object('ex.io/v1', 'Site', condition('Ready', 'True')), true],
    ['a custom object that is not', object('ex.io/v1', 'Site', condition('Ready', 'False')), false, 'Because'],
    [
      'a custom object that was ready before it changed',
      object('ex.io/v1', 'Site', condition('Ready', 'True', { observedGeneration: 1 })),
      false,
      'Progressing',
    ],
    ['a config map', object('v1', 'ConfigMap', { data: {} }), true],
    [
      'whatever is being deleted',
      object('v1', 'ConfigMap', {}, { deletionTimestamp: '2030-01-01T00:00:00Z' }),
      false,
      'Terminating',
    ],
    ['a kind of another group', object('ex.io/v1', 'Deployment', {}), true],
    ['conditions that are none', object('ex.io/v1', 'Site', { status: { conditions: 'odd' } }), true],
  ])('%s', (_, of, ready, reason) => {
    const found = readinessOf(of as Parameters<typeof readinessOf>[0])
    expect(found.ready).toBe(ready)
    if (reason !== undefined) expect(found.reason).toBe(reason)
    if (!ready) expect(found.message).not.toBe('')
  })

  it('of a kind that is known to report waits for the report', () => {
    expect(readinessOf(object('ex.io/v1', 'Site', {}), { reports: true })).toMatchObject({ reason: 'NotReported' })
  })
})
