// Nodes on a whole control plane: one for each runtime, with a lease while pods are on it.

import type { ApiObject } from '@homeostat/client'
import { SimulatedRuntime } from '@homeostat/runtimes'
import { describe, expect, it } from 'vitest'
import type { Node, Pod } from '../src/kinds.ts'
import { podManifest, stage } from './stage.ts'

const ref = (name: string) => ({ apiVersion: 'v1', kind: 'Node', name })
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', name: 'homeostat', namespace: 'kube-node-lease' }
const isReady = (status: string) => (node: Node) =>
  node.status?.conditions?.some((one) => one.type === 'Ready' && one.status === status) ?? false

class OtherRuntime extends SimulatedRuntime {
  override readonly name = 'other' as never
}

describe('a node', () => {
  it('stands for each runtime, ready and with what it can hold', async () => {
    const runtimes = () => [new SimulatedRuntime(), new OtherRuntime()]
    const { env } = await stage({ runtimes })
    const { metadata, status } = await env.until<Node>(ref('homeostat'), isReady('True'))
    expect(metadata.labels).toMatchObject({
      'kubernetes.io/hostname': 'homeostat',
      'homeostat.dev/runtime': 'simulated',
    })
    expect(status?.capacity).toMatchObject({
      cpu: expect.stringMatching(/^\d+$/),
      memory: expect.stringMatching(/Ki$/),
    })
    await env.until<Node>(ref('homeostat-other'), isReady('True'))
  })

  it('that somebody deletes or declares dead is put right', async () => {
    const { env } = await stage()
    const node = await env.until<Node>(ref('homeostat'), isReady('True'))
    const access = env.client.resourceOf<Node>('v1', 'Node')
    const conditions = [{ type: 'Ready', status: 'Unknown' as const, reason: 'NodeStatusUnknown', message: 'silent' }]
    await access.status.patch(ref('homeostat'), { status: { conditions } }, { type: 'strategic' })
    await env.until<Node>(ref('homeostat'), isReady('True'))
    await access.delete(ref('homeostat'))
    const again = await env.until<Node>(ref('homeostat'), ({ metadata }) => metadata.uid !== node.metadata.uid)
    expect(again.metadata.labels?.['homeostat.dev/runtime']).toBe('simulated')
  })

  it.each([24_684_100 * 1024, 16 * 1024 ** 3])('with %i bytes of memory is not written again', async (memoryBytes) => {
    const machine = { os: 'linux', arch: 'amd64', kernel: '6', cpus: 2, memoryBytes, address: '192.0.2.1' }
    const { env } = await stage({ machine })
    await env.until<Node>(ref('homeostat'), isReady('True'))
    await env.settled()
    env.takeWrites()
    await env.client.resourceOf<Node>('v1', 'Node').patch(ref('homeostat'), { metadata: { labels: { a: 'b' } } })
    await env.settled()
    expect(env.takeWrites()).toEqual([])
  })

  it('of a runtime that is not there any more says so', async () => {
    const { env } = await stage()
    const old = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'homeostat-docker', labels: { 'homeostat.dev/runtime': 'docker' } },
    }
    await env.apply(old)
    const { status } = await env.until<Node>(ref('homeostat-docker'), isReady('False'))
    expect(status?.conditions?.[0]?.message).toBe('the server was started without the runtime docker')
  })

  it('has a lease that is renewed while a pod is on it, and no longer', async () => {
    const { env, pod } = await stage()
    await env.until<Node>(ref('homeostat'), isReady('True'))
    expect(
      await env.client
        .resource('coordination.k8s.io/v1', 'Lease')
        .get(lease)
        .catch(() => undefined),
    ).toBeUndefined()
    await env.apply(podManifest('one', {}))
    const first = await env.until<ApiObject & { spec?: { renewTime?: string } }>(lease, () => true)
    await env.advance('10s')
    await env.until<typeof first>(lease, ({ spec }) => spec?.renewTime !== first.spec?.renewTime)
    await env.client.resource('v1', 'Pod').delete(pod('one'))
    await env.untilGone(pod('one'))
  })

  it('without pods that is declared dead for its silence renews its lease from then on', async () => {
    const { env } = await stage()
    await env.until<Node>(ref('homeostat'), isReady('True'))
    const conditions = [{ type: 'Ready', status: 'Unknown' as const, reason: 'NodeStatusUnknown', message: 'silent' }]
    await env.client
      .resourceOf<Node>('v1', 'Node')
      .status.patch(ref('homeostat'), { status: { conditions } }, { type: 'strategic' })
    const first = await env.until<ApiObject & { spec?: { renewTime?: string } }>(lease, () => true)
    await env.advance('10s')
    await env.until<typeof first>(lease, ({ spec }) => spec?.renewTime !== first.spec?.renewTime)
  })

  it('that gets a label takes the pods that waited for it', async () => {
    const { env, pod, events } = await stage()
    await env.apply(podManifest('picky', {}, { nodeSelector: { gpu: 'yes' } }))
    await env.until<Pod>(
      pod('picky'),
      ({ status }) => status?.conditions?.some(({ reason }) => reason === 'Unschedulable') ?? false,
    )
    expect(events).toContain(
      "FailedScheduling: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector (gpu=yes)",
    )
    await env.client.resourceOf<Node>('v1', 'Node').patch(ref('homeostat'), { metadata: { labels: { gpu: 'yes' } } })
    await env.until<Pod>(pod('picky'), ({ status }) => status?.phase === 'Running')
  })
})
