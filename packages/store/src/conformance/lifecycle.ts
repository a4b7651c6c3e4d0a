// Opening, health, backup and closing.

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { MakeStore } from './harness.ts'
import { collect, note, pages, set, text, value } from './harness.ts'
import { itWithStore } from './with-store.ts'

export function lifecycleSuite(make: MakeStore): void {
  itWithStore(make, 'is writable when nothing is wrong', async (store) => {
    expect(store.health()).toEqual({ writable: true })
    await set(store, 'a', 'one')
    expect(store.health()).toEqual({ writable: true })
  })

  itWithStore(make, 'closes twice as well as once, and waits for writes under way', async (store) => {
    const writes = Array.from({ length: 50 }, (_, i) => store.put(`k${i}`, value('x'), undefined, note))
    const closing = [store.close(), store.close()]
    for (const write of writes) expect((await write).type).toBe('committed')
    await Promise.all(closing)
    await store.close()
  })

  itWithStore(make, 'waits for writes that came while others were written', async (store) => {
    const first = store.put('first', value('x'), undefined, note)
    await new Promise((resolve) => setImmediate(resolve))
    const later = Array.from({ length: 50 }, (_, i) => store.put(`k${i}`, value('x'), undefined, note))
    let written = 0
    for (const write of [first, ...later]) void write.then(({ type }) => (written += type === 'committed' ? 1 : 0))
    await store.close()
    expect(written).toBe(51)
  })

  itWithStore(make, 'fails writes and refuses reads once closed', async (store) => {
    const entry = await set(store, 'a', 'one')
    await store.close()
    expect(await store.put('b', value('x'), undefined, note)).toMatchObject({ type: 'failed' })
    expect(await store.delete('a', entry, note)).toMatchObject({ type: 'failed' })
    await expect(store.get('a')).rejects.toThrow('closed')
    await expect(store.range('', { limit: 1 })).rejects.toThrow('closed')
    await expect(store.readAll(() => {})).rejects.toThrow('closed')
    await expect(store.history('a')).rejects.toThrow('closed')
    await expect(store.revision()).rejects.toThrow('closed')
    expect(store.health().writable).toBe(false)
  })

  itWithStore(make, 'ends its followers when it closes', async (store) => {
    const follower = collect(store.changes(await store.revision(), new AbortController().signal))
    await set(store, 'a', 'one')
    await store.close()
    expect((await follower).flat().length).toBeLessThanOrEqual(1)
  })

  itWithStore(make, 'writes a backup to a new file only, while writes go on', async (store) => {
    const directory = await mkdtemp(join(tmpdir(), 'store-backup-'))
    try {
      const file = join(directory, 'copy')
      for (let i = 0; i < 20; i++) await set(store, `k${i}`, `${i}`)
      const writes = Array.from({ length: 100 }, (_, i) => store.put(`w${i}`, value('x'), undefined, note))
      await store.backup(file)
      for (const write of writes) expect((await write).type).toBe('committed')
      expect((await stat(file)).size).toBeGreaterThan(0)
      await expect(store.backup(file)).rejects.toThrow(/exist/i)
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  itWithStore(make, 'holds the same state after a restart', async (store, under) => {
    if (under.reopen === undefined) return
    const horizon = await store.horizon()
    for (let i = 0; i < 25; i++) await set(store, `k${i % 10}`, `${i}`)
    const before = (await pages(store, '', 3)).map((entry) => [entry.key, entry.revision, text(entry.value)])
    const again = await under.reopen()
    expect((await pages(again, '', 100)).map((entry) => [entry.key, entry.revision, text(entry.value)])).toEqual(before)
    expect(await again.horizon()).toBe(horizon)
  })
}
