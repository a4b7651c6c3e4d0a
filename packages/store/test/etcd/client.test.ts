// The client against etcd itself: what it reads and writes, and what it does when members fail.

import { eventually } from '@homeostat/base/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectEtcd } from '../../src/etcd/client/connect.ts'
import type { EtcdClient, WatchMessage } from '../../src/etcd/client/contract.ts'
import { isEtcdError } from '../../src/etcd/client/etcd-error.ts'
import { type EtcdCluster, startEtcd } from './etcd-cluster.ts'
import { etcdMissing } from './etcd-program.ts'

describe.skipIf(etcdMissing() !== undefined)('the etcd client', () => {
  let cluster: EtcdCluster
  let client: EtcdClient
  beforeAll(async () => {
    cluster = await startEtcd({ members: 1, fsync: false })
    client = await connectEtcd({ endpoints: cluster.endpoints })
  })
  afterAll(async () => {
    await client.close()
    await cluster.close()
  })

  const put = (key: string, value = 'x') =>
    client.txn({ compare: [], success: [{ type: 'put', key, value: [Buffer.from(value)] }] })

  it('writes when all of its compares hold, and answers with the other branch when not', async () => {
    const create = () =>
      client.txn({
        compare: [{ key: 'c/1', target: 'modRevision', value: 0 }],
        success: [
          { type: 'put', key: 'c/1', value: [Buffer.from('he'), Buffer.from('ll'), Buffer.from('ö')] },
          { type: 'delete', key: 'c/0' },
        ],
        failure: [{ type: 'range', key: 'c/1' }],
      })
    const first = await create()
    expect(first).toMatchObject({ succeeded: true, responses: [{ type: 'put' }, { type: 'delete', deleted: 0 }] })
    const second = await create()
    expect(second).toMatchObject({
      succeeded: false,
      responses: [{ type: 'range', kvs: [{ key: 'c/1', modRevision: first.revision, version: 1 }] }],
    })
    const { kvs } = await client.range({ key: 'c/1' })
    expect(kvs.map(({ value }) => value.toString())).toEqual(['hellö'])
  })

  it('reads pages, counts, keys alone, and older states', async () => {
    for (const key of ['p/a', 'p/b', 'p/ö', 'p/🦊']) await put(key, 'old')
    const { revision } = await client.range({ key: 'p/a' })
    await put('p/a', 'new')
    const page = await client.range({ key: 'p/', end: 'p0', limit: 3 })
    expect(page).toMatchObject({ more: true, count: 4 })
    expect(page.kvs.map(({ key }) => key)).toEqual(['p/a', 'p/b', 'p/ö'])
    expect(await client.range({ key: 'p/', end: 'p0', countOnly: true })).toMatchObject({ kvs: [], count: 4 })
    const keys = await client.range({ key: 'p/b\0', end: 'p0', keysOnly: true, serializable: true })
    expect(keys.kvs.map(({ key, value }) => [key, value.length])).toEqual([
      ['p/ö', 0],
      ['p/🦊', 0],
    ])
    const before = await client.range({ key: 'p/a', revision })
    expect(before.kvs[0]?.value.toString()).toBe('old')
  })

  it('says which revisions are gone, and which are not there yet', async () => {
    await put('r')
    const { revision } = await put('r')
    await client.compact(revision)
    await expect(client.range({ key: 'r', revision: revision - 1 })).rejects.toMatchObject({ kind: 'compacted' })
    await expect(client.compact(revision)).rejects.toMatchObject({ kind: 'compacted', maybeApplied: false })
    await expect(client.range({ key: 'r', revision: revision + 9 })).rejects.toMatchObject({ kind: 'future-revision' })
    const watch = client.watch({ key: 'r', from: revision - 1 }, new AbortController().signal)
    await expect(messages(watch)).rejects.toMatchObject({ kind: 'compacted', compactRevision: revision })
  })

  it('joins the fragments of a large change in its watch', async () => {
    const { revision } = await put('w/0')
    const stop = new AbortController()
    const watch = client.watch({ key: 'w/', end: 'w0', from: revision + 1, previous: true }, stop.signal)
    const seen = messages(watch, ({ type }) => type === 'progress')
    await watch.created
    const keys = Array.from({ length: 100 }, (_, index) => `w/${index}`)
    const value = [Buffer.alloc(14_000, 'v')]
    for (let round = 0; round < 3; round++)
      await client.txn({ compare: [], success: keys.map((key) => ({ type: 'put', key, value }) as const) })
    let done = false
    void seen.finally(() => {
      done = true
    })
    await eventually(() => {
      watch.requestProgress()
      return done
    })
    const changes = (await seen).filter((message) => message.type === 'events')
    const revisions = changes.flatMap(({ events }) => events.map(({ kv }) => kv.modRevision))
    expect(revisions).toEqual([1, 2, 3].flatMap((step) => keys.map(() => revision + step)))
    for (const { events } of changes) expect(events.length % 100).toBe(0)
    expect(changes[0]?.events[0]?.previous).toMatchObject({ key: 'w/0', modRevision: revision })
    stop.abort()
  })

  it('refuses a request that members refuse, and an answer that is too large', async () => {
    await expect(put('l', 'x'.repeat(1.6e6))).rejects.toMatchObject({ kind: 'too-large', maybeApplied: false })
    const generous = await connectEtcd({ endpoints: cluster.endpoints, maxRequestBytes: 8e6, maxResponseBytes: 1e6 })
    const large = { type: 'put', key: 'l', value: [Buffer.alloc(1.7e6)] } as const
    await expect(generous.txn({ compare: [], success: [large] })).rejects.toMatchObject({ kind: 'too-large' })
    for (const key of ['l/1', 'l/2']) await put(key, 'x'.repeat(6e5))
    const failure = await generous.range({ key: 'l/', end: 'l0' }).catch((error) => error)
    expect(failure).toMatchObject({ kind: 'answer-too-large', maybeApplied: false })
    expect((await generous.range({ key: 'l/1' })).kvs).toHaveLength(1)
    await generous.close()
  })

  it('has many calls in flight, and fails those that its end meets', async () => {
    const other = await connectEtcd({ endpoints: cluster.endpoints })
    await Promise.all(Array.from({ length: 500 }, (_, index) => other.range({ key: `m/${index}` })))
    expect(other.stats()).toMatchObject({ calls: 500, failedCalls: 0, dials: 1 })
    const last = other.range({ key: 'm/0' }).catch((error) => error)
    await other.close()
    expect(isEtcdError(await last, 'aborted')).toBe(true)
    await expect(other.range({ key: 'm/0' })).rejects.toMatchObject({ kind: 'aborted' })
  })
})

/** Reads a watch up to and including the message that `last` names. */
async function messages(watch: AsyncIterable<WatchMessage>, last: (message: WatchMessage) => boolean = () => false) {
  const seen: WatchMessage[] = []
  for await (const message of watch) {
    seen.push(message)
    if (last(message)) break
  }
  return seen
}
