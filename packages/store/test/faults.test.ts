// What the store does when SQLite calls fail or hang: nothing lost, nothing invented, and it recovers when it can.

import { until } from '@homeostat/base/testing/eventually'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { committed, note, remove, set, text, value } from '../src/conformance/harness.ts'
import type { Change, FaultRule, Store, WriteOutcome } from '../src/index.ts'
import { openSqliteStore } from '../src/index.ts'
import { freshDirectory } from './fresh-directory.ts'
import { Switch } from './switch.ts'

async function storeWith(
  fault: readonly FaultRule[],
  more: { maxPages?: number; closeTimeoutMs?: number } = {},
): Promise<Store> {
  const store = await openSqliteStore({ directory: freshDirectory(), fault, ...more })
  onTestFinished(() => store.close())
  return store
}

function follow(store: Store): { readonly seen: Change[] } {
  const seen: Change[] = []
  void (async () => {
    for await (const changes of store.changes(0, new AbortController().signal)) seen.push(...changes)
  })()
  return { seen }
}

const writable = (store: Store) => expect.poll(() => store.health()).toEqual({ writable: true })

describe('a fault in any single call', () => {
  const kinds: [string, Pick<FaultRule, 'kind' | 'when'>][] = [
    ['a full disk', { kind: 'full' }],
    ['a locked file', { kind: 'busy' }],
    ['an I/O error', { kind: 'ioerr' }],
    ['an I/O error after the deed', { kind: 'ioerr', when: 'after' }],
  ]
  it.each(kinds)('(%s) loses nothing that was acknowledged and keeps nothing that failed', async (_, fault) => {
    const countdown = new Switch()
    const store = await storeWith([{ ...fault, connection: 'writer', countdown: countdown.memory }])
    const { seen } = follow(store)
    const model = new Map<string, string>()
    const settleModel = async (key: string, content: string, result: WriteOutcome) => {
      if (result.type === 'committed') model.set(key, content)
      else if (result.type === 'unknown') {
        const found = await until(() => store.get(key))
        if (text(found?.value) === content) model.set(key, content)
      } else expect(result.type).toBe('failed')
    }
    let fired = true
    for (let index = 1; fired; index++) {
      countdown.set(index)
      for (let step = 0; step < 3; step++) {
        const [key, content] = [`k${index}`, `${index}-${step}`]
        const result = await store.put(key, value(content), await store.get(key), note)
        await settleModel(key, content, result)
        await store.compact(Math.max(0, (await store.revision()) - 5)).catch(() => {})
      }
      fired = countdown.get() === 0
      countdown.set(0)
      await committed(store.put(`after${index}`, value('x'), undefined, note))
      model.set(`after${index}`, 'x')
      await writable(store)
    }
    const { entries, revision } = await store.range('', { limit: 10_000 })
    expect(Object.fromEntries(entries.map((entry) => [entry.key, text(entry.value)]))).toEqual(
      Object.fromEntries(model),
    )
    await expect.poll(() => seen.length).toBe(revision)
    expect(seen.map((change) => change.revision)).toEqual(Array.from({ length: revision }, (_unused, i) => i + 1))
  })
})

describe('a full disk', () => {
  it('fails writes, goes on reading, says so, and recovers by itself when there is room', async () => {
    const full = new Switch()
    const store = await storeWith([
      { call: 'insert', connection: 'writer', kind: 'full', times: 1e9, gate: full.memory },
    ])
    const entry = await set(store, 'a', 'one')
    full.set(1)
    const result = await store.put('b', value('two'), undefined, note)
    expect(result).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('full') } })
    expect(store.health()).toMatchObject({ writable: false, reason: expect.stringContaining('full') })
    expect(text((await store.get('a'))?.value)).toBe('one')
    expect(await store.get('b')).toBeUndefined()
    full.set(0)
    await writable(store)
    expect(await committed(store.put('b', value('two'), undefined, note))).toBe(entry.revision + 1)
  })

  it('for real: a file that may not grow fails whole batches and serves what it has', async () => {
    const store = await storeWith([], { maxPages: 60 })
    const big = 'x'.repeat(8000)
    const results: WriteOutcome[] = []
    for (let i = 0; i < 40; i++) results.push(await store.put(`k${i}`, value(big), undefined, note))
    const kept = results.filter((result) => result.type === 'committed').length
    expect(kept).toBeGreaterThan(5)
    expect(results.at(-1)).toMatchObject({ type: 'failed' })
    expect(store.health().writable).toBe(false)
    expect((await store.range('', { limit: 100 })).entries).toHaveLength(kept)
    for (let i = 0; i < kept; i++) expect(text((await store.get(`k${i}`))?.value)).toBe(big)
    const small = await store.put('small', value('s'), undefined, note)
    if (small.type === 'failed') expect(await store.get('small')).toBeUndefined()
  })
})

