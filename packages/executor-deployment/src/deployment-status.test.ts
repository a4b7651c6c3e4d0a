import { describe, expect, it } from 'vitest'
import { type DeploymentStatus, deploymentStatus, type Findings, type Replica } from './deployment-status.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const LATER = NOW + 60_000

const running = (name: string, more: Partial<Replica> = {}): Replica => ({
  name,
  isRunning: true,
  isOnline: true,
  isCurrent: true,
  ...more,
})
const findings = (more: Partial<Findings>): Findings => ({
  generation: 1,
  wanted: 2,
  replicas: [running('a-0'), running('a-1')],
  deployedTo: { runtime: 'local' },
  isDeleting: false,
  ...more,
})
const status = (more: Partial<Findings>, previous: DeploymentStatus = {}, now = NOW) =>
  deploymentStatus(previous, findings(more), now)
const brief = ({ phase, ready, available, message }: DeploymentStatus) => `${phase} ${ready}/${available}: ${message}`
const conditions = (of: DeploymentStatus) =>
  of.conditions?.map(({ type, status, reason }) => `${type}=${status}/${reason}`)

describe('the status of an ExecutorDeployment', () => {
  it('says all there is to say of one that runs', () => {
    expect(status({})).toEqual({
      phase: 'Running',
      ready: 2,
      available: 2,
      deployedExecutors: ['a-0', 'a-1'],
      message: '2 of 2 running',
      deployedTo: { runtime: 'local' },
      lastUpdateTime: '2026-01-01T00:00:00Z',
      conditions: [
        {
          type: 'Accepted',
          status: 'True',
          reason: 'Accepted',
          message: '',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
        {
          type: 'Ready',
          status: 'True',
          reason: 'AllReplicasReady',
          message: '2 of 2 running',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    })
  })

  const dead = running('a-1', { isRunning: false, message: 'exit code 1' })
  it.each<[Partial<Findings>, string, string[]]>([
    [
      { wanted: 0, replicas: [] },
      'Running 0/0: 0 of 0 running',
      ['Accepted=True/Accepted', 'Ready=True/AllReplicasReady'],
    ],
    [{ replicas: [] }, 'Pending 0/0: 0 of 2 running', ['Accepted=True/Accepted', 'Ready=False/ReplicasMissing']],
    [
      { replicas: [running('a-0')] },
      'Degraded 1/1: 1 of 2 running',
      ['Accepted=True/Accepted', 'Ready=False/ReplicasMissing'],
    ],
    [
      { replicas: [running('a-0'), dead] },
      'Degraded 1/1: 1 of 2 running: a-1: exit code 1',
      ['Accepted=True/Accepted', 'Ready=False/ReplicasMissing'],
    ],
    [
      { replicas: [running('a-0'), running('a-1', { isCurrent: false })] },
      'Degraded 1/2: 1 of 2 running',
      ['Accepted=True/Accepted', 'Ready=False/ReplicasMissing'],
    ],
    [
      { replicas: [], error: 'no docker' },
      'Failed 0/0: 0 of 2 running: no docker',
      ['Accepted=True/Accepted', 'Ready=False/ReconcileFailed'],
    ],
    [
      { error: 'full' },
      'Degraded 2/2: 2 of 2 running: full',
      ['Accepted=True/Accepted', 'Ready=False/ReconcileFailed'],
    ],
    [
      { wanted: undefined, replicas: [], refusal: { reason: 'UnsupportedRuntime', message: 'no lambda' } },
      'Failed 0/0: no lambda',
      ['Accepted=False/UnsupportedRuntime', 'Ready=False/UnsupportedRuntime'],
    ],
    [{ isDeleting: true }, 'Terminating 2/2: 2 still to stop', ['Accepted=True/Accepted', 'Ready=False/Terminating']],
    [
      { isDeleting: true, error: 'stuck' },
      'Terminating 2/2: stuck',
      ['Accepted=True/Accepted', 'Ready=False/Terminating'],
    ],
  ])('after %j is %s', (found, expected, expectedConditions) => {
    expect(brief(status(found))).toBe(expected)
    expect(conditions(status(found))).toEqual(expectedConditions)
  })

  it('is the very same when nothing changed, whatever others wrote beside it', () => {
    const first = status({})
    const others = {
      ...first,
      observedGeneration: 1,
      conditions: [
        ...(first.conditions ?? []),
        { type: 'Progressing', status: 'False', reason: 'x', message: '', lastTransitionTime: '' } as const,
      ],
    }
    expect(status({}, others, LATER)).toEqual(first)
  })

  it('has a new time when something changed; a condition only when its status did', () => {
    const next = status({ wanted: 3, replicas: [running('a-0')] }, status({}), LATER)
    expect(next.lastUpdateTime).toBe('2026-01-01T00:01:00Z')
    expect(next.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:01:00Z',
    ])
  })

  it('lists executors in the order of their numbers, and fields that are not used', () => {
    const replicas = [running('a-10'), running('a-2')]
    const found = status({ replicas, unused: ['spec.config.ports'] })
    expect(found.deployedExecutors).toEqual(['a-2', 'a-10'])
    expect(found.conditions?.[0]?.message).toBe('not used by this runtime: spec.config.ports')
  })
})
