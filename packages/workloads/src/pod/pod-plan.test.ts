import type { UnitState } from '@homeostat/runtimes'
import { describe, expect, it } from 'vitest'
import type { Container, Pod, PodSpec, PodStatus } from '../kinds.ts'
import type { ContainerMemory } from './container-plan.ts'
import { type PodPlan, type PodState, planPod } from './pod-plan.ts'
import { unitLabels, unitName } from './unit-name.ts'

const NOW = Date.parse('2026-01-01T01:00:00Z')
const PROCESS = { name: 'process', simulated: false }
const SIMULATED = { name: 'simulated', simulated: true }

function pod(spec: PodSpec = {}, status: PodStatus = {}): Pod {
  const containers = [{ name: 'main', image: 'web:1' }]
  const metadata = { name: 'p', namespace: 'default', uid: 'u' }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'homeostat', containers, ...spec }, status }
}

function unit(container: string, attempt: number, state: Partial<UnitState> = {}): UnitState {
  const name = unitName(pod(), container, attempt)
  const labels = unitLabels(pod(), container, attempt)
  const end = state.phase === 'exited' ? { finishedAt: NOW - 1000, exitCode: 0 } : {}
  return { id: name, name, labels, phase: 'running', startedAt: NOW - 60_000, ...end, ...state }
}

function plan(state: Partial<PodState>): PodPlan {
  return planPod({
    pod: pod(),
    units: [],
    runtime: PROCESS,
    address: '192.0.2.1',
    memory: new Map(),
    now: NOW,
    ...state,
  })
}

const starts = ({ actions }: PodPlan) =>
  actions.flatMap((action) => (action.do === 'start' ? [`${action.container.name} ${action.attempt}`] : []))
const condition = ({ status }: PodPlan, type: string) => status?.conditions?.find((one) => one.type === type)
const remembering = (memory: ContainerMemory) => new Map([['main', memory]])

describe('a pod with its node', () => {
  it('starts its containers', () => {
    const planned = plan({ pod: pod({ containers: [{ name: 'a' }, { name: 'b' }] }) })
    expect(starts(planned)).toEqual(['a 0', 'b 0'])
    expect(planned.status).toMatchObject({
      phase: 'Pending',
      startTime: '2026-01-01T01:00:00Z',
      containerStatuses: [
        { name: 'a', ready: false, restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } },
        {},
      ],
    })
    expect(condition(planned, 'PodScheduled')?.status).toBe('True')
    expect(condition(planned, 'Initialized')?.status).toBe('True')
    expect(condition(planned, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [a b]',
    })
  })

  it('runs and is ready when all of them run, and starts nothing twice', () => {
    const planned = plan({ units: [unit('main', 0)] })
    expect(planned.actions).toEqual([])
    expect(planned.status).toMatchObject({
      phase: 'Running',
      containerStatuses: [
        {
          name: 'main',
          image: 'web:1',
          ready: true,
          started: true,
          containerID: 'process://u_main_0',
          state: { running: { startedAt: '2026-01-01T00:59:00Z' } },
        },
      ],
    })
    expect(condition(planned, 'Ready')?.status).toBe('True')
    expect(condition(planned, 'homeostat.dev/Simulated')).toBeUndefined()
  })

  it('says when it is simulated', () => {
    expect(condition(plan({ units: [unit('main', 0)], runtime: SIMULATED }), 'homeostat.dev/Simulated')).toMatchObject({
      status: 'True',
      message: expect.stringContaining('nothing really runs'),
    })
  })

  it('waits for the probe of a container that has one, unless it is simulated', () => {
    const probe = { tcpSocket: { port: 1 }, initialDelaySeconds: 65 }
    const probed = pod({ containers: [{ name: 'main', readinessProbe: probe }] })
    const units = [unit('main', 0)]
    const early = plan({ pod: probed, units })
    expect(condition(early, 'Ready')?.status).toBe('False')
    expect([early.actions, early.requeueAfterMs]).toEqual([[], 5000])
    expect(plan({ pod: probed, units, now: NOW + 5000 }).actions).toMatchObject([
      { do: 'probe', container: { name: 'main' } },
    ])
    const readiness = { unit: 'u_main_0', ready: true, against: 0, dueAt: NOW + 1000 }
    const asked = plan({ pod: probed, units, memory: remembering({ readiness }) })
    expect(condition(asked, 'Ready')?.status).toBe('True')
    expect(asked.requeueAfterMs).toBe(1000)
    const restarted = plan({ pod: probed, units: [unit('main', 1)], memory: remembering({ readiness }) })
    expect(condition(restarted, 'Ready')?.status).toBe('False')
    expect(condition(plan({ pod: probed, units, runtime: SIMULATED }), 'Ready')?.status).toBe('True')
  })

  it('waits for its readiness gates', () => {
    const gated = pod({ readinessGates: [{ conditionType: 'x/y' }] })
    expect(condition(plan({ pod: gated, units: [unit('main', 0)] }), 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ReadinessGatesNotReady',
    })
  })

  it('keeps conditions of others, and the times of its own', () => {
    const first = plan({ units: [unit('main', 0)] })
    const conditions = [{ type: 'x/y', status: 'True' as const }, ...(first.status?.conditions ?? [])]
    const second = plan({ pod: pod({}, { ...first.status, conditions }), units: [unit('main', 0)], now: NOW + 99_000 })
    expect(second.status?.conditions).toEqual(conditions)
  })
})

