// Whether enough happened in a history to prove anything: trouble goes on until then. Prints how much it was, and fails when it was
// too little even so.

import { expect } from 'vitest'
import { type History, hasEnded } from './history.ts'

type Happened = Pick<History, 'submits' | 'taken' | 'closes'>

const count = (list: readonly { outcome: string }[], outcome: string) =>
  list.filter((one) => one.outcome === outcome).length

function lossesOf({ submits, taken, closes }: Happened) {
  return {
    submitsCut: count(submits, 'unknown'),
    closesCut: count(closes, 'unknown'),
    closesRefused: count(closes, 'refused'),
    retaken: taken.filter(({ attempt }) => attempt > 1).length,
  }
}

/** Chance gives each kind of loss some day: how often trouble has come, of how often it comes at least. */
export function goesOn(round: number, atLeast: number, happened: Happened): boolean {
  return round < atLeast || (round < 10 * atLeast && Object.values(lossesOf(happened)).includes(0))
}

export function reportHistory(history: History, more: object): void {
  const { submits, taken, closes, states, listed, heartbeats } = history
  const losses = lossesOf(history)
  const counts = {
    ...more,
    processes: listed.length,
    submits: submits.length,
    states: states.length,
    taken: taken.length,
    closes: closes.length,
    heartbeats: heartbeats.length,
    ...losses,
    ends: Object.fromEntries(
      Map.groupBy(listed.filter(hasEnded), ({ phase }) => phase)
        .entries()
        .map(([phase, all]) => [phase, all.length]),
    ),
  }
  console.log(JSON.stringify(counts))
  for (const [loss, times] of Object.entries(losses)) expect(times, loss).toBeGreaterThan(0)
  expect(counts.ends).toMatchObject({ Succeeded: expect.any(Number) })
}
