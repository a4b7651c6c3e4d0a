// The checker of crash tests finds each kind of damage in a run that was sound.

import { expect, test } from 'vitest'
import { checkRun, type LogEntry, type Run, type Stream, type StreamEvent, type Write } from './checker.ts'
import { colorOf, makeWidget, TORN, tokenOf } from './token.ts'

const log: LogEntry[] = [
  { revision: 11, key: 'a', token: 'a1' },
  { revision: 12, key: 'b', token: 'b1' },
  { revision: 14, key: 'a', token: 'a2' },
  { revision: 15, key: 'b', token: undefined },
  { revision: 17, key: 'b', token: 'b2' },
]
const writes: Write[] = [
  { key: 'a', token: 'a1', seen: 10, outcome: 'acknowledged', revision: 11 },
  { key: 'b', token: 'b1', seen: 10, outcome: 'acknowledged', revision: 12 },
  { key: 'a', token: 'a2', seen: 12, outcome: 'unknown' },
  { key: 'a', token: 'a3', seen: 12, outcome: 'unknown' },
  { key: 'a', token: 'a4', seen: 12, outcome: 'refused' },
  { key: 'b', token: undefined, deletes: 12, seen: 14, outcome: 'acknowledged' },
  { key: 'b', token: undefined, deletes: 12, seen: 14, outcome: 'refused' },
  { key: 'b', token: 'b2', seen: 14, outcome: 'acknowledged', revision: 17 },
]
const events: StreamEvent[] = [
  { type: 'ADDED', key: 'a', revision: 11, token: 'a1' },
  { type: 'ADDED', key: 'b', revision: 12, token: 'b1' },
  { type: 'MODIFIED', key: 'a', revision: 14, token: 'a2' },
  { type: 'DELETED', key: 'b', revision: 15, token: 'b1' },
  { type: 'ADDED', key: 'b', revision: 17, token: 'b2' },
]
const list = (revision: number, seen: number, ...objects: [string, number, string][]) => ({
  revision,
  seen,
  objects: objects.map(([key, at, token]) => ({ key, revision: at, token })),
})
const sound: Run = {
  log,
  writes,
  streams: [
    { name: 'all', from: 10, events },
    { name: 'late', from: 12, events: events.slice(2) },
    { name: 'b only', from: 10, color: colorOf('b1'), events: coloured(colorOf('b1')) },
  ],
  pictures: [list(12, 12, ['a', 11, 'a1'], ['b', 12, 'b1']), list(17, 17, ['a', 14, 'a2'], ['b', 17, 'b2'])],
  reads: [{ revision: 14, key: 'a', token: 'a2' }],
}

/** By hand, for the tokens above. */
function coloured(color: string): StreamEvent[] {
  const is = (token: string) => colorOf(token) === color
  const seen: StreamEvent[] = []
  if (is('a1')) seen.push({ type: 'ADDED', key: 'a', revision: 11, token: 'a1' })
  if (is('b1')) seen.push({ type: 'ADDED', key: 'b', revision: 12, token: 'b1' })
  if (is('a2')) seen.push({ type: is('a1') ? 'MODIFIED' : 'ADDED', key: 'a', revision: 14, token: 'a2' })
  else if (is('a1')) seen.push({ type: 'DELETED', key: 'a', revision: 14, token: 'a1' })
  if (is('b1')) seen.push({ type: 'DELETED', key: 'b', revision: 15, token: 'b1' })
  if (is('b2')) seen.push({ type: 'ADDED', key: 'b', revision: 17, token: 'b2' })
  return seen
}

function withEvents(change: (events: StreamEvent[]) => void): Run {
  const changed = [...events]
  change(changed)
  const streams: Stream[] = [{ name: 'all', from: 10, events: changed }]
  return { ...sound, streams }
}

test('a sound run has nothing wrong', () => {
  expect(checkRun(sound)).toEqual([])
})

