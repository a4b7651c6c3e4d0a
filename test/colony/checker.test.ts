// The checker of colony histories finds each kind of damage in a history that was sound.

import { expect, test } from 'vitest'
import { checkHistory } from './checker.ts'
import type { Close, Heartbeat, History, Sent, State } from './history.ts'

const ok = (sentAt: number): Sent => ({ sentAt, answeredAt: sentAt + 5, outcome: 'accepted' })
const refused = (sentAt: number): Sent => ({ sentAt, answeredAt: sentAt + 5, outcome: 'refused' })
const cut = (sentAt: number): Sent => ({ sentAt, outcome: 'unknown' })

function state(revision: number, process: string, phase: string, attempt: number, more: Partial<State> = {}): State {
  return {
    revision,
    process,
    uid: `uid-${process}`,
    gone: false,
    phase,
    attempt,
    executor: undefined,
    concurrencyKey: undefined,
    maxRetries: 3,
    retries: 0,
    startedAt: undefined,
    execDeadline: undefined,
    finishedAt: undefined,
    token: undefined,
    ...more,
  }
}

const close = (sent: Sent, process: string, attempt: number, executor: string, token: string): Close => ({
  ...sent,
  process,
  attempt,
  executor,
  result: 'Succeeded',
  requeue: false,
  token,
})
const heartbeat = (sentAt: number, executor: string, ...holding: string[]): Heartbeat => ({
  ...ok(sentAt),
  executor,
  holding,
})

const key = { concurrencyKey: 'k' }
const e1 = { executor: 'e1', startedAt: 1000 }
/** `a` succeeds at once; `b` is run by e1, whose answer is lost, then by e2; `c` has the key of `a` and comes after it. */
const states: State[] = [
  state(1, 'a', 'Waiting', 0, key),
  state(2, 'b', 'Waiting', 0),
  state(3, 'c', 'Waiting', 0, key),
  state(4, 'a', 'Running', 1, { ...key, ...e1 }),
  state(5, 'b', 'Running', 1, { executor: 'e1', startedAt: 1001 }),
  state(6, 'a', 'Succeeded', 1, { ...key, ...e1, token: 't1', finishedAt: 'then' }),
  state(7, 'c', 'Running', 1, { ...key, executor: 'e2', startedAt: 2000, execDeadline: 4000 }),
  state(8, 'b', 'Waiting', 1),
  state(9, 'b', 'Running', 2, { executor: 'e2', startedAt: 12_000 }),
  state(10, 'c', 'Failed', 1, { ...key, executor: 'e2', retries: 4, finishedAt: 'later' }),
  state(11, 'b', 'Succeeded', 2, { executor: 'e2', startedAt: 12_000, token: 't2', finishedAt: 'last' }),
]
const sound: History = {
  submits: [
    { ...ok(1), process: 'a', uid: 'uid-a' },
    { ...cut(2), process: 'b' },
    { ...ok(3), process: 'b' },
    { ...ok(4), process: 'c', uid: 'uid-c' },
    { ...cut(5), process: 'd' },
  ],
  taken: [
    { process: 'a', attempt: 1, executor: 'e1', answeredAt: 1010 },
    { process: 'c', attempt: 1, executor: 'e2', answeredAt: 2010 },
    { process: 'b', attempt: 2, executor: 'e2', answeredAt: 12_010 },
  ],
  closes: [
    close(ok(1500), 'a', 1, 'e1', 't1'),
    close(ok(1600), 'a', 1, 'e1', 't1'),
    close(refused(1700), 'b', 2, 'e1', 't0'),
    close(cut(13_000), 'b', 2, 'e2', 't2'),
    close(refused(13_100), 'b', 2, 'e2', 't2'),
  ],
  heartbeats: [heartbeat(3000, 'e1'), heartbeat(11_000, 'e1'), heartbeat(12_500, 'e2', 'b#2')],
  contacts: [],
  removals: [],
  cancels: [],
  states,
  listed: [6, 10, 11].map((revision) => states.find((one) => one.revision === revision) as State),
}

