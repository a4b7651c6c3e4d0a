import { describe, expect, it } from 'vitest'
import { deletionGrace } from './pod.ts'
import { type Body, changed, creating, updating } from './rules.fixture.ts'

const pod: Body = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
}

it('is completed as by the default server', () => {
  const { causes, object } = creating(pod)
  expect(causes).toEqual([])
  const toleration = { effect: 'NoExecute', operator: 'Exists', tolerationSeconds: 300 }
  expect(object.spec).toEqual({
    containers: [
      {
        name: 'c',
        image: 'nginx',
        imagePullPolicy: 'Always',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ],
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    serviceAccount: 'default',
    serviceAccountName: 'default',
    terminationGracePeriodSeconds: 30,
    tolerations: [
      { ...toleration, key: 'node.kubernetes.io/not-ready' },
      { ...toleration, key: 'node.kubernetes.io/unreachable' },
    ],
  })
  expect(object.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' })
})

it.each([
  ['nginx', 'Always'],
  ['nginx:latest', 'Always'],
  ['nginx:1.2', 'IfNotPresent'],
  ['reg:5000/nginx', 'Always'],
  ['reg:5000/a/b:v1', 'IfNotPresent'],
  [`nginx@sha256:${'a'.repeat(64)}`, 'IfNotPresent'],
  ['Not An Image', 'IfNotPresent'],
])('pulls %s %s', (image, policy) => {
  expect(creating(changed(pod, { 'spec.containers.0.image': image })).object.spec).toMatchObject({
    containers: [{ imagePullPolicy: policy }],
  })
})

it('fills in probes, volumes, ports and references', () => {
  const { object } = creating(
    changed(pod, {
      'spec.containers.0.livenessProbe': { httpGet: { port: 80 } },
      'spec.containers.0.readinessProbe': { grpc: { port: 9 } },
      'spec.containers.0.ports': [{ containerPort: 80 }],
      'spec.containers.0.env': [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      'spec.volumes': [
        { name: 'a' },
        { name: 'b', secret: { secretName: 's' } },
        { name: 'c', hostPath: { path: '/x' } },
        { name: 'd', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      ],
    }),
  )
  expect(object.spec).toMatchObject({
    containers: [
      {
        livenessProbe: {
          failureThreshold: 3,
          httpGet: { path: '/', port: 80, scheme: 'HTTP' },
          periodSeconds: 10,
          successThreshold: 1,
          timeoutSeconds: 1,
        },
        readinessProbe: { grpc: { port: 9, service: '' } },
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        env: [{ valueFrom: { fieldRef: { apiVersion: 'v1' } } }],
      },
    ],
    volumes: [
      { name: 'a', emptyDir: {} },
      { secret: { defaultMode: 420 } },
      { hostPath: { path: '/x', type: '' } },
      { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }] } },
    ],
  })
})

it.each([
  [{}, {}, 'BestEffort'],
  [{ cpu: '100m' }, {}, 'Burstable'],
  [{}, { cpu: '1', memory: '1Gi' }, 'Guaranteed'],
  [{ cpu: '500m' }, { cpu: '1', memory: '1Gi' }, 'Burstable'],
  [{ cpu: '1000m', memory: '1024Mi' }, { cpu: 1, memory: '1Gi' }, 'Guaranteed'],
])('with requests %j and limits %j is %s', (requests, limits, quality) => {
  const { object } = creating(changed(pod, { 'spec.containers.0.resources': { requests, limits } }))
  expect(object.status).toMatchObject({ qosClass: quality })
})

it('that limits itself as a whole requests what its containers do, or up to its limits', () => {
  const limited = { 'spec.resources': { limits: { cpu: '2', memory: '1Gi' } } }
  const { object } = creating(
    changed(pod, { ...limited, 'spec.containers.0.resources': { requests: { cpu: '200m' } } }),
  )
  expect(object.spec).toMatchObject({ resources: { requests: { cpu: '200m', memory: '1Gi' } } })
  expect(object.status).toMatchObject({ qosClass: 'Burstable' })
  const more = { ...limited, 'spec.containers.0.resources': { limits: { cpu: '3' } } }
  expect(creating(changed(pod, more)).causes).toEqual([
    'Invalid spec.resources.containers[0][cpu].limits',
    'Invalid spec.resources.requests',
  ])
})

it('has host ports equal to its ports on the host network', () => {
  const { object } = creating(
    changed(pod, { 'spec.hostNetwork': true, 'spec.containers.0.ports': [{ containerPort: 80 }] }),
  )
  expect(object.spec).toMatchObject({ containers: [{ ports: [{ containerPort: 80, hostPort: 80 }] }] })
})

const c = 'spec.containers.0'
const one = 'spec.containers[0]'

describe('a pod is refused', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ spec: {} }, ['Required spec.containers']],
    [{ [`${c}.name`]: 'Bad_Name' }, [`Invalid ${one}.name`]],
    [{ [`${c}.image`]: undefined }, [`Required ${one}.image`]],
    [{ [`${c}.image`]: ' nginx' }, [`Invalid ${one}.image`]],
    [{ [`${c}.imagePullPolicy`]: 'Sometimes' }, [`NotSupported ${one}.imagePullPolicy`]],
    [
      {
        'spec.containers': [
          { name: 'c', image: 'a' },
          { name: 'c', image: 'a' },
        ],
      },
      ['Duplicate spec.containers[1].name'],
    ],
    [{ 'spec.initContainers': [{ name: 'c', image: 'a' }] }, ['Duplicate spec.initContainers[0].name']],
    [
      { 'spec.initContainers': [{ name: 'i', image: 'a', livenessProbe: { exec: { command: ['x'] } } }] },
      ['Forbidden spec.initContainers[0].livenessProbe'],
    ],
    [{ [`${c}.ports`]: [{}] }, [`Required ${one}.ports[0].containerPort`]],
    [{ [`${c}.ports`]: [{ containerPort: 70000 }] }, [`Invalid ${one}.ports[0].containerPort`]],
    [{ [`${c}.ports`]: [{ containerPort: 1, protocol: 'ICMP' }] }, [`NotSupported ${one}.ports[0].protocol`]],
    [{ [`${c}.env`]: [{ value: 'x' }] }, [`Required ${one}.env[0].name`]],
    [{ [`${c}.env`]: [{ name: 'A', valueFrom: {} }] }, [`Invalid ${one}.env[0].valueFrom`]],
    [
      { [`${c}.env`]: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }] },
      [`Required ${one}.env[0].valueFrom.secretKeyRef.key`],
    ],
    [
      { [`${c}.env`]: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.restartPolicy' } } }] },
      [`NotSupported ${one}.env[0].valueFrom.fieldRef.fieldPath`],
    ],
    [{ [`${c}.envFrom`]: [{}] }, [`Invalid ${one}.envFrom`]],
    [{ [`${c}.volumeMounts`]: [{ name: 'v', mountPath: '/v' }] }, [`NotFound ${one}.volumeMounts[0].name`]],
    [
      { 'spec.volumes': [{ name: 'v' }], [`${c}.volumeMounts`]: [{ name: 'v' }] },
      [`Required ${one}.volumeMounts[0].mountPath`],
    ],
    [{ 'spec.volumes': [{ name: 'v' }, { name: 'v' }] }, ['Duplicate spec.volumes[1].name']],
    [{ 'spec.volumes': [{ name: 'v', configMap: {} }] }, ['Required spec.volumes[0].configMap.name']],
    [
      { 'spec.volumes': [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] },
      ['Forbidden spec.volumes[0].hostPath'],
    ],
    [{ [`${c}.livenessProbe`]: {} }, [`Required ${one}.livenessProbe`]],
    [
      { [`${c}.livenessProbe`]: { exec: { command: ['x'] }, successThreshold: 2 } },
      [`Invalid ${one}.livenessProbe.successThreshold`],
    ],
    [
      { [`${c}.livenessProbe`]: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } },
      [`Forbidden ${one}.livenessProbe.tcpSocket`],
    ],
    [{ [`${c}.resources`]: { requests: { cpu: '2' }, limits: { cpu: '1' } } }, [`Invalid ${one}.resources.requests`]],
    [{ [`${c}.resources`]: { requests: { cpu: '-1' } } }, [`Invalid ${one}.resources.requests[cpu]`]],
    [
      { [`${c}.resources`]: { limits: { gpu: '1' } } },
      [
        `Invalid ${one}.resources.limits[gpu]`,
        `Invalid ${one}.resources.limits[gpu]`,
        `Invalid ${one}.resources.requests[gpu]`,
        `Invalid ${one}.resources.requests[gpu]`,
      ],
    ],
    [{ [`${c}.securityContext`]: { runAsUser: -1 } }, [`Invalid ${one}.securityContext.runAsUser`]],
    [{ 'spec.restartPolicy': 'Sometimes' }, ['NotSupported spec.restartPolicy']],
    [{ 'spec.dnsPolicy': 'None' }, ['Required spec.dnsConfig']],
    [{ 'spec.activeDeadlineSeconds': 0 }, ['Invalid spec.activeDeadlineSeconds']],
    [{ 'spec.tolerations': [{ key: 'a', operator: 'Almost' }] }, ['NotSupported spec.tolerations[0].operator']],
    [{ 'spec.nodeSelector': { 'a b': 'c' } }, ['Invalid spec.nodeSelector']],
    [
      { 'spec.topologySpreadConstraints': [{ maxSkew: 0, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] },
      ['Invalid spec.topologySpreadConstraints[0].maxSkew'],
    ],
    [
      { 'spec.affinity': { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } },
      [
        'Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
        'Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
        'Required spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
      ],
    ],
    [{ 'spec.hostAliases': [{ ip: 'here' }] }, ['Invalid spec.hostAliases[0].ip']],
    [{ 'spec.ephemeralContainers': [{ name: 'e', image: 'a' }] }, ['Forbidden spec.ephemeralContainers']],
  ])('with %j', (changes, causes) => {
    expect(creating(changed(pod, changes)).causes).toEqual(causes)
  })
})