const damage: Record<string, [Run, RegExp]> = {
  'a lost write': [
    { ...sound, log: log.slice(0, 4), streams: [], pictures: [] },
    /lost: b = b2 was acknowledged at 17/,
  ],
  'a lost deletion': [{ ...sound, log: log.slice(0, 3), streams: [], pictures: [] }, /lost: deletion of b at 12/],
  'a deletion that two were told they made': [
    { ...sound, writes: [...writes, { key: 'b', token: undefined, deletes: 12, seen: 14, outcome: 'acknowledged' }] },
    /lost: deletion of b at 12/,
  ],
  'a write nobody made': [{ ...sound, log: [...log, { revision: 18, key: 'c', token: 'c1' }] }, /18 .* by nobody/],
  'a write made twice': [{ ...sound, log: [...log, { revision: 18, key: 'b', token: 'b2' }] }, /18 .* twice/],
  'a refused write': [{ ...sound, log: [...log, { revision: 18, key: 'a', token: 'a4' }] }, /a4 was refused/],
  'a write at another revision than was said': [
    { ...sound, writes: writes.map((write) => (write.token === 'b1' ? { ...write, revision: 13 } : write)) },
    /b1 was acknowledged at 13 but is there at 12/,
  ],
  'a revision that fell back': [
    { ...sound, writes: writes.map((write) => (write.token === 'b2' ? { ...write, seen: 20 } : write)) },
    /got revision 17, but 20 was known/,
  ],
  'a skipped event': [withEvents((list) => list.splice(2, 1)), /event 2 .* an event is missing/],
  'a missing end': [withEvents((list) => list.pop()), /event 4 is nothing .* ends too early/],
  'a duplicate': [withEvents((list) => list.splice(3, 0, list[2] as StreamEvent)), /event 3 .* a duplicate/],
  'a reorder': [withEvents((list) => list.splice(1, 2, ...list.slice(1, 3).reverse())), /event 1 .* out of order/],
  'an invented event': [
    withEvents((list) => list.push({ type: 'MODIFIED', key: 'a', revision: 18, token: 'a3' })),
    /event 5 .* never happened/,
  ],
  'a deletion with the old revision': [
    withEvents((list) => list.splice(3, 1, { type: 'DELETED', key: 'b', revision: 12, token: 'b1' })),
    /event 3 is DELETED b = b1 at 12 instead of DELETED b = b1 at 15/,
  ],
  'a torn object': [
    { ...sound, log: log.map((entry) => (entry.token === 'a1' ? { ...entry, token: TORN } : entry)) },
    /a is torn at revision 11/,
  ],
  'a torn object in a stream': [
    withEvents((list) => list.splice(0, 1, { type: 'ADDED', key: 'a', revision: 11, token: TORN })),
    /event 0 .* torn/,
  ],
  'a list that misses an object': [
    { ...sound, pictures: [list(17, 17, ['a', 14, 'a2'])] },
    /list at 17: misses b = b2/,
  ],
  'a list with a deleted object': [
    { ...sound, pictures: [list(15, 15, ['a', 14, 'a2'], ['b', 12, 'b1'])] },
    /b = b1 at 12 should not be there/,
  ],
  'a list older than what was known': [
    { ...sound, pictures: [list(12, 14, ['a', 11, 'a1'], ['b', 12, 'b1'])] },
    /revision 12 is older than 14/,
  ],
  'a read of what did not last': [
    { ...sound, reads: [{ revision: 13, key: 'a', token: 'a3' }] },
    /a = a3 at 13 was shown but is not in the log/,
  ],
}

test.each(Object.entries(damage))('%s is found', (_name, [run, message]) => {
  expect(checkRun(run)).toContainEqual(expect.stringMatching(message))
})

test('an object that is not whole has no token', () => {
  const whole = makeWidget('a', 'w1-17')
  const { payload } = whole.spec as { payload: string }
  expect(tokenOf(whole)).toBe('w1-17')
  expect(tokenOf({ ...whole, spec: { token: 'w1-17', payload: `${payload}x` } })).toBe(TORN)
  expect(tokenOf({ ...whole, spec: { token: 'w1-18', payload } })).toBe(TORN)
  expect(tokenOf({ ...whole, metadata: { ...whole.metadata, labels: {} } })).toBe(TORN)
  expect(tokenOf({ ...whole, spec: undefined })).toBe(TORN)
})
