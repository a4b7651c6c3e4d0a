import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { builtinNamed } from '../builtin-named.fixture.ts'

const NOW = Date.parse('2026-01-01T01:00:00Z')

/** The row of an object, by column name. */
function row(resource: string, object: object, group?: string, version?: string): Record<string, unknown> {
  const { columns, kind } = builtinNamed(resource, group, version)
  const metadata = { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' }
  const whole = { apiVersion: 'v1', kind, metadata, ...object } as KubeObject
  return Object.fromEntries(columns.map((column) => [column.name, column.cell(whole, NOW)]))
}

const running = { state: { running: {} }, ready: true }

describe('pods', () => {
  const containers = [{ name: 'a' }, { name: 'b' }]

  it('count the containers that are ready', () => {
    const status = { phase: 'Running', containerStatuses: [running, { state: { waiting: {} } }] }
    expect(row('pods', { spec: { containers }, status })).toMatchObject({
      Ready: '1/2',
      Status: 'Running',
      Restarts: '0',
      Age: '60m',
      IP: '<none>',
    })
  })

  it.each([
    ['Pending', { phase: 'Pending' }],
    ['Evicted', { phase: 'Failed', reason: 'Evicted' }],
    ['SchedulingGated', { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] }],
    [
      'CrashLoopBackOff',
      { phase: 'Running', containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
    ],
    ['ExitCode:3', { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] }],
    ['Signal:9', { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 1, signal: 9 } } }] }],
    [
      'NotReady',
      {
        phase: 'Running',
        containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }, running],
      },
    ],
    [
      'Running',
      {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }, running],
      },
    ],
    ['Init:0/1', { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { running: {} } }] }],
    [
      'Init:Error',
      { phase: 'Pending', initContainerStatuses: [{ state: { terminated: { exitCode: 1, reason: 'Error' } } }] },
    ],
    [
      'Init:ImagePullBackOff',
      { phase: 'Pending', initContainerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
    ],
  ])('are %s when they are %j', (word, status) => {
    expect(row('pods', { spec: { containers, initContainers: [{ name: 'i' }] }, status }).Status).toBe(word)
  })

  it('are terminating once they are deleted', () => {
    const metadata = { name: 'a', deletionTimestamp: '2026-01-01T00:30:00Z' }
    expect(row('pods', { metadata, status: { phase: 'Running' } }).Status).toBe('Terminating')
    expect(row('pods', { metadata, status: { phase: 'Succeeded' } }).Status).toBe('Succeeded')
  })

  it('say when a container last ended', () => {
    const lastState = { terminated: { finishedAt: '2026-01-01T00:55:00Z' } }
    const status = { phase: 'Running', containerStatuses: [{ ...running, restartCount: 3, lastState }] }
    expect(row('pods', { spec: { containers }, status }).Restarts).toBe('3 (5m ago)')
  })

  it('count the init containers that go on running', () => {
    const spec = { containers, initContainers: [{ name: 'i', restartPolicy: 'Always' }] }
    const initContainerStatuses = [{ ...running, name: 'i', started: true }]
    expect(row('pods', { spec, status: { phase: 'Running', initContainerStatuses } }).Ready).toBe('1/3')
  })
})

describe('other kinds', () => {
  it('services show where they are', () => {
    const ports = [
      { port: 80, protocol: 'TCP', nodePort: 30080 },
      { port: 53, protocol: 'UDP' },
    ]
    expect(row('services', { spec: { type: 'NodePort', clusterIPs: ['10.0.0.1'], ports } })).toMatchObject({
      'Cluster-IP': '10.0.0.1',
      'External-IP': '<none>',
      'Port(s)': '80:30080/TCP,53/UDP',
      Selector: '<none>',
    })
    const waiting = { spec: { type: 'LoadBalancer' } }
    expect(row('services', waiting)['External-IP']).toBe('<pending>')
    const ingress = [{ ip: '10.0.0.2' }, { hostname: 'a.example.com' }]
    expect(row('services', { ...waiting, status: { loadBalancer: { ingress } } })['External-IP']).toBe(
      '10.0.0.2,a.example.com',
    )
  })

  it('jobs show their state, their completions and how long they took', () => {
    const status = {
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:00:42Z',
      succeeded: 2,
      conditions: [{ type: 'Complete', status: 'True' }],
    }
    expect(row('jobs', { spec: { completions: 2 }, status })).toMatchObject({
      Status: 'Complete',
      Completions: '2/2',
      Duration: '42s',
    })
    expect(row('jobs', { spec: { parallelism: 3 } })).toMatchObject({
      Status: 'Running',
      Completions: '0/1 of 3',
      Duration: '',
    })
  })

  it('nodes show their roles and whether they are ready', () => {
    const labels = { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' }
    const node = { metadata: { name: 'n', labels }, spec: { unschedulable: true } }
    expect(row('nodes', { ...node, status: { conditions: [{ type: 'Ready', status: 'False' }] } })).toMatchObject({
      Status: 'NotReady,SchedulingDisabled',
      Roles: 'edge,worker',
      Age: '<unknown>',
    })
  })

  it('endpoints are shortened', () => {
    const addresses = ['1', '2', '3', '4'].map((last) => ({ ip: `10.0.0.${last}` }))
    expect(row('endpoints', { subsets: [{ addresses, ports: [{ port: 80 }] }] }).Endpoints).toBe(
      '10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...',
    )
  })

  it('ingresses show hosts, and * for none', () => {
    const rules = ['a', 'b', 'c', 'd'].map((host) => ({ host }))
    expect(row('ingresses', { spec: { rules } }).Hosts).toBe('a,b,c + 1 more...')
    expect(row('ingresses', { spec: { rules: [{}], tls: [{}] } })).toMatchObject({ Hosts: '*', Ports: '80, 443' })
  })

  it('autoscalers show the same in both versions', () => {
    const target = { type: 'Utilization', averageUtilization: 70 }
    const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 1, maxReplicas: 3 }
    const v2 = { spec: { ...spec, metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] } }
    const v1 = { spec: { ...spec, targetCPUUtilizationPercentage: 70 } }
    const shown = { Reference: 'Deployment/d', Targets: 'cpu: <unknown>/70%', MinPods: '1', MaxPods: 3 }
    expect(row('horizontalpodautoscalers', v2, 'autoscaling', 'v2')).toMatchObject(shown)
    expect(row('horizontalpodautoscalers', v1, 'autoscaling', 'v1')).toMatchObject(shown)
  })

  it('volumes show their modes in short', () => {
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany', 'ReadWriteOnce'] }
    expect(row('persistentvolumes', { spec })).toMatchObject({ Capacity: '1Gi', 'Access Modes': 'RWO,RWX' })
  })

  it('quotas show what is used of what', () => {
    const status = { hard: { pods: '5', 'limits.cpu': '2' }, used: { pods: '1' } }
    expect(row('resourcequotas', { status })).toMatchObject({ Request: 'pods: 1/5', Limit: 'limits.cpu: 0/2' })
  })
})
