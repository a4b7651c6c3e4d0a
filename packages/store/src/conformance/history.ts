// What stays readable by key below the horizon: generations and deletions, not statuses; within budgets of each kind.

import { expect } from 'vitest'
import type { Entry, Note, Revision, Store } from '../contract.ts'
import { committed, type MakeStore, text, value } from './harness.ts'
import { itWithStore } from './with-store.ts'

export function historySuite(make: MakeStore): void {
  itWithStore(make, 'says of each change whether it is minor', async (store) => {
    const key = keyOf(store, 'apps/widgets/a')
    await key.write('one')
    await key.minor('status')
    await key.remove()
    expect((await store.history('apps/widgets/a')).map(({ note }) => note.minor ?? false)).toEqual([false, true, false])
  })

  itWithStore(make, 'gives the newest steps alone when asked, with what a deletion removed', async (store) => {
    const key = keyOf(store, 'apps/widgets/a')
    for (let i = 1; i <= 3; i++) {
      await key.write(`g${i}`)
      await key.minor(`g${i} status`)
    }
    await key.remove()
    const newest = await store.history('apps/widgets/a', { steps: true, limit: 3 })
    expect(newest.map((change) => text(change.value))).toEqual(['g2', 'g3', undefined])
    expect(text(newest[2]?.previous?.value)).toBe('g3 status')
    expect(await store.history('apps/widgets/a', { limit: 1 })).toHaveLength(1)
    expect(await store.history('apps/widgets/a', { steps: true })).toHaveLength(4)
  })

  itWithStore(make, 'keeps every generation below the horizon however many statuses are written', async (store) => {
    const key = keyOf(store, 'apps/widgets/a')
    for (let generation = 1; generation <= 10; generation++) {
      await key.write(`g${generation}`)
      for (let i = 0; i < 20; i++) await key.minor(`g${generation} status ${i}`)
    }
    await store.compact(await store.revision())
    const last = 'g10 status 19'
    expect(await contents(store, 'apps/widgets/a')).toEqual([...generations(1, 10), last])
    expect(text((await store.get('apps/widgets/a'))?.value)).toBe(last)
  })

  itWithStore(make, 'keeps the newest generations and forgets older ones, step by step as at once', async (store) => {
    const [a, b] = [keyOf(store, 'apps/widgets/a'), keyOf(store, 'apps/widgets/b')]
    for (let generation = 1; generation <= 14; generation++) {
      for (const key of [a, b]) {
        await key.write(`g${generation}`)
        await key.minor(`g${generation} status`)
      }
      await store.compact((await store.history('apps/widgets/b')).at(-1)?.revision ?? 0)
      expect((await contents(store, 'apps/widgets/a')).length).toBeLessThanOrEqual(12)
    }
    await store.compact(await store.revision())
    for (const name of ['a', 'b'])
      expect(await contents(store, `apps/widgets/${name}`)).toEqual([...generations(4, 14), 'g14 status'])
  })

  itWithStore(make, 'keeps what a deletion removed, and the history of the name across its lives', async (store) => {
    const key = keyOf(store, 'apps/widgets/a')
    await key.write('one')
    await key.minor('status')
    await key.minor('last status')
    await key.remove()
    await store.compact(await store.revision())
    expect(await contents(store, 'apps/widgets/a')).toEqual(['one', 'last status', undefined])
    expect(await store.get('apps/widgets/a')).toBeUndefined()
    await key.write('two')
    await key.minor('status of two')
    await store.compact(await store.revision())
    expect(await contents(store, 'apps/widgets/a')).toEqual(['one', 'last status', undefined, 'two', 'status of two'])
  })

  itWithStore(make, 'keeps nothing of kinds without history', async (store) => {
    const key = keyOf(store, 'colonies.io/processes/p')
    for (let i = 0; i < 5; i++) await key.minor(`${i}`)
    await store.compact(await store.revision())
    expect(await contents(store, 'colonies.io/processes/p')).toEqual(['4'])
    await key.remove(true)
    await store.compact(await store.revision())
    expect(await store.history('colonies.io/processes/p')).toEqual([])
  })

  itWithStore(
    make,
    'lets no kind take the history of another',
    async (store) => {
      const quiet = keyOf(store, 'apps/widgets/a')
      for (let i = 0; i < 3; i++) await quiet.write(`quiet ${i}`)
      const busy = Array.from({ length: 20 }, (_, i) => keyOf(store, `core/configmaps/ns/${i}`))
      for (let round = 0; round < 10; round++) for (const key of busy) await key.write(`${round}`.padEnd(1000))
      await store.compact(await store.revision())
      expect(await contents(store, 'apps/widgets/a')).toEqual(['quiet 0', 'quiet 1', 'quiet 2'])
      let kept = 0
      for (let i = 0; i < 20; i++) kept += (await store.history(`core/configmaps/ns/${i}`)).length - 1
      expect(kept).toBeGreaterThan(30)
      expect(kept).toBeLessThanOrEqual(60)
    },
    { kindBytes: 60_000 },
  )

  itWithStore(
    make,
    'takes from the largest kinds when there is too much in all, and brings nothing back',
    async (store) => {
      const small = keyOf(store, 'apps/widgets/a')
      const gone = keyOf(store, 'apps/gadgets/gone')
      for (let i = 0; i < 3; i++) await small.write(`small ${i}`)
      for (let i = 0; i < 8; i++) await gone.write(`${i}`.padEnd(4000))
      await gone.remove()
      for (let i = 0; i < 11; i++) await keyOf(store, 'core/configmaps/ns/big').write(`${i}`.padEnd(4000))
      await store.compact(await store.revision())
      expect(await contents(store, 'apps/widgets/a')).toEqual(['small 0', 'small 1', 'small 2'])
      const history = await store.history('apps/gadgets/gone')
      expect(history.length).toBeLessThan(8)
      expect(history.at(-1)?.op).toBe('delete')
      expect(await store.get('apps/gadgets/gone')).toBeUndefined()
      expect((await store.get('core/configmaps/ns/big'))?.value?.bytes.length).toBe(4000)
    },
    { bytes: 40_000 },
  )
}

/** Notes of the suite's other tests are too old to be kept. */
const recent = (): number => Math.floor(performance.timeOrigin + performance.now())

const generations = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `g${from + i}`)

async function contents(store: Store, key: string): Promise<(string | undefined)[]> {
  return (await store.history(key)).map((change) => text(change.value))
}

/** A key and the moves of a writer that knows what it holds. */
function keyOf(store: Store, key: string) {
  const note = (minor: boolean): Note => ({ time: recent(), user: 'ada', manager: 'kubectl', minor })
  const put = async (content: string, minor: boolean): Promise<Revision> =>
    committed(store.put(key, value(content), await store.get(key), note(minor)))
  return {
    write: (content: string) => put(content, false),
    minor: (content: string) => put(content, true),
    remove: async (minor = false) => committed(store.delete(key, (await store.get(key)) as Entry, note(minor))),
  }
}
