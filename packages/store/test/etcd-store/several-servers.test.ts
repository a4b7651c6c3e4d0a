// Two stores on one prefix, as two servers have them: one order, one truth, and compaction by one of them at a time.

import { describe, expect, it } from 'vitest'
import {
  collect,
  committed,
  nextChanges,
  note,
  pages,
  readWhole,
  remove,
  revisionsOf,
  set,
  text,
  value,
} from '../../src/conformance/harness.ts'
import { raiseRevisions } from '../../src/etcd/open.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'
import { base64, clusterForTests, logOf, opened } from './cluster.ts'

describe.skipIf(etcdMissing() !== undefined)('two stores on one prefix', () => {
  const tests = clusterForTests({ members: 1 })
  const pair = async (more = {}) => {
    const options = { ...tests.fresh(), ...more }
    return Promise.all([opened(options), opened(options)])
  }

  it('see every change of both in one order, with and without previous values', async () => {
    const [a, b] = await pair()
    const start = await a.revision()
    const stop = new AbortController()
    const bare = (async () => {
      const seen: number[] = []
      for await (const changes of b.changes(start, stop.signal, { previous: false })) {
        seen.push(...revisionsOf(changes))
        if (seen.length >= 400) return seen
      }
      return seen
    })()
    const full = nextChanges(a, start, 400)
    const writes = Array.from({ length: 400 }, (_, i) =>
      committed((i % 2 ? a : b).put(`k${i}`, value(`${i}`), undefined, note)),
    )
    const revisions = (await Promise.all(writes)).sort((x, y) => x - y)
    expect(await bare).toEqual(revisions)
    expect(revisionsOf(await full)).toEqual(revisions)
  })

  it('answer how far the truth is while both write, though their watches overtake the answers', async () => {
    const [a, b] = await pair()
    let writing = true
    const writers = Array.from({ length: 32 }, async (_, i) => {
      const store = i % 2 ? a : b
      for (let held = await committed(store.put(`k${i}`, value('0'), undefined, note)); writing; )
        held = await committed(store.put(`k${i}`, value('1'), { key: `k${i}`, revision: held, value: undefined }, note))
    })
    for (let questions = 0; questions < 300; questions++) {
      const known = await b.revision()
      expect(await a.revision()).toBeGreaterThanOrEqual(known)
    }
    writing = false
    await Promise.all(writers)
    expect([a.health(), b.health()]).toEqual([{ writable: true }, { writable: true }])
  })

  it('let exactly one of them win, and tell the other what is there', async () => {
    const [a, b] = await pair()
    for (let round = 0; round < 20; round++) {
      const current = await a.get('k')
      const results = await Promise.all([a, b].map((store, i) => store.put('k', value(`${round} ${i}`), current, note)))
      expect(results.map(({ type }) => type).sort()).toEqual(['committed', 'conflict'])
      const [revision] = results.flatMap((result) => (result.type === 'committed' ? [result.revision] : []))
      const [lost] = results.flatMap((result) => (result.type === 'conflict' ? [result.current?.revision] : []))
      expect(lost).toBe(revision)
    }
  })

  it('know what the other was told before they were asked', async () => {
    const [a, b] = await pair()
    for (let i = 0; i < 30; i++) {
      const { revision } = await set(a, 'k', `${i}`)
      expect(await b.revision()).toBe(revision)
      expect((await readWhole(b)).revision).toBe(revision)
      expect(text((await b.range('k', { limit: 1 })).entries[0]?.value)).toBe(`${i}`)
    }
  })

  it('create again what the other has just deleted', async () => {
    const [a, b] = await pair()
    for (let i = 0; i < 10; i++) {
      await set(a, 'k', `${i}`)
      await remove(b, 'k')
    }
    expect((await b.history('k')).map(({ op }) => op)).toEqual(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? 'delete' : 'put')),
    )
  })

  it('compact at the same time, and keep the same past', async () => {
    const [a, b] = await pair()
    for (let i = 0; i < 60; i++) {
      const recent = { time: Date.now(), user: 'ada', manager: 'test' }
      await committed((i % 2 ? a : b).put(`w/${i % 3}`, value(`${i}`), await a.get(`w/${i % 3}`), recent))
    }
    const revisions = revisionsOf(await logOf(a))
    await Promise.all([a, b, a, b].map((store, i) => store.compact(revisions[20 + i * 10] ?? 0)))
    for (const store of [a, b]) {
      expect(await store.horizon()).toBe(revisions[50])
      expect((await store.history('w/1')).map((change) => text(change.value))).toEqual([
        '19',
        '22',
        '25',
        '28',
        '31',
        '34',
        '37',
        '40',
        '43',
        '46',
        '49',
        '52',
        '55',
        '58',
      ])
    }
  })

  it('tell a follower that lags behind a compaction, and do not skip anything for it', async () => {
    const [a, b] = await pair()
    const first = await set(a, 'k', 'one')
    const stop = new AbortController()
    const lagging = b.changes(first.revision - 1, stop.signal)[Symbol.asyncIterator]()
    expect(revisionsOf((await lagging.next()).value ?? [])).toEqual([first.revision])
    for (let i = 0; i < 5; i++) await set(a, 'k', `${i}`)
    const last = await set(a, 'k', 'last')
    await a.compact(last.revision)
    const late = b.changes(first.revision, stop.signal)[Symbol.asyncIterator]()
    await expect(late.next()).rejects.toMatchObject({ name: 'CompactedError', horizon: last.revision })
    expect(await b.keptFrom(first.revision)).toBe(last.revision)
    stop.abort()
    await lagging.return?.()
  })

  it('count the changes of the store alone, whatever others write beside it', async () => {
    const [a, b] = await pair()
    const { revision } = await set(a, 'k', 'one')
    for (let i = 0; i < 150; i++)
      await tests.cluster.call('/v3/kv/put', { key: base64('/other/k'), value: base64(`${i}`) })
    expect(await a.revision()).toBe(revision)
    expect(await b.range('', { limit: 9 })).toMatchObject({ revision, more: false })
    const again = await opened({ ...tests.fresh(), prefix: '/other' })
    expect(await pages(again, '', 10)).toEqual([])
    const { kvs } = await tests.cluster.call('/v3/kv/range', { key: base64('/other/k') })
    expect(Buffer.from(kvs[0].value, 'base64').toString()).toBe('149')
  })

  it('stop when their numbers are raised, and go on above them after they are opened again', async () => {
    const options = tests.fresh()
    const a = await opened(options)
    await set(a, 'k', 'one')
    const before = await a.revision()
    const following = collect(a.changes(before, new AbortController().signal, { previous: false }))
    following.catch(() => {})
    await raiseRevisions(options, 5_000_000)
    await expect(following).rejects.toMatchObject({ name: 'CompactedError' })
    await expect(a.revision()).rejects.toThrow('start the server again')
    expect(await a.put('l', value('x'), undefined, note)).toMatchObject({ type: 'failed' })
    expect(a.health()).toMatchObject({ writable: false })
    const again = await opened(options)
    expect(await again.horizon()).toBeGreaterThan(5_000_000)
    expect(await again.revision()).toBe(await again.horizon())
    expect(text((await again.get('k'))?.value)).toBe('one')
    expect((await set(again, 'k', 'two')).revision).toBeGreaterThan(5_000_001)
    await expect(again.range('', { limit: 1, revision: before })).rejects.toMatchObject({ name: 'CompactedError' })
  })
})