describe('a container that ended', () => {
  it.each([
    ['Always', 0, ['main 1'], 'Running'],
    ['Always', 1, ['main 1'], 'Running'],
    ['OnFailure', 0, [], 'Succeeded'],
    ['OnFailure', 1, ['main 1'], 'Running'],
    ['Never', 0, [], 'Succeeded'],
    ['Never', 1, [], 'Failed'],
  ])('under %s with exit code %i: starts %j, the pod is %s', (restartPolicy, exitCode, expected, phase) => {
    const planned = plan({ pod: pod({ restartPolicy }), units: [unit('main', 0, { phase: 'exited', exitCode })] })
    expect(starts(planned)).toEqual(expected)
    expect(planned.status?.phase).toBe(phase)
    expect(planned.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode })
  })

  it('waits longer each time, and says so', () => {
    const crashed = [unit('main', 2, { phase: 'exited', exitCode: 1, finishedAt: NOW - 5000 })]
    const memory = remembering({ backOff: { delayMs: 20_000, restartedAt: NOW - 60_000 } })
    const planned = plan({ units: crashed, memory })
    expect(starts(planned)).toEqual([])
    expect(planned.requeueAfterMs).toBe(15_000)
    expect(planned.status).toMatchObject({
      phase: 'Running',
      containerStatuses: [
        {
          restartCount: 2,
          ready: false,
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s restarting failed container=main' } },
          lastState: { terminated: { exitCode: 1, containerID: 'process://u_main_2' } },
        },
      ],
    })
    expect(starts(plan({ units: crashed, memory, now: NOW + 15_000 }))).toEqual(['main 3'])
  })

  it('is remembered as the last state of its successor, and the one before it is dropped', () => {
    const units = [
      unit('main', 2),
      unit('main', 1, { phase: 'exited', exitCode: 3 }),
      unit('main', 0, { phase: 'exited' }),
    ]
    const planned = plan({ units })
    expect(planned.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 2,
      state: { running: {} },
      lastState: { terminated: { exitCode: 3 } },
    })
    expect(planned.actions).toMatchObject([{ do: 'stop', unit: { name: 'u_main_0' } }])
  })

  it('leaves a pod that has ended as it is, whatever its containers do', () => {
    const over = pod({ restartPolicy: 'Never' }, { phase: 'Failed' })
    const planned = plan({ pod: over, units: [unit('main', 0)] })
    expect(planned.status?.phase).toBe('Failed')
    expect(planned.actions).toMatchObject([{ do: 'stop', unit: { name: 'u_main_0' } }])
  })
})

describe('a container that could not start', () => {
  const refusal = { reason: 'CreateContainerError', message: 'no such program', retryAt: NOW + 4000 }

  it('says why, and is tried again later', () => {
    const planned = plan({ memory: remembering({ refusal }) })
    expect(starts(planned)).toEqual([])
    expect(planned.requeueAfterMs).toBe(4000)
    expect(planned.status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'CreateContainerError', message: 'no such program' } } }],
    })
    expect(starts(plan({ memory: remembering({ refusal }), now: NOW + 4000 }))).toEqual(['main 0'])
  })

  it('keeps how it ended before', () => {
    const units = [unit('main', 0, { phase: 'exited', exitCode: 9 })]
    const planned = plan({ units, memory: remembering({ refusal }) })
    expect(planned.status?.containerStatuses?.[0]).toMatchObject({
      state: { waiting: { reason: 'CreateContainerError' } },
      lastState: { terminated: { exitCode: 9 } },
    })
  })
})

