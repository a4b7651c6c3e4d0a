import { describe, expect, it } from 'vitest'
import type { Deployment, WorkloadCondition } from '../kinds.ts'
import { deployment, RolloutWorld, template } from './rollout.fixture.ts'
import { rolloutBounds } from './rollout-bounds.ts'

const REVISION = 'deployment.kubernetes.io/revision'

const condition = ({ status }: Deployment, type: string): WorkloadCondition | undefined =>
  status?.conditions?.find((one) => one.type === type)

function rolledOut(spec: Deployment['spec'] = {}): RolloutWorld {
  const world = new RolloutWorld(deployment(spec))
  world.settle()
  return world
}

describe('the bounds of a rollout', () => {
  it.each([
    [10, '25%', '25%', 3, 2],
    [3, '25%', '25%', 1, 0],
    [1, '25%', '25%', 1, 0],
    [4, '50%', '0%', 2, 0],
    [4, 0, 0, 0, 1],
    [4, '0%', '1%', 0, 1],
    [2, 5, 5, 5, 2],
    [0, '25%', '25%', 0, 0],
    [100, '7%', '7%', 7, 7],
  ])(
    'of %i replicas with surge %s and unavailable %s are %i and %i',
    (replicas, maxSurge, maxUnavailable, up, down) => {
      const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }
      expect(rolloutBounds({ spec: { replicas, strategy } })).toEqual({ replicas, maxSurge: up, maxUnavailable: down })
    },
  )

  it('are none for one that begins anew', () => {
    expect(rolloutBounds({ spec: { replicas: 4, strategy: { type: 'Recreate' } } })).toMatchObject({
      maxSurge: 0,
      maxUnavailable: 0,
    })
  })
})

describe('a new deployment', () => {
  it('makes a replica set of its own, named and labelled by its template', () => {
    const world = new RolloutWorld(deployment())
    const [create, number] = world.step().actions
    expect(number).toEqual({ do: 'number', revision: '1' })
    if (create?.do !== 'create') throw new Error('nothing was created')
    const hash = create.set.metadata.labels?.['pod-template-hash']
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/)
    expect(create.set).toMatchObject({
      metadata: {
        name: `web-${hash}`,
        labels: { app: 'web', 'pod-template-hash': hash },
        annotations: {
          [REVISION]: '1',
          'deployment.kubernetes.io/desired-replicas': '3',
          'deployment.kubernetes.io/max-replicas': '4',
        },
        ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'd', controller: true, blockOwnerDeletion: true }],
      },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } },
        template: { metadata: { labels: { app: 'web', 'pod-template-hash': hash } } },
      },
    })
    expect(condition(world.deployment, 'Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetCreated' })
    expect(condition(world.deployment, 'Available')).toMatchObject({
      status: 'False',
      reason: 'MinimumReplicasUnavailable',
    })
  })

  it('takes another name when its own was taken by another template', () => {
    const names = [undefined, 1, 2].map((collisionCount) => {
      const world = new RolloutWorld({
        ...deployment(),
        status: collisionCount === undefined ? {} : { collisionCount },
      })
      world.step()
      expect(world.deployment.status?.collisionCount).toBe(collisionCount)
      return world.sets[0]?.metadata.name
    })
    expect(new Set(names).size).toBe(3)
  })

  it('copies its annotations, but not those that are its own', () => {
    const first = deployment()
    first.metadata.annotations = { team: 'a', 'kubectl.kubernetes.io/last-applied-configuration': '{}' }
    const world = new RolloutWorld(first)
    world.step()
    expect(world.sets[0]?.metadata.annotations).toMatchObject({ team: 'a' })
    expect(world.sets[0]?.metadata.annotations).not.toHaveProperty(['kubectl.kubernetes.io/last-applied-configuration'])
  })

  it('is complete when all its pods are available, and does nothing more', () => {
    const world = rolledOut()
    expect(world.deployment.status).toMatchObject({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 })
    expect(condition(world.deployment, 'Progressing')).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
    })
    expect(condition(world.deployment, 'Available')).toMatchObject({
      status: 'True',
      reason: 'MinimumReplicasAvailable',
    })
    const plan = world.step()
    expect(plan.actions).toEqual([])
    expect(plan.requeueAfterMs).toBeUndefined()
  })

  it('with no replicas is complete at once', () => {
    const world = rolledOut({ replicas: 0 })
    expect(condition(world.deployment, 'Progressing')?.reason).toBe('NewReplicaSetAvailable')
  })
})

