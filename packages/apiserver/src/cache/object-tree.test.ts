import { compareKeys } from '@homeostat/store'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CachedObject } from './cached-object.ts'
import { ObjectTree, type TreeSnapshot } from './object-tree.ts'

/** The tree reads only names, so the objects have no bytes. */
function object(name: string, revision: number): CachedObject {
  return CachedObject.damaged(`test/things/${name}`, name, revision, 'made for a test')
}

/** Few namespaces, so that prefixes share much, and characters around the slash and beyond UTF-16. */
const key = fc
  .tuple(
    fc.constantFrom('a', 'ab', 'b', 'a-', 'a.'),
    fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '0', '\u{1f600}', '\uffff'), maxLength: 4 }),
  )
  .map(([namespace, name]) => `${namespace}/${name}`)

type Step = { readonly op: 'set' | 'delete'; readonly key: string } | { readonly op: 'snapshot' }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: key.map((name) => ({ op: 'set' as const, key: name })) },
  { weight: 4, arbitrary: key.map((name) => ({ op: 'delete' as const, key: name })) },
  { weight: 1, arbitrary: fc.constant({ op: 'snapshot' as const }) },
)

/** The simplest implementation of a tree's contract. */
class Model {
  #objects: CachedObject[] = []

  set(name: string, value: CachedObject): void {
    this.delete(name)
    this.#objects = [...this.#objects, value].sort((a, b) => compareKeys(a.name, b.name))
  }

  delete(name: string): void {
    this.#objects = this.#objects.filter((candidate) => candidate.name !== name)
  }

  get objects(): readonly CachedObject[] {
    return this.#objects
  }
}

function agrees(tree: TreeSnapshot, objects: readonly CachedObject[], probes: readonly string[]): void {
  expect(tree.size).toBe(objects.length)
  expect([...tree.objects()]).toEqual(objects)
  for (const probe of probes) {
    expect(tree.get(probe)).toBe(objects.find(({ name }) => name === probe))
    expect(tree.rank(probe)).toBe(objects.filter(({ name }) => compareKeys(name, probe) < 0).length)
  }
  for (const prefix of ['', 'a/', 'ab/', 'b/', 'a-/', 'none/', 'a']) {
    const inside = objects.filter(({ name }) => name.startsWith(prefix))
    expect(tree.count(prefix)).toBe(inside.length)
    expect([...tree.objects(prefix)]).toEqual(inside)
    for (const from of probes.slice(0, 3)) {
      const rest = inside.filter(({ name }) => compareKeys(name, from) >= 0)
      expect([...tree.objects(prefix, from)]).toEqual(rest)
    }
    const ranges = [...tree.ranges(prefix)]
    expect(ranges.every(({ from, to, leaf }) => from < to && to <= leaf.objects.length)).toBe(true)
    expect(ranges.flatMap(({ leaf, from, to }) => leaf.objects.slice(from, to))).toEqual(inside)
  }
}