describe('init containers', () => {
  const initContainers: Container[] = [{ name: 'one' }, { name: 'two' }]
  const done = (name: string) => unit(name, 0, { phase: 'exited', exitCode: 0 })

  it('run one after the other, and before all others', () => {
    const two = pod({ initContainers })
    expect(starts(plan({ pod: two }))).toEqual(['one 0'])
    expect(starts(plan({ pod: two, units: [unit('one', 0)] }))).toEqual([])
    expect(starts(plan({ pod: two, units: [done('one')] }))).toEqual(['two 0'])
    const planned = plan({ pod: two, units: [done('one'), done('two')] })
    expect(starts(planned)).toEqual(['main 0'])
    expect(condition(planned, 'Initialized')?.status).toBe('True')
    expect(planned.status?.initContainerStatuses).toMatchObject([{ ready: true }, { ready: true }])
  })

  it('hold the others back', () => {
    const planned = plan({ pod: pod({ initContainers }), units: [done('one'), unit('two', 0)] })
    expect(planned.status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
    })
    expect(condition(planned, 'Initialized')).toMatchObject({
      status: 'False',
      message: 'containers with incomplete status: [two]',
    })
  })

  it('are tried again, unless the pod never restarts', () => {
    const units = [unit('one', 0, { phase: 'exited', exitCode: 1 })]
    expect(starts(plan({ pod: pod({ initContainers }), units }))).toEqual(['one 1'])
    const never = plan({ pod: pod({ initContainers, restartPolicy: 'Never' }), units })
    expect(starts(never)).toEqual([])
    expect(never.status?.phase).toBe('Failed')
  })

  it('that go on beside the others count once they run', () => {
    const sidecar = pod({ initContainers: [{ name: 'proxy', restartPolicy: 'Always' }] })
    expect(starts(plan({ pod: sidecar }))).toEqual(['proxy 0'])
    const planned = plan({ pod: sidecar, units: [unit('proxy', 0)] })
    expect(starts(planned)).toEqual(['main 0'])
    const crashed = [unit('proxy', 0, { phase: 'exited', exitCode: 1 }), unit('main', 0)]
    const later = plan({ pod: pod(sidecar.spec, planned.status), units: crashed })
    expect(starts(later)).toEqual(['proxy 1'])
    expect(later.status?.phase).toBe('Running')
  })
})

describe('a runtime that forgot a container', () => {
  const running: PodStatus = {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'main',
        image: '',
        imageID: '',
        ready: true,
        restartCount: 4,
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  }

  it('counts as its end, and it starts again', () => {
    const planned = plan({ pod: pod({}, running) })
    expect(starts(planned)).toEqual(['main 5'])
    expect(planned.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
    })
  })

  it('did not lose anything when it was simulated: it goes on without a restart', () => {
    const planned = plan({ pod: pod({}, running), runtime: SIMULATED })
    expect(starts(planned)).toEqual(['main 4'])
  })

  it('does not bring back what had ended', () => {
    const terminated = { exitCode: 0, reason: 'Completed' }
    const status: PodStatus = {
      phase: 'Succeeded',
      containerStatuses: [
        { name: 'main', image: '', imageID: '', ready: false, restartCount: 0, state: { terminated } },
      ],
    }
    const planned = plan({ pod: pod({ restartPolicy: 'Never' }, status) })
    expect(planned.actions).toEqual([])
    expect(planned.status?.containerStatuses?.[0]?.state).toEqual({ terminated })
  })
})

describe('a pod that goes', () => {
  const going = (grace: number, finalizers?: string[]): Pod => {
    const one = pod()
    one.metadata.deletionTimestamp = '2026-01-01T01:00:30Z'
    one.metadata.deletionGracePeriodSeconds = grace
    if (finalizers) one.metadata.finalizers = finalizers
    return one
  }

  it('stops what runs with the grace it was given, and starts nothing', () => {
    expect(plan({ pod: going(5), units: [unit('main', 0)] }).actions).toMatchObject([
      { do: 'stop', unit: { name: 'u_main_0' }, graceSeconds: 5 },
    ])
  })

  it('is deleted when nothing of it is left', () => {
    expect(plan({ pod: going(5) })).toEqual({ actions: [{ do: 'delete' }] })
  })

  it('waits for finalizers without being deleted again and again', () => {
    expect(plan({ pod: going(5, ['x/y']) }).actions).toEqual([{ do: 'delete' }])
    expect(plan({ pod: going(0, ['x/y']) }).actions).toEqual([])
  })
})
