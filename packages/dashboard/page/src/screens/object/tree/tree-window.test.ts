// Which part of a large tree the canvas holds.

import { expect, test } from 'vitest'
import { layoutTree } from './layout.ts'
import type { TreeBox } from './plan.ts'
import { boxesWithin, grown, holds, regionOf } from './tree-window.ts'

test('a viewport shows less of the tree the nearer it is', () => {
  expect(regionOf({ x: 0, y: 0, zoom: 1 }, 100, 50)).toEqual({ left: -0, top: -0, right: 100, bottom: 50 })
  expect(regionOf({ x: -200, y: 100, zoom: 2 }, 100, 50)).toEqual({ left: 100, top: -50, right: 150, bottom: -25 })
})

test('a small move stays within what is held, a large one does not', () => {
  const seen = regionOf({ x: 0, y: 0, zoom: 1 }, 100, 50)
  expect(holds(grown(seen), regionOf({ x: 90, y: -40, zoom: 1 }, 100, 50))).toBe(true)
  expect(holds(grown(seen), regionOf({ x: 101, y: 0, zoom: 1 }, 100, 50))).toBe(false)
})

test('held are the boxes of a region and their owners, however far away these are', () => {
  const parents = [-1, ...Array.from({ length: 5000 }, () => 0)]
  const boxes = parents.map((parent, at) => ({ id: String(at), parent }) as TreeBox)
  const all = layoutTree(parents)
  const places = new Map(boxes.map(({ id }, at) => [id, { x: all[2 * at] ?? 0, y: all[2 * at + 1] ?? 0 }]))
  const { x = 0, y = 0 } = places.get('4000') ?? {}
  const held = boxesWithin({ boxes, places }, { left: x, top: y - 1, right: x + 1, bottom: y + 1 })
  expect(held.map(({ id }) => id)).toEqual(['0', '4000'])
})
