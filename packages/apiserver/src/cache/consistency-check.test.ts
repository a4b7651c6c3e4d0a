import { ManualClock } from '@homeostat/base'
import { type Change, type Entry, MemoryStore, type Value } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { ConsistencyCheck } from './consistency-check.ts'
import { WatchCache } from './watch-cache.ts'

const note = { time: 0, user: 'ada', manager: 'test' }
const ROUND_MS = 5 * 60_000

function value(text: string): Value {
  const [head, tail] = ['{"metadata":{"resourceVersion":"', `"},"data":"${text}"}`]
  return { bytes: Buffer.from(head + tail), gap: head.length, metaEnd: head.length + 2 }
}

/** A cache that follows a store through a stream which may lose or bend changes, and a check that a clock drives. */
async function setUp(keys: readonly string[], bend: (change: Change) => readonly Change[] = (change) => [change]) {
  const store = new MemoryStore({ shared: true })
  const put = async (key: string, text: string): Promise<Entry | undefined> => {
    await store.put(key, value(text), await store.get(key), note)
    return store.get(key)
  }
  for (const key of keys) await put(key, 'first')
  const cache = await WatchCache.load(store)
  const ending = new AbortController()
  const stream = {
    shared: true,
    horizon: () => store.horizon(),
    keptFrom: (revision: number) => store.keptFrom(revision),
    async *changes(after: number, signal: AbortSignal) {
      for await (const changes of store.changes(after, signal)) yield changes.flatMap(bend)
    },
  }
  const following = cache.follow(stream, ending.signal)
  const clock = new ManualClock(0)
  const failures: string[] = []
  const check = new ConsistencyCheck({ store, cache, clock, failed: (reason) => failures.push(reason) })
  const running = check.run(ending.signal)
  onTestFinished(async () => {
    ending.abort()
    await Promise.all([following, running])
    await store.close()
  })
  const count = (result: string) =>
    Number(new RegExp(`cache_checks_total{result="${result}"} (\\d+)`).exec(check.metrics[0]?.render() ?? '')?.[1])
  /** Ends when the next round has a result. */
  const round = async () => {
    const before = count('same') + count('different') + count('failed')
    clock.advance(ROUND_MS)
    await expect
      .poll(() => {
        clock.advance(50)
        return count('same') + count('different') + count('failed')
      })
      .toBe(before + 1)
  }
  return { store, cache, put, round, running, count, failures }
}

/** In byte order they are not in the order of their kinds, and one kind has several pages. */
const KEYS = [
  '/pods/a/1',
  'apps.x/things/a',
  'apps/things/a',
  'apps/things-b/a',
  'apps/things/b/é',
  'z/y/😀',
  'z/y/\uffee',
]
const MANY = Array.from({ length: 1200 }, (_, at) => `many/things/ns/${at}`)

test('a cache that follows is the same, over kinds and pages, while it changes', async () => {
  const { cache, store, put, round, count } = await setUp([...KEYS, ...MANY])
  await round()
  for (const key of KEYS) await put(key, 'second')
  const gone = await store.get('many/things/ns/7')
  await store.delete('many/things/ns/7', gone as Entry, note)
  await cache.reached(await store.revision())
  await round()
  expect([count('same'), count('different')]).toEqual([2, 0])
})

const lost = (key: string) => (change: Change) => (change.key === key ? [] : [change])

test.each([
  [
    'loses a change',
    'apps/things/a',
    lost('apps/things/a'),
    'apps/things/a is of revision 3 in the cache, of 8 in the store',
  ],
  ['loses a new object', 'new/things/n', lost('new/things/n'), 'the cache has no new/things/n'],
  [
    'makes an object up',
    'z/y/last',
    (change: Change) => (change.key === 'z/y/last' ? [{ ...change, key: 'z/y/other' }, change] : [change]),
    'the store has no z/y/other',
  ],
  [
    'changes the content',
    '/pods/a/1',
    (change: Change) => (change.key === '/pods/a/1' ? [{ ...change, value: value('bent') }] : [change]),
    '/pods/a/1 has other content in the cache than in the store',
  ],
])('a stream that %s is found', async (_name, key, bend, difference) => {
  const { cache, store, put, round, running, count } = await setUp(KEYS, bend)
  await put(key, 'other')
  await put('zz/marks/last', 'passes')
  await cache.reached(await store.revision())
  await round()
  expect(count('different')).toBe(1)
  expect(await running).toBe(`${difference}, at revision 9`)
})

test('a store that cannot be read is no difference', async () => {
  const { store, round, count, failures } = await setUp(KEYS)
  await store.close()
  await round()
  expect(count('failed')).toBe(1)
  expect(failures).toEqual(['the store is closed'])
})
