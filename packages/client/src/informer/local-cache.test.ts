import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiObject } from '../api/kinds.ts'
import { withoutManagedFields } from './kept-object.ts'
import { LocalCache } from './local-cache.ts'

let told: string[]
let localCache: LocalCache

beforeEach(() => {
  told = []
  localCache = new LocalCache(
    withoutManagedFields,
    ({ type, object, initial }) => told.push(`${type} ${text(object)}${initial ? ' initially' : ''}`),
    (error) => told.push(error.message),
  )
})

describe('a localCache', () => {
  it('is what a list says, and tells of it as initial', () => {
    list('20', object('a', 5), object('b', 9))
    expect(told).toEqual(['added a@5 initially', 'added b@9 initially'])
    expect(localCache.revision).toBe('20')
  })

  it('tells the difference of a second list', () => {
    list('20', object('a', 5), object('b', 9), object('c', 10))
    told.length = 0
    list('30', object('b', 9), object('c', 25), object('d', 26), false)
    expect(told).toEqual(['deleted a@5', 'updated c@25', 'added d@26'])
  })

  it('shows the state of before until a list is complete, or for good when it fails', () => {
    list('20', object('a', 5))
    localCache.stage()
    localCache.stageObject('ADDED', object('b', 25))
    expect(held()).toEqual(['a@5'])
    localCache.unstage()
    expect(held()).toEqual(['a@5'])
  })

  it('takes real changes among the events of a list', () => {
    localCache.stage()
    localCache.stageObject('ADDED', object('a', 5))
    localCache.stageObject('ADDED', object('b', 6))
    localCache.stageObject('MODIFIED', object('a', 21))
    localCache.stageObject('ADDED', object('a', 5))
    localCache.stageObject('DELETED', object('b', 22))
    localCache.stageObject('ADDED', object('b', 6))
    localCache.stageObject('DELETED', object('a', 4))
    localCache.swap('22', true)
    expect(held()).toEqual(['a@21'])
  })

  it('tells deleted and added when a name has another uid', () => {
    list('20', object('a', 5))
    told.length = 0
    localCache.event('MODIFIED', object('a', 21, 'other'))
    expect(told).toEqual(['deleted a@5', 'added a@21'])
    told.length = 0
    list('30', object('a', 25, 'third'), false)
    expect(told).toEqual(['deleted a@21', 'added a@25'])
  })

  it('drops what is older than or equal to what it has', () => {
    list('20', object('a', 15))
    told.length = 0
    expect(localCache.event('MODIFIED', object('a', 9))).toBe(true)
    expect(localCache.event('MODIFIED', object('a', 15))).toBe(true)
    expect(localCache.event('DELETED', object('a', 14))).toBe(true)
    expect(told).toEqual([])
  })

  it('does not know what an event of something absent means that the stream has passed', () => {
    list('20')
    expect(localCache.event('ADDED', object('a', 15))).toBe(false)
    expect(localCache.event('DELETED', object('a', 15))).toBe(true)
    expect(held()).toEqual([])
  })

  it('keeps a write of ours that is newer than a list', () => {
    list('20')
    localCache.stage()
    localCache.wrote(object('own', 25))
    localCache.swap('23', false)
    expect(held()).toEqual(['own@25'])
    told.length = 0
    list('30', false)
    expect(told).toEqual(['deleted own@25'])
  })

  it('keeps the write of ours when a list has an older state', () => {
    list('20', object('a', 5))
    localCache.wrote(object('a', 25))
    list('22', object('a', 5), false)
    expect(held()).toEqual(['a@25'])
  })

  it('drops the response to an own write that comes after its deletion', () => {
    list('20')
    localCache.event('ADDED', object('a', 21))
    localCache.event('DELETED', object('a', 23))
    localCache.wrote(object('a', 22))
    expect(held()).toEqual([])
  })

  it('lets go of an object that a write of ours took out of the selection', () => {
    list('20', object('a', 5))
    localCache.wrote(object('a', 25))
    localCache.event('DELETED', object('a', 25))
    expect(held()).toEqual([])
  })

  it('does not bring back what we removed, until the stream has passed it', () => {
    list('20', object('a', 5))
    localCache.removed({ name: 'a', namespace: 'default' }, '25')
    expect(localCache.event('MODIFIED', object('a', 22))).toBe(true)
    list('23', object('a', 22), false)
    expect(held()).toEqual([])
    expect(localCache.tombstones).toBe(1)
    localCache.advance('26')
    expect(localCache.tombstones).toBe(0)
    localCache.event('ADDED', object('a', 27, 'new'))
    expect(held()).toEqual(['a@27'])
  })

  it('does not remove what was made since', () => {
    list('20', object('a', 15))
    localCache.removed({ name: 'a', namespace: 'default' }, '14')
    expect(held()).toEqual(['a@15'])
  })

  it('remembers a bounded number of removals', () => {
    for (let i = 0; i < 10_500; i++) localCache.removed({ name: `a${i}`, namespace: 'default' }, '25')
    expect(localCache.tombstones).toBe(10_000)
  })

  it('believes a list that is older than what it has seen: the history began anew', () => {
    list('2000', object('a', 1500), object('b', 1600), object('c', 5))
    told.length = 0
    list('7', object('a', 6), object('c', 5), false)
    expect(told).toEqual(['deleted b@1600', 'updated a@6'])
    expect(localCache.revision).toBe('7')
  })

  it('tells everything as deleted when the kind is gone', () => {
    list('20', object('a', 5))
    told.length = 0
    localCache.clear()
    expect(told).toEqual(['deleted a@5'])
    expect(localCache.revision).toBe('')
  })

  it('keeps going when an index function throws', () => {
    localCache.cache.addIndex('bad', () => {
      throw new Error('oh')
    })
    list('20', object('a', 5))
    expect(held()).toEqual(['a@5'])
    expect(localCache.cache.byIndex('bad', 'x')).toEqual([])
  })
})

/** The objects, and whether it is the first list (default true). */
function list(revision: string, ...items: (ApiObject | boolean)[]): void {
  localCache.stage()
  for (const item of items) if (typeof item !== 'boolean') localCache.stageObject('ADDED', item)
  localCache.swap(revision, items.at(-1) !== false)
}

function object(name: string, revision: number, uid = 'uid'): ApiObject {
  const metadata = { name, namespace: 'default', uid, resourceVersion: `${revision}`, managedFields: [{}] }
  return { apiVersion: 'v1', kind: 'Thing', metadata }
}

function held(): string[] {
  return localCache.cache.values().map(text)
}

function text({ metadata: { name, resourceVersion } }: ApiObject): string {
  return `${name}@${resourceVersion}`
}