describe('an I/O error in a commit', () => {
  it('is settled by opening the file again', async () => {
    const store = await storeWith([{ call: 'commit', connection: 'writer', kind: 'ioerr', skip: 2 }])
    await set(store, 'a', 'one')
    const result = await store.put('b', value('two'), undefined, note)
    expect(result).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('I/O') } })
    expect(await store.get('b')).toBeUndefined()
    expect(await committed(store.put('b', value('two'), undefined, note))).toBe(2)
  })

  it('answers committed when the data turns out to be there', async () => {
    const store = await storeWith([{ call: 'commit', connection: 'writer', kind: 'ioerr', when: 'after', skip: 2 }])
    const { seen } = follow(store)
    await set(store, 'a', 'one')
    expect(await committed(store.put('b', value('two'), undefined, note))).toBe(2)
    await expect.poll(() => seen.map((change) => change.key)).toEqual(['a', 'b'])
  })

  it.each(['before', 'after'] as const)('is unknown while the file cannot be opened (failing %s)', async (when) => {
    const broken = new Switch()
    const gate = broken.memory
    const store = await storeWith([
      { call: 'commit', connection: 'writer', kind: 'ioerr', when, times: 1e9, gate },
      { call: 'open', connection: 'writer', kind: 'ioerr', times: 1e9, gate },
    ])
    const { seen } = follow(store)
    await set(store, 'a', 'one')
    broken.set(1)
    expect((await store.put('b', value('two'), undefined, note)).type).toBe('unknown')
    expect(store.health().writable).toBe(false)
    await expect(store.get('b')).rejects.toThrow('not known')
    expect(text((await store.get('a'))?.value)).toBe('one')
    expect((await store.put('c', value('three'), undefined, note)).type).toBe('failed')
    broken.set(0)
    await writable(store)
    const happened = (await store.get('b')) !== undefined
    expect(happened).toBe(when === 'after')
    await committed(store.put('d', value('four'), undefined, note))
    const keys = happened ? ['a', 'b', 'd'] : ['a', 'd']
    await expect.poll(() => seen.map((change) => change.key)).toEqual(keys)
    expect(seen.map((change) => change.revision)).toEqual(keys.map((_, i) => i + 1))
  })
})

describe('a commit that hangs', () => {
  it('shows in health, holds up no reads, and is answered when it ends', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const hang = new Switch()
    const store = await storeWith([
      { call: 'commit', connection: 'writer', kind: 'hang', times: 1e9, gate: hang.memory },
    ])
    const first = await set(store, 'a', 'one')
    hang.set(1)
    const waiting = store.put('b', value('two'), undefined, note)
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    expect(store.health().writable).toBe(true)
    vi.advanceTimersByTime(3000)
    expect(store.health()).toMatchObject({ writable: false, reason: expect.stringContaining('3 seconds') })
    expect(await store.get('a')).toMatchObject({ revision: first.revision })
    expect((await store.range('', { limit: 5 })).entries).toHaveLength(1)
    hang.set(0)
    expect(await committed(waiting)).toBe(2)
    expect(store.health()).toEqual({ writable: true })
  })

  it('bounds what waits and calls the rest overloaded', async () => {
    const hang = new Switch()
    const directory = freshDirectory()
    const fault: FaultRule = { call: 'commit', connection: 'writer', kind: 'hang', times: 1e9, gate: hang.memory }
    const store = await openSqliteStore({ directory, fault: [fault], maxPendingWrites: 10 })
    onTestFinished(() => store.close())
    hang.set(1)
    const writes = Array.from({ length: 15 }, (_, i) => store.put(`k${i}`, value('x'), undefined, note))
    for (const write of writes.slice(10)) expect(await write).toMatchObject({ type: 'failed', overloaded: true })
    hang.set(0)
    for (const write of writes.slice(0, 10)) await committed(write)
  })

  it('does not keep the store from closing', async () => {
    const hang = new Switch()
    const fault: FaultRule = { call: 'commit', connection: 'writer', kind: 'hang', times: 1e9, gate: hang.memory }
    const store = await storeWith([fault], { closeTimeoutMs: 200 })
    hang.set(1)
    const write = store.put('a', value('one'), undefined, note)
    await new Promise((resolve) => setImmediate(resolve))
    await store.close()
    expect((await write).type).toBe('unknown')
  })
})

describe('a reader', () => {
  it('reports an error and works again with the next read', async () => {
    const store = await storeWith([{ call: 'read', connection: 'reader', kind: 'ioerr', skip: 12 }])
    await set(store, 'a', 'one')
    const outcomes = []
    for (let i = 0; i < 20; i++) {
      outcomes.push(
        await store.get('a').then(
          (entry) => text(entry?.value),
          () => 'error',
        ),
      )
    }
    expect(outcomes.filter((outcome) => outcome === 'error')).toHaveLength(1)
    expect(outcomes.at(-1)).toBe('one')
    await remove(store, 'a')
  })
})
