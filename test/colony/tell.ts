// Says what a history had in it, and fails for one in which too little happened to prove anything.

import { expect } from 'vitest'
import { type History, hasEnded } from './history.ts'

export function tell({ submits, taken, closes, states, listed, heartbeats }: History, more: object): void {
  const count = (list: readonly { outcome: string }[], outcome: string) =>
    list.filter((one) => one.outcome === outcome).length
  const told = {
    ...more,
    processes: listed.length,
    states: states.length,
    taken: taken.length,
    retaken: taken.filter(({ attempt }) => attempt > 1).length,
    closes: { accepted: count(closes, 'accepted'), refused: count(closes, 'refused'), cut: count(closes, 'unknown') },
    heartbeats: heartbeats.length,
    ends: Object.fromEntries(
      Map.groupBy(listed.filter(hasEnded), ({ phase }) => phase)
        .entries()
        .map(([phase, all]) => [phase, all.length]),
    ),
  }
  console.log(JSON.stringify(told))
  expect(count(submits, 'unknown')).toBeGreaterThan(0)
  expect(told.closes.cut).toBeGreaterThan(0)
  expect(told.closes.refused).toBeGreaterThan(0)
  expect(told.retaken).toBeGreaterThan(0)
  expect(told.ends).toMatchObject({ Succeeded: expect.any(Number) })
}
