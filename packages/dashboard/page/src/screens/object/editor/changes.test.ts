// What changed, what is sent of it, and where two changes meet.

import { applyMergePatch } from '@homeostat/meta'
import { describe, expect, test } from 'vitest'
import { byOwner, changesBetween, conflictsOf, managersOfPath, mergePatch, takenOver } from './changes.ts'

const base = { spec: { size: 1, colour: 'red', list: [1, 2], map: { a: 'x', b: 'y' } } }

describe('a patch of the changes makes the edited object', () => {
  const rows: Record<string, object> = {
    'when a field changes': { spec: { ...base.spec, size: 2 } },
    'when a field is taken away': { spec: { size: 1, list: [1, 2], map: { a: 'x', b: 'y' } } },
    'when a field is added in a new map': { ...base, metadata: { labels: { a: 'b' } } },
    'when a list changes': { spec: { ...base.spec, list: [2] } },
    'when a map becomes a text': { spec: { ...base.spec, map: 'x' } },
    'when a field has the name of a prototype': { spec: { ...base.spec, constructor: 'x' } },
    'when nothing changes': base,
  }
  for (const [name, edited] of Object.entries(rows))
    test(name, () => expect(applyMergePatch(base, mergePatch(changesBetween(base, edited)) as never)).toEqual(edited))
})

describe('two changes', () => {
  const owned = [
    { path: ['f:spec', 'f:size'], manager: 'scaler', applied: true },
    { path: ['f:spec', 'f:list', 'v:1'], manager: 'lister', applied: false },
  ]
  const met = (mine: object, theirs: object) =>
    conflictsOf(
      changesBetween(base, { spec: { ...base.spec, ...mine } }),
      changesBetween(base, { spec: { ...base.spec, ...theirs } }),
      owned,
    )

  test('of different fields do not meet', () => expect(met({ size: 2 }, { colour: 'green' })).toEqual([]))
  test('that are the same do not meet', () => expect(met({ size: 2 }, { size: 2 })).toEqual([]))
  test('of one field meet, and its owner is named', () => {
    expect(met({ size: 2 }, { size: 3 })).toEqual([{ path: ['spec', 'size'], mine: 2, theirs: 3, owners: ['scaler'] }])
  })
  test('of one list meet, whatever items they change', () => {
    expect(met({ list: [1, 2, 3] }, { list: [1] })).toMatchObject([{ path: ['spec', 'list'], owners: ['lister'] }])
  })
  test('meet when one takes away what the other changes something in', () => {
    expect(met({ map: { a: 'z', b: 'y' } }, { map: undefined })).toMatchObject([
      { path: ['spec', 'map'], theirs: undefined },
    ])
  })
})

test('what is taken over is what I did not touch, and what I gave up', () => {
  const mine = changesBetween(base, { spec: { ...base.spec, size: 2, list: [] } })
  const theirs = changesBetween(base, { spec: { ...base.spec, size: 3, colour: 'green', list: [9] } })
  const [size] = conflictsOf(mine, theirs, [])
  expect(takenOver(mine, theirs, new Set(size ? [size] : []))).toEqual([
    { path: ['spec', 'colour'], before: 'red', after: 'green' },
    { path: ['spec', 'size'], after: 3 },
  ])
})

test('conflicts are grouped by owner, those of nobody last', () => {
  const conflict = (name: string, owners: string[]) => ({ path: [name], mine: 1, theirs: 2, owners })
  const groups = byOwner([conflict('a', []), conflict('b', ['z']), conflict('c', ['y']), conflict('d', ['z'])])
  expect(groups.map(({ owner, conflicts }) => [owner, conflicts.map(({ path }) => path[0])])).toEqual([
    ['y', ['c']],
    ['z', ['b', 'd']],
    ['', ['a']],
  ])
})

test('a field is owned by who owns it, something in it, or the list it is in', () => {
  const owned = [
    { path: ['f:spec', 'f:map', 'f:a'], manager: 'inner', applied: true },
    { path: ['f:spec'], manager: 'outer', applied: true },
    { path: ['f:status'], manager: 'other', applied: true },
  ]
  expect(managersOfPath(['spec', 'map'], owned)).toEqual(['inner', 'outer'])
})
