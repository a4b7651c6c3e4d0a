// Members that die and disks that are full: nothing that was acknowledged is lost, nothing is applied twice, and the store says
// what is wrong and goes on by itself.

import { until } from '@homeostat/base/testing/eventually'
import { describe, expect, it } from 'vitest'
import { committed, note, remove, set, text, value } from '../../src/conformance/harness.ts'
import type { Entry, Store, WriteOutcome } from '../../src/contract.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'
import { base64, clusterForTests, logOf, opened } from './cluster.ts'

interface Done {
  readonly content: string
  readonly outcome: WriteOutcome
}

/** Replaces its own key, which nobody else writes, until it is told to stop. */
async function writeOwnKey(store: Store, key: string, stop: AbortSignal): Promise<Done[]> {
  const done: Done[] = []
  let held: Entry | undefined
  for (let i = 0; !stop.aborted; i++) {
    const content = `${key} ${i}`
    const outcome = await store.put(key, value(content), held, note)
    done.push({ content, outcome })
    held =
      outcome.type === 'committed'
        ? { key, revision: outcome.revision, value: undefined }
        : await until(() => store.get(key))
  }
  return done
}

describe.skipIf(etcdMissing() !== undefined)('three members of etcd', () => {
  const tests = clusterForTests({ members: 3 })

  it('lose their leader while 64 writes are in flight: each is applied once at most, and none that was told is lost', async () => {
    const store = await opened({ ...tests.fresh(), requestTimeoutMs: 1000, settleTimeoutMs: 30_000 })
    const start = await store.revision()
    const seen: number[] = []
    const following = new AbortController()
    const follower = (async () => {
      for await (const changes of store.changes(start, following.signal, { previous: false }))
        for (const { revision } of changes) seen.push(revision)
    })()
    const stop = new AbortController()
    const writers = Array.from({ length: 64 }, (_, i) => writeOwnKey(store, `k${i}`, stop.signal))
    for (let round = 0; round < 2; round++) {
      const before = store.stats().writes
      await expect.poll(() => store.stats().writes).toBeGreaterThan(before + 300)
      const leader = await tests.cluster.leader()
      await leader.kill()
      const during = store.stats().writes
      await expect.poll(() => store.stats().writes).toBeGreaterThan(during + 300)
      await leader.start()
    }
    stop.abort()
    const done = (await Promise.all(writers)).flat()
    // Nobody else writes these keys: a conflict would be a write that was taken for another's.
    expect(done.filter(({ outcome }) => outcome.type === 'conflict')).toEqual([])
    const log = await logOf(store)
    const inLog = new Map(log.map((change) => [text(change.value), change.revision]))
    expect(inLog.size).toBe(log.length)
    for (const { content, outcome } of done) {
      if (outcome.type === 'committed') expect(inLog.get(content)).toBe(outcome.revision)
      if (outcome.type === 'failed') expect(inLog.has(content)).toBe(false)
    }
    await expect.poll(() => seen.length).toBe(log.length)
    expect(seen).toEqual(log.map(({ revision }) => revision))
    following.abort()
    await follower
    expect(store.health()).toEqual({ writable: true })
  })

  it('without a quorum say so, and go on when it is back', async () => {
    const store = await opened({ ...tests.fresh(), requestTimeoutMs: 1000, settleTimeoutMs: 1000 })
    await set(store, 'k', 'one')
    const [first, second] = tests.cluster.members
    await Promise.all([first?.kill(), second?.kill()])
    const outcome = await store.put('l', value('x'), undefined, note)
    expect(['failed', 'unknown']).toContain(outcome.type)
    await expect.poll(() => store.health()).toMatchObject({ writable: false, reason: expect.any(String) })
    await Promise.all([first?.start(), second?.start()])
    await expect.poll(() => store.health()).toEqual({ writable: true })
    const { revision } = await set(store, 'm', 'back')
    expect(await store.revision()).toBe(revision)
    const kept = await store.get('l')
    if (kept !== undefined) expect(outcome.type).toBe('unknown')
  })
})

describe.skipIf(etcdMissing() !== undefined)('a member whose quota is used up', () => {
  const tests = clusterForTests({ members: 1, quotaBytes: 16 << 20 })

  it('refuses writes with a clear reason, and takes them again after it was compacted and disarmed', async () => {
    const store = await opened(tests.fresh())
    const big = 'x'.repeat(1 << 20)
    let refused: WriteOutcome | undefined
    for (let i = 0; refused === undefined && i < 40; i++) {
      const outcome = await store.put('big', value(`${i}${big}`), await store.get('big'), note)
      if (outcome.type !== 'committed') refused = outcome
    }
    expect(refused).toMatchObject({ type: 'failed', error: { message: expect.stringMatching(/space/) } })
    await expect.poll(() => store.health()).toMatchObject({ writable: false, reason: expect.stringMatching(/space/) })
    expect(text((await store.get('big'))?.value)).toContain(big)
    const { header } = await tests.cluster.call('/v3/kv/range', { key: base64('k') })
    await tests.cluster.call('/v3/kv/compaction', { revision: header.revision, physical: true })
    await tests.cluster.call('/v3/maintenance/defragment', {})
    const { alarms } = await tests.cluster.call('/v3/maintenance/alarm', { action: 'GET' })
    for (const { memberID, alarm } of alarms)
      await tests.cluster.call('/v3/maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm })
    await committed(store.put('small', value('x'), undefined, note))
    await expect.poll(() => store.health()).toMatchObject({ writable: true })
    await remove(store, 'big')
    expect(await store.get('big')).toBeUndefined()
  })
})
