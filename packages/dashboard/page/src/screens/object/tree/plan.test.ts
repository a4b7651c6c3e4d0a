// Which boxes a tree has, and where they stand.

import { describe, expect, test } from 'vitest'
import type { Kind } from '../../../kinds/kind.ts'
import type { GraphNode } from '../../../live/owner-graph.ts'
import type { Health } from '../../../parts/health.ts'
import { layoutTree } from './layout.ts'
import { planTree } from './plan.ts'

interface Given {
  readonly owners?: readonly string[]
  readonly health?: Health
  readonly kind?: string
}

function graph(given: Readonly<Record<string, Given>>): Map<string, GraphNode> {
  return new Map(
    Object.entries(given).map(([uid, { owners = [], health, kind = 'Pod' }]) => [
      uid,
      {
        uid,
        kind: { kind } as Kind,
        namespace: 'default',
        name: uid,
        owners: owners.map((owner) => ({ uid: owner, apiVersion: 'v1', kind: 'Any', name: owner })),
        health,
        word: health,
      },
    ]),
  )
}

const ids = (nodes: Map<string, GraphNode>, focus: string, more: object = {}) => {
  const { boxes } = planTree(nodes, { focus, onlyUnwell: false, opened: new Set(), ...more })
  return boxes.map(({ id, parent }) => `${boxes[parent]?.id ?? ''}>${id}`)
}

describe('a tree', () => {
  const small = graph({ a: {}, b: { owners: ['a'] }, c: { owners: ['b'], health: 'bad' }, d: { owners: ['a'] }, e: {} })

  test('has the owners of the object and everything below the topmost', () => {
    expect(ids(small, 'c')).toEqual(['>a', 'a>b', 'b>c', 'a>d'])
  })
  test('has only the way to what is not ready, when asked', () => {
    expect(ids(small, 'a', { onlyUnwell: true })).toEqual(['>a', 'a>b', 'b>c'])
    expect(ids(small, 'd', { onlyUnwell: true })).toEqual(['>a', 'a>b', 'b>c', 'a>d'])
  })
  test('has an owner that is not there as what it is named', () => {
    const { boxes, objects } = planTree(graph({ b: { owners: ['gone'] } }), {
      focus: 'b',
      onlyUnwell: false,
      opened: new Set(),
    })
    expect(boxes).toMatchObject([
      { id: 'gone', is: 'reference', kind: 'Any', title: 'gone' },
      { id: 'b', is: 'object' },
    ])
    expect(objects).toBe(1)
  })
  test('ends where owners go in a circle', () => {
    expect(ids(graph({ a: { owners: ['b'] }, b: { owners: ['a'] } }), 'a')).toEqual(['>b', 'b>a'])
    expect(ids(graph({ a: { owners: ['a'] } }), 'a')).toEqual(['>a'])
  })
  test('of an object that nobody has seen is a box of its own', () => {
    expect(ids(graph({}), 'x')).toEqual(['>x'])
  })
})

describe('a large tree', () => {
  const children = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`p${at}`, { owners: ['a'], ...(at === 7 && { health: 'bad' as const }) }]),
  )
  const nodes = graph({ a: {}, m: { owners: ['a'], kind: 'Map' }, ...children })

  test('stands in groups, which say how they are', () => {
    const { boxes, isGrouped, objects, unwell } = planTree(nodes, { focus: 'a', onlyUnwell: false, opened: new Set() })
    expect(boxes).toMatchObject([
      { id: 'a' },
      { id: 'm' },
      { is: 'group', title: '400 Pod', health: 'bad', word: '1 not ready' },
    ])
    expect({ isGrouped, objects, unwell }).toEqual({ isGrouped: true, objects: 402, unwell: 1 })
  })
  test('shows the object that it is about, in its group', () => {
    expect(ids(nodes, 'p3')).toEqual(['>a', 'a>m', 'a>a/Pod', 'a/Pod>p3'])
  })
  test('shows all of a group that was opened', () => {
    expect(ids(nodes, 'a', { opened: new Set(['a/Pod']) })).toHaveLength(403)
  })
  test('needs no groups when little of it is not ready', () => {
    expect(ids(nodes, 'a', { onlyUnwell: true })).toEqual(['>a', 'a>p7'])
  })
})

describe('a layout', () => {
  test('puts owners beside the middle of what they own, and nothing on top of anything else', () => {
    //        0 ─ 1 ─ 3
    //          │   └ 4
    //          └ 2
    const places = layoutTree([-1, 0, 0, 1, 1])
    const [x, y] = [(at: number) => places[2 * at] ?? 0, (at: number) => places[2 * at + 1] ?? 0]
    expect([x(0), x(1), x(2), x(3)]).toEqual([0, x(1), x(1), 2 * x(1)])
    expect(y(1)).toBe((y(3) + y(4)) / 2)
    expect(y(0)).toBe((y(1) + y(2)) / 2)
    expect(y(3)).toBeLessThan(y(4))
    expect(y(4)).toBeLessThan(y(2))
  })
  test('of a chain of 100,000 ends', () => {
    const chain = Int32Array.from({ length: 100_000 }, (_, at) => at - 1)
    expect(layoutTree(chain)).toHaveLength(200_000)
  })
})
