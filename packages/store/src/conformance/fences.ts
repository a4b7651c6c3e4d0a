// Fences, of stores that others write to as well: a write commits only while other keys are at the revisions that it names.

import { expect } from 'vitest'
import type { MakeStore } from './harness.ts'
import { committed, note, remove, set, text, value } from './harness.ts'
import { itWithStore } from './with-store.ts'

export function fencesSuite(make: MakeStore): void {
  itWithStore(make, 'commits while every fence holds, and changes nothing once one has moved on', async (store) => {
    if (!store.shared) return
    const lease = await set(store, 'lease', 'one')
    const home = await set(store, 'home', 'one')
    const fences = [lease, home].map(({ key, revision }) => ({ key, revision }))
    const first = await committed(store.put('a', value('1'), undefined, note, fences))
    const entry = { key: 'a', revision: first, value: value('1') }
    const second = await committed(store.put('a', value('2'), entry, note, fences))
    const moved = await set(store, 'home', 'two')
    const current = { key: 'a', revision: second, value: value('2') }
    expect(await store.put('a', value('3'), current, note, fences)).toEqual({ type: 'fenced', key: 'home' })
    expect(await store.put('b', value('3'), undefined, note, fences)).toEqual({ type: 'fenced', key: 'home' })
    expect(await store.delete('a', current, note, fences)).toEqual({ type: 'fenced', key: 'home' })
    expect(text((await store.get('a'))?.value)).toBe('2')
    expect(await store.get('b')).toBeUndefined()
    expect(await store.revision()).toBe(moved.revision)
  })

  itWithStore(make, 'does not let a fence pass whose key is gone, was never there, or was made anew', async (store) => {
    if (!store.shared) return
    const { key, revision } = await set(store, 'lease', 'one')
    await remove(store, 'lease')
    for (const fence of [
      { key, revision },
      { key: 'never', revision },
    ])
      expect(await store.put('a', value('1'), undefined, note, [fence])).toEqual({ type: 'fenced', key: fence.key })
    await set(store, 'lease', 'one')
    expect(await store.put('a', value('1'), undefined, note, [{ key, revision }])).toEqual({ type: 'fenced', key })
    expect(await store.get('a')).toBeUndefined()
  })

  itWithStore(
    make,
    'answers a conflict before a fence, so that the writer learns of the newer state',
    async (store) => {
      if (!store.shared) return
      const lease = await set(store, 'lease', 'one')
      const stale = await set(store, 'a', 'one')
      const { revision } = await set(store, 'a', 'two')
      await set(store, 'lease', 'two')
      const result = await store.put('a', value('x'), stale, note, [{ key: 'lease', revision: lease.revision }])
      expect(result).toMatchObject({ type: 'conflict', current: { revision } })
    },
  )
}
