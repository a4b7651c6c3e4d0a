// The checker finds each kind of damage when it is put into a sound history.

import { describe, expect, it } from 'vitest'
import {
  checkGraphs,
  checkSchedules,
  type GraphHistory,
  type NodeState,
  type ScheduleHistory,
} from './graph-checker.ts'

const state = (revision: number, node: string, phase: string, more: Partial<NodeState> = {}): NodeState => ({
  revision,
  graph: 'g',
  node,
  uid: `u-${node}`,
  phase,
  attempt: phase === 'Waiting' ? 0 : 1,
  output: phase === 'Succeeded' ? `from ${node}` : undefined,
  input: undefined,
  ...more,
})
const sound: GraphHistory = {
  graphs: new Map([
    [
      'g',
      new Map([
        ['a', []],
        ['b', ['a']],
        ['c', ['a']],
        ['d', ['b', 'c']],
      ]),
    ],
  ]),
  states: [
    state(1, 'a', 'Waiting'),
    state(2, 'a', 'Running', { input: [] }),
    state(3, 'a', 'Succeeded'),
    state(4, 'b', 'Running', { input: ['from a'] }),
    state(5, 'c', 'Running', { input: ['from a'] }),
    state(6, 'b', 'Succeeded'),
    state(7, 'c', 'Succeeded'),
    state(8, 'd', 'Running', { input: ['from b', 'from c'] }),
    state(9, 'd', 'Succeeded'),
  ],
  ends: new Map([['g', 'Succeeded']]),
}
const damaged = (change: (states: NodeState[]) => NodeState[], end: string | undefined = 'Succeeded') =>
  checkGraphs({ ...sound, states: change([...sound.states]), ends: new Map([['g', end]]) }).join('\n')

describe('graphs', () => {
  it('a sound history has nothing wrong', () => {
    expect(checkGraphs(sound)).toEqual([])
  })

  it.each([
    [
      'a node before its parents',
      (states: NodeState[]) => [...states.slice(0, 6), ...states.slice(7, 9), ...states.slice(6, 7)],
      'too early: g/d',
    ],
    [
      'a node made twice',
      (states: NodeState[]) => [...states, state(10, 'd', 'Waiting', { uid: 'other' })],
      'twice: g/d',
    ],
    [
      'a node run by two',
      (states: NodeState[]) => [...states.slice(0, 2), state(3, 'a', 'Running', { attempt: 2 }), ...states.slice(2)],
      'two at once: g/a',
    ],
    ['an end that changes', (states: NodeState[]) => [...states, state(10, 'a', 'Failed')], 'ended twice: g/a'],
    [
      'a lost output',
      (states: NodeState[]) =>
        states.map((one) => (one.node === 'd' && one.input ? { ...one, input: ['from b', null] } : one)),
      'input: g/d',
    ],
    [
      'outputs in another order',
      (states: NodeState[]) =>
        states.map((one) => (one.node === 'd' && one.input ? { ...one, input: ['from c', 'from b'] } : one)),
      'input: g/d',
    ],
    ['a node that never ran', (states: NodeState[]) => states.filter(({ node }) => node !== 'd'), 'lost: g/d'],
    [
      'a node after a failure',
      (states: NodeState[]) =>
        states.map((one) => (one.node === 'b' && one.phase === 'Succeeded' ? { ...one, phase: 'Failed' } : one)),
      'not allowed: g/d',
    ],
    ['a node that nobody submitted', (states: NodeState[]) => [...states, state(10, 'x', 'Waiting')], 'invented: g/x'],
  ])('finds %s', (_, change, found) => {
    expect(damaged(change)).toContain(found)
  })

  it('finds a graph that does not end, or says something else', () => {
    expect(checkGraphs({ ...sound, ends: new Map() })).toEqual(['never ended: g'])
    expect(damaged((states) => states, 'Failed')).toContain('result: g is Failed')
  })
})

describe('schedules', () => {
  const history: ScheduleHistory = {
    schedules: new Map([['s', { madeAt: 0, everyMs: 10, until: 45, deadlineMs: 5 }]]),
    runs: [10, 20, 40].map((tick) => ({ schedule: 's', tick, uid: `u${tick}`, madeAt: tick + 1 })),
    uptimes: [
      [0, 28],
      [37, 60],
    ],
  }
  const damagedRuns = (change: (runs: ScheduleHistory['runs'][number][]) => ScheduleHistory['runs']) =>
    checkSchedules({ ...history, runs: change([...history.runs]) }).join('\n')

  it('a sound history has nothing wrong: a tick while the server was away may be lost', () => {
    expect(checkSchedules(history)).toEqual([])
  })

  it('finds a tick that was run twice, lost, invented or run too early', () => {
    expect(damagedRuns((runs) => [...runs, { schedule: 's', tick: 10, uid: 'other', madeAt: 12 }])).toContain(
      'twice: s at 10',
    )
    expect(damagedRuns((runs) => runs.slice(1))).toContain('lost: s at 10')
    expect(damagedRuns((runs) => [...runs, { schedule: 's', tick: 13, uid: 'x', madeAt: 14 }])).toContain(
      'invented: s at 13',
    )
    expect(damagedRuns((runs) => runs.map((run) => ({ ...run, madeAt: run.tick - 1 })))).toContain('too early: s at 10')
  })
})
