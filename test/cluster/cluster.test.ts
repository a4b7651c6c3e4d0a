// The model itself: what a seed draws comes again, and what goes wrong stays within the contract of a store.

import { type Change, isCompactedError, type Value } from '@homeostat/store'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../crash/random.ts'
import { Cluster } from './cluster.ts'
import { drawnFaults } from './faults.ts'
import type { ServerView } from './server-view.ts'

const note = { time: 0, user: 'ada', manager: 'test' }
const textValue = (text: string): Value => ({ bytes: Buffer.from(text), gap: 0, metaEnd: text.length })

/** Two servers write to three keys; returns what happened, in words. */
async function story(seed: number): Promise<{ told: string[]; log: Change[]; seen: Change[][] }> {
  const cluster = new Cluster({ seed, faults: drawnFaults(randomFrom(seed)) })
  const start = await cluster.network.truth.revision()
  const views = [await cluster.view('a'), await cluster.view('b')]
  const told: string[] = []
  await Promise.all(
    views.map(async (view) => {
      for (let i = 0; i < 10; i++) {
        const key = `k${cluster.network.random.between(0, 3)}`
        const outcome = await view.put(key, textValue(`${view.name}${i}`), await view.get(key), note)
        told.push(`${view.name}${i} ${outcome.type} at ${cluster.network.schedule.now}`)
      }
    }),
  )
  // Writes whose outcome was unknown may still come.
  await cluster.network.schedule.pause(60_000)
  const newest = await cluster.network.truth.revision()
  const log = await changesOf(() => cluster.network.truth, start, newest)
  const seen = await Promise.all(views.map((view) => changesOf(() => view, start, newest)))
  await cluster.close()
  return { told, log, seen }
}

/** Follows a store from the revision, and opens its stream again when it breaks. */
async function changesOf(store: () => Pick<ServerView, 'changes'>, after: number, newest: number): Promise<Change[]> {
  const changes: Change[] = []
  while ((changes.at(-1)?.revision ?? after) < newest) {
    try {
      for await (const batch of store().changes(changes.at(-1)?.revision ?? after, new AbortController().signal)) {
        changes.push(...batch)
        if ((batch.at(-1)?.revision ?? 0) >= newest) break
      }
    } catch (error) {
      if (isCompactedError(error)) throw error
    }
  }
  return changes
}

describe('a cluster in one process', () => {
  it('tells the same story for the same seed, and another for another', async () => {
    const [first, again, other] = [await story(7), await story(7), await story(8)]
    expect(again.told).toEqual(first.told)
    expect(again.log).toEqual(first.log)
    expect(other.told).not.toEqual(first.told)
  })

  it('shows every server the whole history in order, however its stream lags and breaks', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { log, seen } = await story(seed)
      for (const changes of seen) expect(changes, `seed ${seed}`).toEqual(log)
    }
  })

  it('answers no question of a server that is cut off, and all of them once the network is whole', async () => {
    const cluster = new Cluster()
    const [a, b] = [await cluster.view('a'), await cluster.view('b')]
    a.cut()
    await expect(a.revision()).rejects.toThrow('the store does not answer')
    expect(await a.put('k', textValue('a'), undefined, note)).toMatchObject({ type: 'unknown' })
    const written = await b.put('k', textValue('b'), undefined, note)
    const revision = written.type === 'committed' ? written.revision : 0
    await cluster.network.schedule.pause(1000)
    expect([a.seen < revision, b.seen]).toEqual([true, revision])
    a.heal()
    expect(await a.revision()).toBe(revision)
    expect(a.seen).toBe(revision)
    await cluster.close()
  })

  it('waits with the newest revision until its own stream has brought it', async () => {
    const cluster = new Cluster({ faults: { ...drawnFaults(randomFrom(1)), lagMs: 5000, unknowns: 0, failures: 0 } })
    const [a, b] = [await cluster.view('a'), await cluster.view('b')]
    for (let i = 0; i < 20; i++) {
      const written = await b.put(`k${i}`, textValue('b'), undefined, note)
      const known = await a.revision()
      expect(known).toBe(written.type === 'committed' ? written.revision : 0)
      expect(a.seen).toBeGreaterThanOrEqual(known)
    }
    await cluster.close()
  })
})