describe('a rolling update', () => {
  const update = (spec: Deployment['spec'], sizes: Record<string, number>[]) => {
    const world = rolledOut({ replicas: 4, ...spec })
    world.change({ template: template('web:2') })
    const seen: Record<string, number>[] = []
    world.settle([], () => {
      const now = world.sizes()
      if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now)
    })
    expect(seen).toEqual(sizes)
    return world
  }
  const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
  })

  it('goes one by one with a surge of one', () => {
    update(rolling(1, 0), [
      { 'web:1': 4, 'web:2': 1 },
      { 'web:1': 3, 'web:2': 1 },
      { 'web:1': 3, 'web:2': 2 },
      { 'web:1': 2, 'web:2': 2 },
      { 'web:1': 2, 'web:2': 3 },
      { 'web:1': 1, 'web:2': 3 },
      { 'web:1': 1, 'web:2': 4 },
      { 'web:1': 0, 'web:2': 4 },
    ])
  })

  it('makes room first when there may be none too many', () => {
    update(rolling(0, 2), [
      { 'web:1': 2, 'web:2': 0 },
      { 'web:1': 2, 'web:2': 2 },
      { 'web:1': 0, 'web:2': 2 },
      { 'web:1': 0, 'web:2': 4 },
    ])
  })

  it('goes in one step when all may be doubled', () => {
    update(rolling('100%', 0), [
      { 'web:1': 4, 'web:2': 4 },
      { 'web:1': 0, 'web:2': 4 },
    ])
  })

  it('counts its revision up and keeps the old set', () => {
    const world = update(rolling('100%', 0), [
      { 'web:1': 4, 'web:2': 4 },
      { 'web:1': 0, 'web:2': 4 },
    ])
    expect(world.deployment.metadata.annotations?.[REVISION]).toBe('2')
    expect(world.sets.map(({ metadata }) => metadata.annotations?.[REVISION])).toEqual(['1', '2'])
  })

  it('stops where the new pods do not become available, and says so when its time is over', () => {
    const world = rolledOut({ replicas: 4, progressDeadlineSeconds: 60 })
    world.change({ template: template('broken') })
    world.settle(['broken'])
    expect(world.sizes()).toEqual({ 'web:1': 3, broken: 2 })
    expect(condition(world.deployment, 'Progressing')?.reason).toBe('ReplicaSetUpdated')
    const { requeueAfterMs = 0 } = world.step()
    expect(requeueAfterMs).toBeGreaterThan(0)
    world.now += requeueAfterMs
    world.step()
    expect(condition(world.deployment, 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: `ReplicaSet "${world.sets[1]?.metadata.name}" has timed out progressing.`,
    })
    expect(condition(world.deployment, 'Available')?.status).toBe('True')
    expect(world.step().requeueAfterMs).toBeUndefined()
  })

  it('from pods that are not available to others that are not takes no more of them away than may be missing', () => {
    const world = new RolloutWorld(deployment({ replicas: 10, strategy: rolling(3, 2).strategy }, 'broken'))
    world.settle(['broken'])
    world.change({ template: template('worse') })
    world.settle(['broken', 'worse'])
    expect(world.sizes()).toEqual({ broken: 8, worse: 5 })
  })

  it('that is undone uses the old set again, under the next revision', () => {
    const world = rolledOut()
    world.change({ template: template('web:2') })
    world.settle()
    world.change({ template: template('web:1') })
    world.settle()
    expect(world.sizes()).toEqual({ 'web:1': 3, 'web:2': 0 })
    expect(world.sets.map(({ metadata }) => metadata.annotations?.[REVISION])).toEqual(['3', '2'])
    expect(world.sets[0]?.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe('1')
    expect(world.deployment.metadata.annotations?.[REVISION]).toBe('3')
  })

  it('leaves no more old sets than its history may have, the newest ones', () => {
    const world = rolledOut({ revisionHistoryLimit: 2 })
    for (const image of ['web:2', 'web:3', 'web:4', 'web:5']) {
      world.change({ template: template(image) })
      world.settle()
    }
    expect(world.sizes()).toEqual({ 'web:3': 0, 'web:4': 0, 'web:5': 3 })
  })

  it('that is scaled on the way keeps the share of each set', () => {
    const world = rolledOut({ replicas: 10, strategy: rolling(3, 2).strategy })
    world.change({ template: template('broken') })
    world.settle(['broken'])
    expect(world.sizes()).toEqual({ 'web:1': 8, broken: 5 })
    world.change({ replicas: 15 })
    world.step()
    expect(world.sizes()).toEqual({ 'web:1': 11, broken: 7 })
  })
})

describe('one that begins anew', () => {
  it('ends all old pods before it makes new ones', () => {
    const world = rolledOut({ strategy: { type: 'Recreate' } })
    world.change({ template: template('web:2') })
    world.step()
    expect(world.sizes()).toEqual({ 'web:1': 0 })
    world.lingering.add(world.sets[0]?.metadata.name ?? '')
    world.makePods()
    world.step()
    expect(world.sizes()).toEqual({ 'web:1': 0 })
    world.lingering.clear()
    world.settle()
    expect(world.sizes()).toEqual({ 'web:1': 0, 'web:2': 3 })
    expect(condition(world.deployment, 'Progressing')?.reason).toBe('NewReplicaSetAvailable')
  })
})

describe('a paused deployment', () => {
  it('scales, but does not roll out', () => {
    const world = rolledOut()
    world.change({ paused: true, replicas: 5, template: template('web:2') })
    world.settle()
    expect(world.sizes()).toEqual({ 'web:1': 5 })
    expect(condition(world.deployment, 'Progressing')).toMatchObject({ status: 'Unknown', reason: 'DeploymentPaused' })
    world.change({ paused: false })
    world.step()
    expect(world.sets).toHaveLength(2)
    world.settle()
    expect(world.sizes()).toEqual({ 'web:1': 0, 'web:2': 5 })
  })
})

describe('a deployment that goes', () => {
  it('only counts', () => {
    const world = rolledOut()
    world.deployment.metadata.deletionTimestamp = '2026-01-01T00:00:00Z'
    world.change({ replicas: 9, template: template('web:2') })
    expect(world.step().actions).toEqual([])
    expect(world.deployment.status?.replicas).toBe(3)
  })
})

describe('a replica set that cannot make its pods', () => {
  it('speaks for its deployment until it can', () => {
    const world = rolledOut()
    const failure = { type: 'ReplicaFailure', status: 'True' as const, reason: 'FailedCreate', message: 'quota' }
    const [set] = world.sets
    if (set?.status) set.status.conditions = [failure]
    world.step()
    expect(condition(world.deployment, 'ReplicaFailure')).toMatchObject(failure)
    if (set?.status) delete set.status.conditions
    world.step()
    expect(condition(world.deployment, 'ReplicaFailure')).toBeUndefined()
  })
})
