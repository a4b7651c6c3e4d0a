import type { KubeObject } from '@homeostat/meta'
import { encodeObject } from '@homeostat/meta/server'
import { describe, expect, it } from 'vitest'
import { CachedObject } from './cached-object.ts'
import { RecentObjects } from './recent-objects.ts'

const object = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name },
  spec: { size: 1 },
})

/** Writes the object as a writer does, and returns the cached object. */
function written(recent: RecentObjects, name: string, revision: number): CachedObject {
  const value = encodeObject(object(name))
  const cached = CachedObject.fromValue(`core/things/${name}`, name, revision, value)
  recent.expect(cached.key, value, object(name))
  recent.arrived(cached, value)
  recent.settled(cached.key)
  return cached
}

describe('recent objects', () => {
  it('are read without parsing, under the version that they were stored as', () => {
    const recent = new RecentObjects()
    const cached = written(recent, 'a', 7)
    const read = recent.read(cached)
    expect(read).toEqual({ ...object('a'), metadata: { name: 'a', resourceVersion: '7' } })
    expect(recent.read(cached)).toBe(read)
  })

  it('are not kept when another writer stored first, or nothing was stored', () => {
    const recent = new RecentObjects()
    const mine = encodeObject({ ...object('a'), spec: { size: 2 } })
    const theirs = encodeObject(object('a'))
    const cached = CachedObject.fromValue('core/things/a', 'a', 7, theirs)
    recent.expect(cached.key, mine, { ...object('a'), spec: { size: 2 } })
    recent.arrived(cached, theirs)
    expect(recent.read(cached).spec).toEqual({ size: 1 })
    recent.settled(cached.key)
    recent.arrived(cached, mine)
    expect(recent.read(cached).spec).toEqual({ size: 1 })
  })

  it('are small ones', () => {
    const recent = new RecentObjects()
    const large = { ...object('a'), spec: { text: 'x'.repeat(70_000) } }
    const value = encodeObject(large)
    const cached = CachedObject.fromValue('core/things/a', 'a', 7, value)
    recent.expect(cached.key, value, { ...large, spec: {} })
    recent.arrived(cached, value)
    expect(recent.read(cached).spec).toEqual(large.spec)
  })

  it('are forgotten when they are replaced, and the oldest when there are too many', () => {
    const size = written(new RecentObjects(), 'a', 1).size
    const recent = new RecentObjects(3 * size)
    const all = ['a', 'b', 'c', 'd'].map((name, index) => written(recent, name, index + 1))
    // An object that is not kept is parsed anew at each read.
    const isKept = (cached: CachedObject) => new Set([recent.read(cached), recent.read(cached)]).size === 1
    expect(all.map(isKept)).toEqual([false, true, true, true])
    const [, second] = all
    if (second) recent.forget(second)
    expect(all.map(isKept)).toEqual([false, false, true, true])
    // The forgotten object freed its room.
    written(recent, 'e', 5)
    expect(all.map(isKept)).toEqual([false, false, true, true])
  })
})
