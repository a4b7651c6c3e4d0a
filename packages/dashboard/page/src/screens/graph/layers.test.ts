import { expect, test } from 'vitest'
import { placesOf } from './layers.ts'

const node = (name: string, ...dependencies: string[]) => ({ name, dependencies })

test('a node stands behind the last of what it waits for, beside it where there is room', () => {
  const places = placesOf([node('d', 'b', 'c'), node('a'), node('x'), node('y', 'x'), node('b', 'a'), node('c', 'b')])
  expect(Object.fromEntries(places)).toEqual({
    a: { layer: 0, row: 0 },
    x: { layer: 0, row: 1 },
    b: { layer: 1, row: 0 },
    y: { layer: 1, row: 1 },
    c: { layer: 2, row: 0 },
    d: { layer: 3, row: 0 },
  })
})

test('what is missing, repeated or in a circle breaks nothing', () => {
  const places = placesOf([node('a', 'gone', 'a'), node('b', 'c'), node('c', 'b'), node('d', 'gone')])
  expect(places.size).toBe(4)
  expect(placesOf([]).size).toBe(0)
})

test('thousands of nodes have places, each its own', () => {
  const nodes = Array.from({ length: 5000 }, (_, index) =>
    index < 50 ? node(`n${index}`) : node(`n${index}`, `n${index - 50}`, `n${(index * 7) % 50}`),
  )
  const places = [...placesOf(nodes).values()]
  expect(places).toHaveLength(5000)
  expect(new Set(places.map(({ layer, row }) => `${layer} ${row}`)).size).toBe(5000)
})
