import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Newest } from './newest.ts'

it('keeps the newest, whatever their order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 1, max: 10 }), (times, most) => {
      const newest = new Newest<number>(most)
      for (const time of times) newest.add(time, time)
      expect(newest.all()).toEqual(times.toSorted((a, b) => b - a).slice(0, most))
    }),
  )
})