const changed = (revision: number, more: Partial<State>): History => ({
  ...sound,
  states: states.map((one) => (one.revision === revision ? { ...one, ...more } : one)),
})
const withoutExecutor = (revision: number) => (one: State) =>
  one.revision === revision ? { ...one, executor: undefined } : one
/** `b` is known to e1 as well, which goes on with it. */
const heldByE1: History = {
  ...sound,
  taken: [...sound.taken, { process: 'b', attempt: 1, executor: 'e1', answeredAt: 1020 }],
  heartbeats: [heartbeat(3000, 'e1', 'b#1'), heartbeat(11_000, 'e1', 'b#1')],
}

test('a sound history has nothing wrong', () => {
  expect(checkHistory(sound)).toEqual([])
})

test('a process may begin with an executor that waited for it', () => {
  expect(checkHistory({ ...sound, states: states.filter(({ revision }) => revision !== 2) })).toEqual([])
})

const damage: Record<string, [History, RegExp]> = {
  'a process that begins as if it had run before': [
    changed(2, { attempt: 1 }),
    /begin: b at revision 2 began as Waiting/,
  ],
  'a process with a key that begins with an executor': [
    { ...sound, states: states.filter(({ revision }) => revision !== 1) },
    /begin: a at revision 4 began as Running/,
  ],
  'a process that begins with nobody': [
    { ...sound, states: states.filter(({ revision }) => revision !== 2).map(withoutExecutor(5)) },
    /begin: b at revision 5 began as Running/,
  ],
  'a lost submit': [
    { ...sound, submits: [...sound.submits, { ...ok(9), process: 'e', uid: 'uid-e' }] },
    /lost: e was acknowledged and never seen/,
  ],
  'a submit that was replaced': [
    { ...sound, submits: [...sound.submits, { ...ok(9), process: 'b', uid: 'other' }] },
    /lost: b was acknowledged as other/,
  ],
  'a process that was made twice': [changed(8, { uid: 'other' }), /twice: b/],
  'a process that nobody submitted': [{ ...sound, submits: sound.submits.slice(0, 3) }, /invented: nobody .* c/],
  'a process that is gone': [changed(11, { gone: true }), /lost: b was deleted/],
  'a process that does not begin': [changed(1, { attempt: 1 }), /begin: a/],
  'an attempt that does not rise': [changed(9, { attempt: 1 }), /attempt: b at revision 9/],
  'an attempt that rises by two': [changed(9, { attempt: 3 }), /attempt: b at revision 9/],
  'an attempt that rises without a start': [changed(8, { attempt: 2 }), /attempt: b at revision 8/],
  'a second end': [
    { ...sound, states: [...states, state(12, 'a', 'Failed', 1, { ...key, ...e1, token: 't1' })] },
    /ended twice: a at revision 12/,
  ],
  'a second result': [
    { ...sound, states: [...states, { ...(states[5] as State), revision: 12, token: 't2' }] },
    /ended twice: a at revision 12/,
  ],
  'a process that starts again after its end': [
    { ...sound, states: [...states, state(12, 'a', 'Running', 2, { ...key, ...e1 })] },
    /ended twice: a at revision 12/,
  ],
  'a holder that changes': [
    { ...sound, states: states.toSpliced(5, 0, state(5, 'b', 'Running', 1, { executor: 'e2', startedAt: 1001 })) },
    /holder: b/,
  ],
  'one retry too many': [changed(10, { retries: 5 }), /retries: c .* counts 5 of 3/],
  'an attempt that two were given': [
    { ...sound, taken: [...sound.taken, { process: 'a', attempt: 1, executor: 'e2', answeredAt: 1010 }] },
    /given twice: a#1 to e1 and to e2/,
  ],
  'an attempt that was not committed': [
    { ...sound, taken: [...sound.taken, { process: 'a', attempt: 2, executor: 'e2', answeredAt: 1010 }] },
    /given: a#2 to e2, but it never ran/,
  ],
  'a close of another executor that was accepted': [
    { ...sound, closes: [...sound.closes, close(ok(1550), 'a', 1, 'e2', 't9')] },
    /accepted: .* a#1 by e2, but e1 ran it/,
  ],
  'a close of another attempt that was accepted': [
    { ...sound, closes: [...sound.closes, close(ok(1550), 'b', 3, 'e2', 't9')] },
    /accepted: .* b#3 by e2, which never ran/,
  ],
  'a late close that was accepted': [
    { ...sound, closes: [...sound.closes, close(ok(12_500), 'b', 1, 'e1', 't9')] },
    /accepted: .* b#1 by e1, but it became Waiting/,
  ],
  'an accepted close without effect': [
    { ...sound, states: states.slice(0, 10), closes: [...sound.closes, close(ok(12_600), 'b', 2, 'e2', 't2')] },
    /accepted: .* b#2 by e2, but it still runs/,
  ],
  'an output that was refused': [changed(11, { token: 't0' }), /output: b .* t0, which was refused/],
  'an output that nobody sent': [changed(11, { token: 't7' }), /output: b .* t7, which nobody sent/],
  'an output of somebody who does not hold it': [
    { ...changed(11, { token: 't8' }), closes: [...sound.closes, close(cut(12_500), 'b', 1, 'e1', 't8')] },
    /output: b .* from e1 in attempt 1, but was Running \(attempt 2, executor e2/,
  ],
  'two of one key in the states': [
    {
      ...sound,
      states: states.toSorted((a, b) => (a.revision === 6 ? 8 : a.revision) - (b.revision === 6 ? 8 : b.revision)),
    },
    /key: c began at revision 7 while a ran/,
  ],
  'two of one key among executors': [
    changed(7, { startedAt: 1400 }),
    /two at once: c#1 went to e2 at 1400, while e1 had a#1/,
  ],
  'a process that two executors run': [heldByE1, /two at once: b#2 went to e2 at 12000, while e1 had b#1/],
  'a process that never ended': [
    { ...sound, states: states.slice(0, 10), listed: [...sound.listed.slice(0, 2), states[8] as State] },
    /never ended: b is Running/,
  ],
  'a process that the list does not show': [{ ...sound, listed: sound.listed.slice(1) }, /lost: a is not in the list/],
  'a watch that stopped': [{ ...sound, states: states.slice(0, 10) }, /watch: the last of b/],
}

test.each(Object.entries(damage))('%s is found', (_name, [history, message]) => {
  expect(checkHistory(history)).toContainEqual(expect.stringMatching(message))
})

const rights: Record<string, History> = {
  'its executor reported that it ended': {
    ...heldByE1,
    closes: [...sound.closes, close(cut(11_000), 'b', 1, 'e1', 't4')],
  },
  'its time was up': {
    ...heldByE1,
    states: states.map((one) => (one.revision === 5 ? { ...one, execDeadline: 11_900 } : one)),
  },
  'its executor did not mention it twice': {
    ...heldByE1,
    heartbeats: [heartbeat(3000, 'e1'), heartbeat(11_000, 'e1')],
  },
  'its executor was deleted': { ...heldByE1, removals: [{ ...cut(5000), executor: 'e1' }] },
}

test.each(Object.entries(rights))('a process may go to the next when %s', (_name, history) => {
  expect(checkHistory(history)).toEqual([])
})

test('a process may go to the next when its executor was silent for a lease, and not before', () => {
  const later = heldByE1.states.map((one) => (one.revision === 9 ? { ...one, startedAt: 33_000 } : one))
  const silent = { ...heldByE1, states: later }
  expect(checkHistory(silent)).toEqual([])
  const alive = { ...silent, contacts: [{ ...ok(20_000), executor: 'e1' }] }
  expect(checkHistory(alive)).toContainEqual(expect.stringMatching(/until 50000/))
})
