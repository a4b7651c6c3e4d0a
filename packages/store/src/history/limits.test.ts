import { describe, expect, it } from 'vitest'
import { historyLevel, kindOfKey } from './limits.ts'

describe('the kind of a key', () => {
  it.each([
    ['core/configmaps/default/a', 'core/configmaps'],
    ['core/namespaces/default', 'core/namespaces'],
    ['a/b', 'a'],
    ['a', ''],
  ])('%s is of kind %s', (key, kind) => expect(kindOfKey(key)).toBe(kind))
})

describe('the level of history', () => {
  const limits = { bytes: 800, kindBytes: 400 }
  it.each([
    ['nothing to give while all is within the limits', [400, 300, 100], undefined],
    ['one kind over its own budget gives', [401, 10], 350],
    ['too much in all: the large ones become level', [300, 300, 300, 10], 230],
    ['a small kind gives nothing to a large one', [390, 390, 100, 5], 297],
    ['no kinds', [], undefined],
  ])('%s', (_, sizes, level) => {
    expect(historyLevel(sizes, limits)).toBe(level)
    if (level === undefined) return
    expect(sizes.reduce((sum, size) => sum + Math.min(size, level), 0)).toBeLessThanOrEqual(limits.bytes)
  })
})
