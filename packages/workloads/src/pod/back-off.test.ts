import { expect, it } from 'vitest'
import { type BackOff, restartAt, restarted } from './back-off.ts'

it('restarts at once, then after 10 s, doubling up to 5 minutes', () => {
  const delays: number[] = []
  let backOff: BackOff | undefined
  let now = 0
  for (let crash = 0; crash < 8; crash++) {
    const finishedAt = now + 1000
    const at = restartAt(backOff, finishedAt)
    delays.push((at - finishedAt) / 1000)
    backOff = restarted(backOff, finishedAt, at)
    now = at
  }
  expect(delays).toEqual([0, 10, 20, 40, 80, 160, 300, 300])
})

it('begins anew after a run of more than 10 minutes', () => {
  const backOff = { delayMs: 300_000, restartedAt: 0 }
  expect(restartAt(backOff, 600_000)).toBe(900_000)
  expect(restartAt(backOff, 600_001)).toBe(600_001)
  expect(restarted(backOff, 600_001, 600_001)).toEqual({ delayMs: 10_000, restartedAt: 600_001 })
})
