// Deployments on a whole control plane with simulated pods: from apply to the last old pod.

import { describe, expect, it } from 'vitest'
import type { Deployment, Pod, ReplicaSet } from '../src/kinds.ts'
import { podManifest, stage, told, web } from './stage.ts'

const REVISION = 'deployment.kubernetes.io/revision'
const progressing = ({ status }: Deployment) => status?.conditions?.find(({ type }) => type === 'Progressing')

describe('a deployment', () => {
  it('gets its pods, and says when all are available', async () => {
    const { env, rolledOut, pods, sets, events } = await stage()
    await env.apply(web(3))
    const { status, metadata } = await rolledOut('web')
    expect(status).toMatchObject({ replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 })
    expect(status?.unavailableReplicas).toBeUndefined()
    expect(metadata.annotations?.[REVISION]).toBe('1')
    const [set] = await sets()
    const all = await pods()
    expect(all).toHaveLength(3)
    for (const { metadata: own, spec, status: state } of all) {
      expect(own.name).toMatch(new RegExp(`^${set?.metadata.name}-[a-z0-9]{5}$`))
      expect(own.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', uid: set?.metadata.uid, controller: true }])
      expect(spec?.nodeName).toBe('homeostat')
      expect(state?.conditions).toContainEqual(
        expect.objectContaining({ type: 'homeostat.dev/Simulated', status: 'True' }),
      )
    }
    expect(events).toContain(`ScalingReplicaSet: Scaled up replica set ${set?.metadata.name} from 0 to 3`)
  })

  it('writes nothing when all is well', async () => {
    const { env, rolledOut, running, deployment, pods } = await stage()
    await env.apply(web(2))
    await rolledOut('web')
    await env.settled()
    env.takeWrites()
    running.queue(deployment('web'), 'test')
    for (const { metadata } of await pods()) {
      running.queue({ apiVersion: 'v1', kind: 'Pod', name: metadata.name ?? '', namespace: 'default' }, 'test')
    }
    await env.settled()
    expect(env.takeWrites()).toEqual([])
  })

  it('rolls a new template out, keeps the old set, and takes it up again when that is undone', async () => {
    const { env, rolledOut, sets, pods } = await stage()
    await env.apply(web(3))
    await rolledOut('web')
    await env.apply(web(3, {}, { image: 'web:2' }))
    await rolledOut('web')
    const images = async () => (await pods()).filter(isHere).map(({ spec }) => spec?.containers?.[0]?.image)
    expect(new Set(await images())).toEqual(new Set(['web:2']))
    await env.apply(web(3))
    const { metadata } = await rolledOut('web')
    expect(new Set(await images())).toEqual(new Set(['web:1']))
    expect(metadata.annotations?.[REVISION]).toBe('3')
    const revisions = (await sets()).map((set) => [set.metadata.annotations?.[REVISION], set.spec?.replicas])
    expect(revisions.sort()).toEqual([
      ['2', 0],
      ['3', 3],
    ])
  })

  it('is scaled up and down', async () => {
    const { env, rolledOut, pods } = await stage()
    await env.apply(web(1))
    await rolledOut('web')
    const { scale } = env.client.resource('apps/v1', 'Deployment')
    for (const replicas of [4, 2, 0]) {
      await scale.patch({ name: 'web', namespace: 'default' }, { spec: { replicas } })
      await rolledOut('web')
      await expect.poll(async () => (await pods()).length).toBe(replicas)
    }
  })

  it('that begins anew has no new pod before the last old one is gone', async () => {
    const { env, rolledOut, pods } = await stage()
    const recreate = { strategy: { type: 'Recreate' } }
    await env.apply(web(2, recreate, told('stubborn'), { terminationGracePeriodSeconds: 1 }))
    await rolledOut('web')
    await env.apply(web(2, recreate, { image: 'web:2' }))
    const seen = new Set<string>()
    await expect
      .poll(async () => {
        const images = (await pods()).map(({ spec }) => spec?.containers?.[0]?.image ?? '')
        seen.add([...new Set(images)].sort().join('+'))
        return images.join()
      })
      .toBe('web:2,web:2')
    await rolledOut('web')
    expect(seen).not.toContain('web:1+web:2')
  })

  it('waits until pods have been ready for long enough', async () => {
    const { env, deployment } = await stage({ frozen: true })
    await env.apply(web(1, { minReadySeconds: 30 }))
    const ready = (count: number) => (one: Deployment) => (one.status?.readyReplicas ?? 0) === count
    await env.settled()
    await env.advance('10ms')
    const early = await env.until<Deployment>(deployment('web'), ready(1))
    expect(early.status?.availableReplicas).toBeUndefined()
    await env.advance('29s')
    expect((await env.until<Deployment>(deployment('web'), ready(1))).status?.availableReplicas).toBeUndefined()
    await env.advance('2s')
    await env.until<Deployment>(deployment('web'), ({ status }) => status?.availableReplicas === 1)
  })

  it('says that it does not get on when its time is over', async () => {
    const { env, deployment, rolledOut } = await stage()
    await env.apply(web(2, { progressDeadlineSeconds: 60 }))
    await rolledOut('web')
    await env.apply(web(2, { progressDeadlineSeconds: 60 }, { image: 'web:2', ...told('fail:no such image') }))
    await env.until<Deployment>(deployment('web'), (one) => progressing(one)?.reason === 'ReplicaSetUpdated')
    await env.settled()
    await env.advance('62s')
    const stuck = await env.until<Deployment>(deployment('web'), (one) => progressing(one)?.status === 'False')
    expect(progressing(stuck)?.reason).toBe('ProgressDeadlineExceeded')
    expect(stuck.status?.availableReplicas).toBe(2)
  })

  it('takes everything with it when it is deleted', async () => {
    const { env, rolledOut, deployment, sets, pods } = await stage()
    await env.apply(web(2))
    await rolledOut('web')
    await env.client.resource('apps/v1', 'Deployment').delete(deployment('web'))
    await env.untilGone(deployment('web'))
    await expect.poll(async () => [(await sets()).length, (await pods()).length]).toEqual([0, 0])
  })

  it('takes another name for its set when the name is taken', async () => {
    const { env, rolledOut, sets } = await stage()
    await env.apply(web(1))
    await rolledOut('web')
    const [first] = await sets()
    const { client } = env
    await client
      .resource('apps/v1', 'Deployment')
      .delete({ name: 'web', namespace: 'default' }, { propagationPolicy: 'Orphan' })
    await env.untilGone({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'default' })
    // Now nobody owns the set: relabelled, it cannot be adopted, and still has the name.
    await client
      .resourceOf<ReplicaSet>('apps/v1', 'ReplicaSet')
      .patch({ name: first?.metadata.name ?? '', namespace: 'default' }, { metadata: { labels: { app: 'mine' } } })
    await env.apply(web(1))
    const { status } = await rolledOut('web')
    expect(status?.collisionCount).toBe(1)
    expect((await sets()).map(({ metadata }) => metadata.name)).toHaveLength(2)
  })
})

describe('a replica set', () => {
  it('that cannot make its pods says why, and so does its deployment, until it can', async () => {
    const { env, deployment, rolledOut, events, sets } = await stage()
    // A template may have what a pod may not.
    await env.apply(web(2, {}, { image: ' web:1' }))
    const failure = ({ status }: Deployment | ReplicaSet) =>
      status?.conditions?.find(({ type }) => type === 'ReplicaFailure')
    const failed = await env.until<Deployment>(deployment('web'), (one) => failure(one) !== undefined)
    expect(failure(failed)).toMatchObject({ status: 'True', reason: 'FailedCreate' })
    expect(failure(failed)?.message).toContain('must not have leading or trailing whitespace')
    expect((await sets()).map((set) => failure(set)?.reason)).toEqual(['FailedCreate'])
    expect(events.some((event) => event.startsWith('FailedCreate: Error creating: Pod "web-'))).toBe(true)
    await env.apply(web(2))
    await rolledOut('web')
    await env.until<Deployment>(deployment('web'), (one) => failure(one) === undefined)
  })

  it('replaces a pod that is deleted, and one that loses its labels, which then is on its own', async () => {
    const { env, rolledOut, pods, pod } = await stage()
    await env.apply(web(2))
    await rolledOut('web')
    const [one, two] = (await pods()).map(({ metadata }) => metadata.name ?? '')
    await env.client.resource('v1', 'Pod').delete(pod(one ?? ''))
    await env.client.resourceOf<Pod>('v1', 'Pod').patch(pod(two ?? ''), { metadata: { labels: { app: 'mine' } } })
    const isFree = ({ metadata }: Pod) => (metadata.ownerReferences ?? []).length === 0
    await env.until<Pod>(pod(two ?? ''), isFree)
    await expect
      .poll(async () => (await pods()).map(({ metadata }) => metadata.labels?.app).sort())
      .toEqual(['mine', 'web', 'web'])
  })

  it('adopts a pod that nobody owns instead of making one', async () => {
    const { env, rolledOut, pods, pod, sets } = await stage()
    await env.apply(web(1))
    await rolledOut('web')
    const [set] = await sets()
    const orphan = podManifest('orphan', {})
    await env.apply({
      ...orphan,
      metadata: { ...orphan.metadata, labels: set?.spec?.template?.metadata?.labels ?? {} },
    })
    // One too many now: the newer one goes, whoever made it.
    await env.untilGone(pod('orphan'))
    expect(await pods()).toHaveLength(1)
  })
})

function isHere({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined
}
