import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareKeys } from '../contract.ts'
import { Layout } from './layout.ts'

const text = fc.string({ unit: 'binary' }).filter((key) => key.isWellFormed())

describe('the layout of keys', () => {
  const layout = new Layout('/homeostat/')

  it('finds the area and the name of every key again', () => {
    fc.assert(
      fc.property(text, (key) => {
        for (const area of ['object', 'deleted'] as const) {
          const full = layout[area](key)
          expect(layout.areaOf(full)).toBe(area)
          expect(layout.nameIn(area, full)).toBe(key)
        }
      }),
    )
  })

  it('watches objects, deletions and meta, but not the archive, nor what others keep beside it', () => {
    const { key: from, end } = layout.watched
    const isWatched = (key: string) => compareKeys(from, key) <= 0 && compareKeys(key, end) < 0
    expect([layout.object('\u{10ffff}'), layout.deleted(''), layout.meta('horizon')].every(isWatched)).toBe(true)
    for (const key of ['/homeostat', '/homeostat/archive/a', '/homeostat2/object/a', '/homeostat/objects', '/registry'])
      expect(isWatched(key)).toBe(false)
  })

  it('takes a range to the end of a prefix, byte for byte', () => {
    fc.assert(
      fc.property(text, text, (prefix, other) => {
        const { key, end } = layout.under('object', prefix)
        const full = layout.object(other)
        expect(compareKeys(key, full) <= 0 && compareKeys(full, end) < 0).toBe(other.startsWith(prefix))
        expect(compareKeys(layout.object(prefix + other), end)).toBeLessThan(0)
      }),
    )
    expect(layout.under('object', 'a\u{10ffff}').end).toBe(layout.object('b'))
    expect(layout.under('object', '\ud7ff').end).toBe(layout.object('\ue000'))
  })
})
