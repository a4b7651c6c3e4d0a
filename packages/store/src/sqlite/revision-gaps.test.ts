import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addGap, decodeGaps, encodeGaps, gapAround, passGap, type RevisionGap } from './revision-gaps.ts'

const gap = (after: number, next: number): RevisionGap => ({ after, next })
const gaps = [gap(20, 100), gap(150, 300)]

describe('a revision', () => {
  it.each([
    [20, undefined],
    [21, gap(20, 100)],
    [99, gap(20, 100)],
    [100, undefined],
    [150, undefined],
    [299, gap(150, 300)],
    [300, undefined],
  ])('%i lies inside %o', (revision, expected) => {
    expect(gapAround(gaps, revision)).toEqual(expected)
  })

  it('passes over the gap that begins with it', () => {
    expect([19, 20, 100, 150].map((revision) => passGap(gaps, revision))).toEqual([19, 100, 100, 300])
  })
})

describe('gaps', () => {
  it('are forgotten once the horizon is above them', () => {
    expect(addGap(gaps, gap(400, 500), 120)).toEqual([gap(150, 300), gap(400, 500)])
  })

  it('become one where nothing was written between them', () => {
    expect(addGap(gaps, gap(300, 500), 0)).toEqual([gap(20, 100), gap(150, 500)])
  })

  it('are kept as text, stay few, and never let a lost revision pass', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 2, max: 50 })), { maxLength: 90 }),
        (sizes) => {
          let kept: RevisionGap[] = []
          const lost: number[] = []
          let revision = 0
          for (const [written, missing] of sizes) {
            const after = revision + written
            revision = after + missing
            lost.push(after + 1)
            kept = addGap(decodeGaps(encodeGaps(kept)), gap(after, revision), 0)
          }
          expect(kept.length).toBeLessThanOrEqual(64)
          for (const one of lost) expect(gapAround(kept, one)).toBeDefined()
        },
      ),
    )
  })
})
