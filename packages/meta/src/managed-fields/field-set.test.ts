import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  contains,
  difference,
  eachPath,
  equalSets,
  type FieldSet,
  hasPath,
  intersection,
  recursiveDifference,
  setOfPaths,
  union,
} from './field-set.ts'

const paths = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }), { maxLength: 8 })
const textsOf = (set: FieldSet) => {
  const found: string[] = []
  eachPath(set, (path) => found.push(path.map((element) => element.slice(2)).join('/')))
  return found.sort()
}
const texts = (list: readonly (readonly string[])[]) => [...new Set(list.map((path) => path.join('/')))].sort()

describe('field sets', () => {
  it('are sets of paths: all that is put in is in, and nothing else', () => {
    fc.assert(
      fc.property(paths, (list) => {
        expect(textsOf(setOfPaths(list))).toEqual(texts(list))
      }),
    )
  })

  it('have the union, difference and intersection of their paths', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [one, other] = [setOfPaths(a), setOfPaths(b)]
        const mine = texts(a)
        const theirs = new Set(texts(b))
        expect(textsOf(union(one, other))).toEqual(texts([...a, ...b]))
        expect(textsOf(difference(one, other))).toEqual(mine.filter((path) => !theirs.has(path)))
        expect(textsOf(intersection(one, other))).toEqual(mine.filter((path) => theirs.has(path)))
        const above = (path: string) =>
          [...theirs].some((shorter) => path === shorter || path.startsWith(`${shorter}/`))
        expect(textsOf(recursiveDifference(one, other))).toEqual(mine.filter((path) => !above(path)))
        expect(contains(one, other)).toBe([...theirs].every((path) => mine.includes(path)))
        expect(equalSets(one, other)).toBe(mine.join() === [...theirs].join())
        expect(
          b.every((path) =>
            hasPath(
              other,
              path.map((name) => `f:${name}`),
            ),
          ),
        ).toBe(true)
      }),
    )
  })

  it('are the same, to the letter, whether what is added was taken away before or not', () => {
    fc.assert(
      fc.property(paths, paths, paths, (all, taken, added) => {
        const [set, gone, mine] = [setOfPaths(all), setOfPaths(taken), setOfPaths(added)]
        const lost = difference(difference(set, mine), gone)
        expect(JSON.stringify(union(difference(set, gone), mine))).toBe(JSON.stringify(union(lost, mine)))
      }),
    )
  })

  it('are given back themselves when an operation changes nothing', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = setOfPaths(list)
        expect(union(set, structuredClone(set))).toBe(set)
        expect(difference(set, setOfPaths([['x'], ['a', 'x']]))).toBe(set)
      }),
    )
  })

  it('are written with "." for a path that has longer ones, and in order', () => {
    const set = union(setOfPaths([['b'], ['a', 'x']]), { 'k:{"port":80}': {}, 'f:a': {}, 'v:2': {}, 'v:10': {} })
    expect(JSON.stringify(set)).toBe('{"f:a":{".":{},"f:x":{}},"f:b":{},"k:{\\"port\\":80}":{},"v:2":{},"v:10":{}}')
  })
})
