// Random concurrent writers against a model that is a plain map, checked by the change stream the store gives.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Entry, Revision, Store, WriteOutcome } from '../contract.ts'
import type { MakeStore } from './harness.ts'
import { changesUntil, note, pages, text, value } from './harness.ts'

const keys = ['a', 'a/b', 'b', 'é', '😀', '\ufffd']

const step = fc.record({
  op: fc.constantFrom('put' as const, 'delete' as const),
  key: fc.constantFrom(...keys),
  content: fc.string({ maxLength: 8 }),
  /** How the writer knows the key: by reading it, by believing it absent, or by an entry of long ago. */
  knows: fc.constantFrom('current' as const, 'absent' as const, 'stale' as const),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Done {
  readonly step: Step
  readonly expected: Entry | undefined
  readonly result: WriteOutcome
}

export function modelSuite(make: MakeStore): void {
  it('agrees with a simple model under concurrent writers', async () => {
    const writers = fc.array(fc.array(step, { maxLength: 12 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(writers, async (plans) => {
        const under = await make()
        try {
          const { store } = under
          const start = await store.revision()
          const done = (await Promise.all(plans.map((plan) => runWriter(store, plan)))).flat()
          await checkAgainstModel(store, start, done)
        } finally {
          await under.dispose()
        }
      }),
      { numRuns: 25 },
    )
  })
}

async function runWriter(store: Store, plan: readonly Step[]): Promise<Done[]> {
  const done: Done[] = []
  const stale = new Map<string, Entry>()
  for (const next of plan) {
    const current = await store.get(next.key)
    if (current !== undefined && !stale.has(next.key)) stale.set(next.key, current)
    const expected = { current, absent: undefined, stale: stale.get(next.key) }[next.knows]
    if (next.op === 'put') {
      done.push({ step: next, expected, result: await store.put(next.key, value(next.content), expected, note) })
    } else if (expected !== undefined) {
      done.push({ step: next, expected, result: await store.delete(next.key, expected, note) })
    }
  }
  return done
}

/** Replays the committed writes in revision order: each must have found exactly what it expected. */
async function checkAgainstModel(store: Store, start: Revision, done: readonly Done[]): Promise<void> {
  const model = new Map<string, { revision: number; content: string }>()
  const commits = done.flatMap((write) =>
    write.result.type === 'committed' ? [{ ...write, at: write.result.revision }] : [],
  )
  commits.sort((a, b) => a.at - b.at)
  for (const { step: made, expected, at } of commits) {
    expect(model.get(made.key)?.revision).toBe(expected?.revision)
    if (made.op === 'put') model.set(made.key, { revision: at, content: made.content })
    else model.delete(made.key)
  }
  for (const { result } of done) expect(['committed', 'conflict']).toContain(result.type)

  const last = commits.at(-1)?.at ?? start
  expect(await store.revision()).toBe(last)
  const changes = await changesUntil(store, start, last)
  expect(changes.map((change) => [change.revision, change.key, change.op])).toEqual(
    commits.map(({ at, step: made }) => [at, made.key, made.op]),
  )
  const entries = (await pages(store, '', 2)).map((entry) => [entry.key, entry.revision, text(entry.value)])
  const expected = [...model].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(entries).toEqual(expected.map(([key, held]) => [key, held.revision, held.content]))
}