describe('a change of a pod', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ [`${c}.image`]: 'nginx:2' }, []],
    [{ 'metadata.labels': { a: 'b' } }, []],
    [{ 'spec.activeDeadlineSeconds': 5 }, []],
    [{ [`${c}.image`]: '' }, [`Required ${one}.image`, `Required ${one}.image`]],
    [{ [`${c}.command`]: ['x'] }, ['Forbidden spec']],
    [{ 'spec.nodeName': 'n' }, ['Forbidden spec']],
    // The defaults of every pod are filled in again.
    [{ 'spec.tolerations': [] }, []],
    [{ 'spec.containers.1': { name: 'd', image: 'x' } }, ['Forbidden spec.containers']],
  ])('%j', (changes, causes) => {
    expect(updating(pod, changes).causes).toEqual(causes)
  })
})

it.each<[Record<string, unknown>, number | undefined, number]>([
  [{}, undefined, 0],
  [{ 'spec.nodeName': 'n' }, undefined, 30],
  [{ 'spec.nodeName': 'n' }, 5, 5],
  [{ 'spec.nodeName': 'n' }, 0, 0],
  [{ 'spec.nodeName': 'n', 'spec.terminationGracePeriodSeconds': 7 }, undefined, 7],
  [{ 'spec.nodeName': 'n', 'status.phase': 'Succeeded' }, undefined, 0],
])('with %j waits for its node when asked for %s: %s seconds', (changes, asked, seconds) => {
  const { object } = creating(pod)
  expect(deletionGrace(changed(object as unknown as Body, changes) as unknown as typeof object, asked)).toBe(seconds)
})