describe('a tree of objects', () => {
  it('is a sorted map, and a snapshot of it never changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const tree = new ObjectTree()
        const model = new Model()
        const snapshots: [TreeSnapshot, readonly CachedObject[]][] = []
        for (const [i, done] of steps.entries()) {
          if (done.op === 'snapshot') snapshots.push([tree.snapshot(), model.objects])
          else if (done.op === 'delete') {
            tree.delete(done.key)
            model.delete(done.key)
          } else {
            const value = object(done.key, i)
            tree.set(done.key, value)
            model.set(done.key, value)
          }
        }
        const probes = ['', 'a/', 'zz', ...model.objects.slice(0, 5).map(({ name }) => name), 'a/a', 'b/\u{1f600}']
        agrees(tree, model.objects, probes)
        for (const [snapshot, objects] of snapshots) agrees(snapshot, objects, probes)
      }),
      { numRuns: 60 },
    )
  })

  it('stays right through thousands of keys, in order, in reverse, and at random', () => {
    const numbers = Array.from({ length: 5000 }, (_, i) => i)
    const orders = [
      numbers,
      [...numbers].reverse(),
      [...numbers].sort((a, b) => ((a * 7919) % 5003) - ((b * 7919) % 5003)),
    ]
    for (const order of orders) {
      const tree = new ObjectTree()
      for (const i of order) tree.set(`ns/${String(i).padStart(4, '0')}`, object(`ns/${String(i).padStart(4, '0')}`, i))
      expect(tree.size).toBe(5000)
      expect([...tree.objects()].map(({ revision }) => revision)).toEqual(numbers)
      const full = tree.snapshot()
      for (const i of order) if (i % 10 !== 0) tree.delete(`ns/${String(i).padStart(4, '0')}`)
      expect([...tree.objects()].map(({ revision }) => revision)).toEqual(numbers.filter((i) => i % 10 === 0))
      expect(tree.rank('ns/2500')).toBe(250)
      expect(full.size).toBe(5000)
      for (const i of order) tree.delete(`ns/${String(i).padStart(4, '0')}`)
      expect(tree.size).toBe(0)
      expect([...tree.ranges()]).toEqual([])
      tree.set('ns/x', object('ns/x', 1))
      expect(tree.count('ns/')).toBe(1)
    }
  })

  it('stays right as whole ranges of thousands come and go', () => {
    const range = fc.record({
      op: fc.constantFrom<'fill' | 'clear' | 'snapshot'>('fill', 'fill', 'clear', 'clear', 'snapshot'),
      start: fc.integer({ min: 0, max: 9000 }),
      length: fc.integer({ min: 1, max: 6000 }),
      backwards: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
        const tree = new ObjectTree()
        const model = new Map<string, CachedObject>()
        const sorted = () => [...model.values()].sort((a, b) => compareKeys(a.name, b.name))
        const snapshots: [TreeSnapshot, readonly CachedObject[]][] = []
        for (const { op, start, length, backwards } of ranges) {
          if (op === 'snapshot') snapshots.push([tree.snapshot(), sorted()])
          else
            for (let i = 0; i < length; i++) {
              const name = `n/${10_000 + start + (backwards ? length - i : i)}`
              const value = object(name, i)
              if (op === 'fill') {
                tree.set(name, value)
                model.set(name, value)
              } else {
                tree.delete(name)
                model.delete(name)
              }
            }
        }
        for (const [picture, objects] of [...snapshots, [tree, sorted()] as const]) {
          expect(picture.size).toBe(objects.length)
          expect([...picture.objects()].every((found, i) => found === objects[i])).toBe(true)
          for (const probe of ['n/10000', 'n/13000', 'n/17777', 'n/99999'])
            expect(picture.rank(probe)).toBe(objects.filter(({ name }) => name < probe).length)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('is built from sorted objects as if they had been set one by one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 400 }), (names) => {
        const objects = names.sort(compareKeys).map(object)
        const tree = ObjectTree.fromSorted(objects)
        agrees(tree, objects, names.slice(0, 10))
        const snapshot = tree.snapshot()
        for (const [i, name] of names.entries()) if (i % 2 === 0) tree.delete(name)
        agrees(
          tree,
          objects.filter((_, i) => i % 2 === 1),
          names.slice(0, 10),
        )
        agrees(snapshot, objects, names.slice(0, 10))
      }),
      { numRuns: 30 },
    )
  })

  it('finds every namespace, also one whose first object is the first of a leaf', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 100, maxLength: 150 }), (sizes) => {
        const names = sizes.flatMap((size, i) => Array.from({ length: size }, (_, j) => `ns-${1000 + i}/${j}`))
        const objects = names.map((name, i) => object(name, i))
        const grown = new ObjectTree()
        for (const one of objects) grown.set(one.name, one)
        for (const tree of [grown, ObjectTree.fromSorted(objects)]) {
          const found = sizes.map((_, i) => [...tree.objects(`ns-${1000 + i}/`)].length)
          expect(found).toEqual(sizes)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('forgets the joined bytes of a leaf that changes, and of no other', () => {
    const tree = ObjectTree.fromSorted(Array.from({ length: 200 }, (_, i) => object(`n/${1000 + i}`, i)))
    const leaves = () => [...tree.ranges()].map(({ leaf }) => leaf)
    for (const leaf of leaves()) leaf.joined = Buffer.from('joined')
    tree.set('n/1100', object('n/1100', 9))
    expect(leaves().filter(({ joined }) => joined === undefined)).toHaveLength(1)
    tree.delete('n/1000')
    expect(leaves().filter(({ joined }) => joined === undefined)).toHaveLength(2)
    const before = tree.snapshot()
    tree.set('n/1199', object('n/1199', 9))
    expect([...before.ranges()].filter(({ leaf }) => leaf.joined === undefined)).toHaveLength(2)
    expect(leaves().filter(({ joined }) => joined === undefined)).toHaveLength(3)
  })
})
