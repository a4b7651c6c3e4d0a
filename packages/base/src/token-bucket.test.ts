import { expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

it('gives a burst, then tokens at its rate, and never saves up more than the burst', () => {
  const bucket = new TokenBucket({ burst: 2, perSecond: 4 }, 0)
  bucket.take()
  bucket.take()
  expect([bucket.has(0), bucket.wait(0), bucket.wait(100), bucket.has(249), bucket.has(250)]).toEqual([
    false,
    250,
    150,
    false,
    true,
  ])
  bucket.take()
  expect(bucket.has(100_000)).toBe(true)
  bucket.take()
  bucket.take()
  expect(bucket.has(100_000)).toBe(false)
})

it('is not confused by a clock that goes back', () => {
  const bucket = new TokenBucket({ burst: 1, perSecond: 1 }, 10_000)
  bucket.take()
  expect([bucket.has(5000), bucket.has(5999), bucket.has(6000)]).toEqual([false, false, true])
})
