import { describe, expect, it } from 'vitest'
import { type Body, changed, creating, updating } from './rules.fixture.ts'

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }
const spec = { selector: { matchLabels: { app: 'x' } }, template }
const apps = (kind: string, more: object = {}): Body => ({ apiVersion: 'apps/v1', kind, spec: { ...spec, ...more } })
const controller: Body = { apiVersion: 'v1', kind: 'ReplicationController', spec: { template } }

describe.each(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'])('%s', (kind) => {
  it('completes the pods of its template, and nothing that only pods get', () => {
    const { causes, object } = creating(apps(kind))
    expect(causes).toEqual([])
    expect(object.spec).toMatchObject({
      template: {
        spec: {
          containers: [{ imagePullPolicy: 'Always', resources: {} }],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          terminationGracePeriodSeconds: 30,
        },
      },
    })
    expect(object.spec).not.toHaveProperty('template.spec.enableServiceLinks')
    expect(object.spec).not.toHaveProperty('template.spec.tolerations')
  })

  it.each<[Record<string, unknown>, string[]]>([
    [{ 'spec.template.metadata.labels': { app: 'y' } }, ['Invalid spec.template.metadata.labels']],
    [{ 'spec.template.spec.restartPolicy': 'Never' }, ['NotSupported spec.template.spec.restartPolicy']],
    [{ 'spec.template.spec.activeDeadlineSeconds': 5 }, ['Forbidden spec.template.spec.activeDeadlineSeconds']],
    [{ 'spec.template.spec.containers': [] }, ['Required spec.template.spec.containers']],
    [{ 'spec.minReadySeconds': -1 }, ['Invalid spec.minReadySeconds']],
    [{ 'spec.selector': {} }, ['Invalid spec.selector']],
  ])('is refused with %j', (changes, causes) => {
    expect(creating(changed(apps(kind), changes)).causes).toEqual(causes)
  })
})

it.each<[Body, object]>([
  [
    apps('Deployment'),
    {
      progressDeadlineSeconds: 600,
      replicas: 1,
      revisionHistoryLimit: 10,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    },
  ],
  [apps('Deployment', { strategy: { type: 'Recreate' } }), { strategy: { type: 'Recreate' } }],
  [apps('ReplicaSet'), { replicas: 1 }],
  [
    apps('StatefulSet'),
    {
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      podManagementPolicy: 'OrderedReady',
      replicas: 1,
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    },
  ],
  [
    apps('DaemonSet'),
    {
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    },
  ],
  [controller, { replicas: 1, selector: { app: 'x' } }],
])('completes %j', (body, completed) => {
  const { causes, object } = creating(body)
  expect(causes).toEqual([])
  expect(object.spec).toMatchObject(completed)
})

it('StatefulSet completes its claims, which its pods can mount', () => {
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  const mounting = changed(apps('StatefulSet', { volumeClaimTemplates: [claim] }), {
    'spec.template.spec.containers.0.volumeMounts': [{ name: 'data', mountPath: '/data' }],
  })
  const { causes, object } = creating(mounting)
  expect(causes).toEqual([])
  expect(object.spec).toMatchObject({
    volumeClaimTemplates: [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { volumeMode: 'Filesystem' },
        status: { phase: 'Pending' },
      },
    ],
  })
})

it('ReplicationController takes its labels from its template', () => {
  expect(creating(controller).object.metadata.labels).toEqual({ app: 'x' })
})

it.each<[Body, Record<string, unknown>, string[]]>([
  [
    apps('Deployment'),
    { 'spec.selector': undefined },
    ['Invalid spec.template.metadata.labels', 'Required spec.selector'],
  ],
  [apps('Deployment'), { 'spec.replicas': -1 }, ['Invalid spec.replicas']],
  [apps('Deployment'), { 'spec.strategy': { type: 'Slow' } }, ['NotSupported spec.strategy']],
  [
    apps('Deployment'),
    { 'spec.strategy': { type: 'Recreate', rollingUpdate: {} } },
    ['Forbidden spec.strategy.rollingUpdate'],
  ],
  [
    apps('Deployment'),
    { 'spec.strategy.rollingUpdate': { maxSurge: 0, maxUnavailable: 0 } },
    ['Invalid spec.strategy.rollingUpdate.maxUnavailable'],
  ],
  [
    apps('Deployment'),
    { 'spec.strategy.rollingUpdate': { maxSurge: 'few' } },
    ['Invalid spec.strategy.rollingUpdate.maxSurge'],
  ],
  [apps('Deployment'), { 'spec.progressDeadlineSeconds': 0 }, ['Invalid spec.progressDeadlineSeconds']],
  [
    apps('Deployment'),
    { 'spec.selector.matchExpressions': [{ key: 'a', operator: 'In' }] },
    ['Invalid spec.selector', 'Required spec.selector.matchExpressions[0].values'],
  ],
  [apps('StatefulSet'), { 'spec.podManagementPolicy': 'Any' }, ['Invalid spec.podManagementPolicy']],
  [apps('StatefulSet'), { 'spec.updateStrategy': { type: 'Any' } }, ['Invalid spec.updateStrategy']],
  [apps('StatefulSet'), { metadata: { name: 'a.b' } }, ['Invalid metadata.name']],
  [
    apps('DaemonSet'),
    { 'spec.updateStrategy.rollingUpdate': { maxSurge: 1, maxUnavailable: 1 } },
    ['Invalid spec.updateStrategy.rollingUpdate.maxSurge'],
  ],
  [controller, { 'spec.template': undefined }, ['Required spec.selector', 'Required spec.template']],
])('%j is refused with %j', (body, changes, causes) => {
  expect(creating(changed(body, changes)).causes).toEqual(causes)
})

it.each<[string, Record<string, unknown>, string[]]>([
  ['Deployment', { 'spec.replicas': 3 }, []],
  [
    'Deployment',
    { 'spec.selector': { matchLabels: { app: 'y' } }, 'spec.template.metadata.labels': { app: 'y' } },
    ['Invalid spec.selector'],
  ],
  [
    'ReplicaSet',
    { 'spec.selector': { matchLabels: { app: 'y' } }, 'spec.template.metadata.labels': { app: 'y' } },
    ['Invalid spec.selector'],
  ],
  ['StatefulSet', { 'spec.replicas': 3, 'spec.template.metadata.annotations': { a: 'b' } }, []],
  ['StatefulSet', { 'spec.serviceName': 'other' }, ['Forbidden spec']],
  ['Deployment', { status: { replicas: 1, readyReplicas: 2 } }, []],
])('a change of a %s: %j', (kind, changes, causes) => {
  expect(updating(apps(kind), changes).causes).toEqual(causes)
})

it('DaemonSet counts the changes of its template', () => {
  const generation = 'deprecated.daemonset.template.generation'
  expect(creating(apps('DaemonSet')).object.metadata.annotations).toEqual({ [generation]: '1' })
  const same = updating(apps('DaemonSet'), { 'spec.minReadySeconds': 3 })
  expect(same.object.metadata.annotations).toEqual({ [generation]: '1' })
  const other = updating(apps('DaemonSet'), { 'spec.template.spec.containers.0.image': 'nginx:2' })
  expect(other.object.metadata.annotations).toEqual({ [generation]: '2' })
})
