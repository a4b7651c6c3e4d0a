// The cluster that other tests stand on: members end, pause, come again and are replaced, and keep what was written.

import { afterAll, describe, expect, it } from 'vitest'
import { type EtcdCluster, startEtcd } from './etcd-cluster.ts'
import { etcdMissing } from './etcd-program.ts'

const clusters: EtcdCluster[] = []
const start = async (...options: Parameters<typeof startEtcd>) => {
  const cluster = await startEtcd(...options)
  clusters.push(cluster)
  return cluster
}
afterAll(() => Promise.all(clusters.map((cluster) => cluster.close())))

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe.skipIf(etcdMissing() !== undefined)('a cluster of etcd', () => {
  it('goes on without its leader, and takes the former one and a new member in', async () => {
    const cluster = await start({ electionMs: 300, fsync: false })
    const put = (value: string, member = cluster.members.find(({ running }) => running)) =>
      cluster.call('/v3/kv/put', { key: base64('k'), value: base64(value) }, member)
    await put('one')
    const first = await cluster.leader()
    await first.kill()
    const second = await cluster.leader()
    expect(second).not.toBe(first)
    await put('two')
    await first.start()
    const fresh = await cluster.replace(second)
    const { kvs } = await cluster.call('/v3/kv/range', { key: base64('k') }, fresh)
    expect(kvs.map(({ value }: { value: string }) => Buffer.from(value, 'base64').toString())).toEqual(['two'])
    expect(cluster.members.filter(({ running }) => running)).toHaveLength(3)
  })

  it('asks for certificates and passwords when it should', async () => {
    const cluster = await start({
      members: 1,
      tls: true,
      auth: { user: 'homeostat', password: 'secret' },
      fsync: false,
    })
    expect(cluster.endpoints[0]).toMatch(/^https:/)
    const { users } = await cluster.call('/v3/auth/user/list', {})
    expect(users.toSorted()).toEqual(['homeostat', 'root'])
    const bare = fetch(new URL('/health', cluster.endpoints[0]))
    await expect(bare).rejects.toThrow()
  })
})
