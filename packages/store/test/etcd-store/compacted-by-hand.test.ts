// Somebody else compacts etcd while stores are open: `etcdctl compact`, or another program on the same etcd. What is gone is named, what is
// kept is found, and the newest state is always kept.

import { describe, expect, it } from 'vitest'
import { changesUntil, nextChanges, note, set, text, value } from '../../src/conformance/harness.ts'
import { isCompactedError, type Store } from '../../src/contract.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'
import { base64, clusterForTests, opened } from './cluster.ts'

describe.skipIf(etcdMissing() !== undefined)('open stores on a member that somebody compacts by hand', () => {
  const tests = clusterForTests({ members: 1 })
  const compact = (revision: number) => tests.cluster.call('/v3/kv/compaction', { revision })
  const others = async (count: number): Promise<number> => {
    let revision = 0
    for (let i = 0; i < count; i++) {
      const { header } = await tests.cluster.call('/v3/kv/put', { key: base64('other'), value: base64('x') })
      revision = Number(header.revision)
    }
    return revision
  }
  const failure = async (store: Store, after: number) =>
    changesUntil(store, after, await store.revision()).catch((error) => error)

  it('say from where on changes are kept, each by itself, before they are asked for any', async () => {
    const options = tests.fresh()
    const stores = [await opened(options), await opened(options)] as const
    const [store] = stores
    const first = await set(store, 'a', 'one')
    const second = await set(store, 'a', 'two')
    const third = await set(store, 'b', 'three')
    await compact(second.revision)
    for (const one of stores) {
      await one.revision()
      expect(await one.keptFrom(first.revision)).toBe(second.revision)
      expect(await one.horizon()).toBe(second.revision)
      expect((await changesUntil(one, second.revision, third.revision)).map(({ key }) => key)).toEqual(['b'])
    }
  })

  it('tell a reader of what is gone where it can go on', async () => {
    const store = await opened(tests.fresh())
    const first = await set(store, 'a', 'one')
    const second = await set(store, 'a', 'two')
    await set(store, 'a', 'three')
    await compact(second.revision)
    const error = await failure(store, first.revision)
    expect(isCompactedError(error)).toBe(true)
    expect(error).toMatchObject({ horizon: second.revision })
    await expect(store.range('', { limit: 1, revision: first.revision })).rejects.toMatchObject({
      horizon: second.revision,
    })
    expect(await failure(store, second.revision)).toHaveLength(1)
  })

  it('keep the newest state, however much is compacted after it', async () => {
    const store = await opened(tests.fresh())
    const { revision } = await set(store, 'a', 'one')
    await compact(await others(20))
    expect(await store.revision()).toBe(revision)
    expect(await store.keptFrom(revision)).toBe(revision)
    expect((await store.range('', { limit: 9, revision })).entries.map(({ key }) => key)).toEqual(['a'])
    const coming = nextChanges(store, revision, 1)
    await others(1)
    await store.put('b', value('two'), undefined, note)
    expect((await coming).map(({ key }) => key)).toEqual(['b'])
  })

  it('find in the history of a key what etcd still has of it', async () => {
    const warnings: string[] = []
    const store = await opened({ ...tests.fresh(), onWarning: (warning) => warnings.push(warning) })
    const recent = { ...note, time: Date.now() }
    for (const content of ['one', 'two', 'three', 'four'])
      await store.put('a', value(content), await store.get('a'), recent)
    const middle = (await store.history('a'))[2]?.revision ?? 0
    await compact(middle)
    expect((await store.history('a')).map((change) => text(change.value))).toEqual(['three', 'four'])
    expect(warnings).toEqual([])
    await store.compact(await store.revision())
    expect((await store.history('a')).map((change) => text(change.value))).toEqual(['three', 'four'])
    expect(warnings).toEqual([expect.stringMatching(`compacted by somebody else up to its revision ${middle}`)])
  })
})
