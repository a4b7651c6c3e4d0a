import { encodeObject } from '@homeostat/meta/server'
import { expect, it } from 'vitest'
import { CachedObject } from './cached-object.ts'
import { ObjectTree } from './object-tree.ts'
import { ResourceCache } from './resource-cache.ts'

const note = { time: 0, user: 'test', manager: 'test' }

function object(name: string, revision: number): CachedObject {
  const encoded = encodeObject({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } })
  return CachedObject.fromValue(`example.com/things/${name}`, name, revision, encoded)
}

it('an object that was replaced after a list keeps none of its neighbours in memory', () => {
  const names = ['a', 'b', 'c', 'd']
  const cache = new ResourceCache('example.com/things', new ObjectTree(), 0)
  for (const [i, name] of names.entries()) {
    cache.apply({ revision: i + 1, note, object: object(name, i + 1), previous: undefined })
  }
  for (const range of cache.tree.ranges()) cache.rangeBytes(range)
  const previous = cache.tree.get('b') as CachedObject
  const text = previous.bytes.toString()
  expect(previous.buffer.length).toBeGreaterThan(previous.size)

  cache.apply({ revision: 5, note, object: object('b', 5), previous })
  expect(previous.buffer.length).toBe(previous.size)
  expect(previous.bytes.toString()).toBe(text)
})

it('a leaf of which one object changed is the same list as one that is built from all of them', () => {
  const cache = new ResourceCache('example.com/things', new ObjectTree(), 0)
  for (let i = 0; i < 100; i++) {
    const name = `n${String(i).padStart(3, '0')}`
    cache.apply({ revision: i + 1, note, object: object(name, i + 1), previous: undefined })
  }
  const listed = () => Buffer.concat([...cache.tree.ranges()].map((range) => cache.rangeBytes(range))).toString()
  const expected = () => [...cache.tree.objects()].map((one) => `,${one.bytes}`).join('')
  expect(listed()).toBe(expected())
  const previous = cache.tree.get('n050') as CachedObject
  cache.apply({ revision: 1_000_000, note, object: object('n050', 1_000_000), previous })
  expect(listed()).toBe(expected())
  expect(JSON.parse(`[${listed().slice(1)}]`)).toHaveLength(100)
})

it('items without their head are the same objects as before, however often one of them changes', () => {
  const cache = new ResourceCache('example.com/things', new ObjectTree(), 0)
  const head = '{"apiVersion":"example.com/v1","kind":"Thing",'
  cache.itemHead = head
  const bytes = new Map<string, string>()
  const put = (name: string, revision: number) => {
    const previous = cache.tree.get(name)
    const next = object(name, revision)
    bytes.set(name, next.bytes.toString())
    cache.apply({ revision, note, object: next, previous })
    return previous
  }
  for (let i = 0; i < 100; i++) put(`n${i}`, i + 1)
  for (let revision = 101; revision < 140; revision++) {
    const ranges = [...cache.tree.ranges()]
    const length = cache.lengthOf(ranges)
    const listed = Buffer.concat(ranges.map((range) => cache.rangeBytes(range)))
    expect(listed.length).toBe(length)
    const items = [...cache.tree.objects()].map(({ name }) => bytes.get(name)?.replace(head, '{'))
    expect(listed.toString()).toBe(items.map((item) => `,${item}`).join(''))
    for (const one of cache.tree.objects()) {
      expect(one.bytes.toString()).toBe(bytes.get(one.name))
      expect(cache.itemBytes(one).toString()).toBe(bytes.get(one.name)?.replace(head, '{'))
    }
    const replaced = put(`n${(revision * 7) % 100}`, revision)
    expect(replaced?.bytes.toString()).toContain(head)
  }
})
