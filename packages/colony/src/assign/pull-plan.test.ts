import { expect, it } from 'vitest'
import { nextPullStep, type PullStep, type Situation } from './pull-plan.ts'

const waits = { isConnected: true, isRegistered: true, msLeft: 1000 }
const rows: readonly [what: string, situation: Situation, step: PullStep][] = [
  ['a call begins with the queue', { ...waits, found: 'unknown' }, 'look'],
  ['also one that may not wait', { ...waits, found: 'unknown', msLeft: 0 }, 'look'],
  ['a caller that is gone takes nothing', { ...waits, found: 'unknown', isConnected: false }, 'respond'],
  ['what is reserved is assigned', { ...waits, found: 'reserved' }, 'assign'],
  ['also when the time is up', { ...waits, found: 'reserved', msLeft: 0 }, 'assign'],
  ['what runs is the response', { ...waits, found: 'running' }, 'respond'],
  ['also when the time is up', { ...waits, found: 'running', msLeft: 0 }, 'respond'],
  ['what runs goes back when nobody hears it', { ...waits, found: 'running', isConnected: false }, 'give-back'],
  ['an empty queue is waited for', { ...waits, found: 'nothing' }, 'wait'],
  ['not beyond the time', { ...waits, found: 'nothing', msLeft: 0 }, 'respond'],
  ['not beyond the time, however late', { ...waits, found: 'nothing', msLeft: -1 }, 'respond'],
  ['not for an executor that was deleted', { ...waits, found: 'nothing', isRegistered: false }, 'respond'],
  ['not for a caller that is gone', { ...waits, found: 'nothing', isConnected: false }, 'respond'],
  ['a wait that ended with nothing is the response', { ...waits, found: 'ended' }, 'respond'],
]

it.each(rows)('%s', (_, situation, step) => {
  expect(nextPullStep(situation)).toBe(step)
})
