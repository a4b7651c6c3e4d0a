// Prints how much happened in a history, and fails when too little happened to prove anything.

import { expect } from 'vitest'
import { type History, hasEnded } from './history.ts'

export function reportHistory({ submits, taken, closes, states, listed, heartbeats }: History, more: object): void {
  const count = (list: readonly { outcome: string }[], outcome: string) =>
    list.filter((one) => one.outcome === outcome).length
  const counts = {
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
  console.log(JSON.stringify(counts))
  expect(count(submits, 'unknown')).toBeGreaterThan(0)
  expect(counts.closes.cut).toBeGreaterThan(0)
  expect(counts.closes.refused).toBeGreaterThan(0)
  expect(counts.retaken).toBeGreaterThan(0)
  expect(counts.ends).toMatchObject({ Succeeded: expect.any(Number) })
}
