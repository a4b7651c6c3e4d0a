// The checker of clusters finds each kind of damage in a history that was sound. What crash/checker.test.ts plants is found there.

import { expect, test } from 'vitest'
import type { LogEntry, StreamEvent } from '../../crash/checker.ts'
import { checkHistory } from './check-history.ts'
import type { Action, History, List, Operation, Outcome } from './operations.ts'

function op(server: string, sentAt: number, key: string, action: Action, outcome: Outcome): Operation {
  return { key, client: 'c', server, sentAt, answeredAt: sentAt + 1, action, outcome }
}
const done = (revision?: number): Outcome => ({ type: 'done', revision })
const shown = (token?: string, revision?: number): Outcome => ({ type: 'shown', token, revision })
const READ: Action = { verb: 'read', demands: 'newest' }
const OLD: Action = { verb: 'read', demands: 'any' }

const log: LogEntry[] = [
  { revision: 11, key: 'k', token: 'k1' },
  { revision: 13, key: 'l', token: 'l1' },
  { revision: 14, key: 'k', token: 'k2' },
  { revision: 17, key: 'l', token: undefined },
  { revision: 18, key: 'l', token: 'l2' },
]
const events: StreamEvent[] = [
  { type: 'ADDED', key: 'k', revision: 11, token: 'k1' },
  { type: 'ADDED', key: 'l', revision: 13, token: 'l1' },
  { type: 'MODIFIED', key: 'k', revision: 14, token: 'k2' },
  { type: 'DELETED', key: 'l', revision: 17, token: 'l1' },
  { type: 'ADDED', key: 'l', revision: 18, token: 'l2' },
]
const operations: Operation[] = [
  op('a', 1, 'k', { verb: 'create', token: 'k1' }, done(11)),
  op('b', 3, 'l', { verb: 'create', token: 'l1' }, done(13)),
  op('b', 5, 'k', { verb: 'put', token: 'k2', expected: 'k1' }, done(14)),
  // Its cache is behind what b has stored, and may be.
  op('a', 7, 'k', OLD, shown('k1', 11)),
  op('a', 9, 'k', READ, shown('k2', 14)),
  op('a', 11, 'l', { verb: 'delete' }, { type: 'unknown' }),
  op('b', 13, 'l', OLD, shown('l1', 13)),
  op('b', 15, 'l', { verb: 'create', token: 'l2' }, done(18)),
  op('b', 17, 'l', { verb: 'create', token: 'l3' }, { type: 'exists' }),
  op('a', 19, 'l', OLD, shown()),
  op('a', 21, 'l', READ, shown('l2', 18)),
]
const list = (sentAt: number, demands: List['demands'], revision: number, ...names: [string, number, string][]) => ({
  client: 'c',
  server: 'a',
  sentAt,
  answeredAt: sentAt + 1,
  demands,
  revision,
  objects: names.map(([key, at, token]) => ({ key, revision: at, token })),
})
const sound: History = {
  log,
  operations,
  lists: [
    list(8.1, 'any', 13, ['k', 11, 'k1'], ['l', 13, 'l1']),
    list(10.1, 'newest', 14, ['k', 14, 'k2'], ['l', 13, 'l1']),
  ],
  streams: [
    { name: 'from the start', from: 10, events },
    { name: 'later', from: 13, events: events.slice(2) },
  ],
}

const replaced = (sentAt: number, more: Partial<Operation>): History => ({
  ...sound,
  operations: operations.map((one) => (one.sentAt === sentAt ? { ...one, ...more } : one)),
})
const watched = (...seen: (StreamEvent | undefined)[]): History => ({
  ...sound,
  streams: [{ name: 'w', from: 10, events: seen.filter((event) => event !== undefined) }],
})
const [e11, e13, e14, e17, e18] = events

test('a sound history has nothing wrong', () => {
  expect(checkHistory(sound)).toEqual([])
})

const damage: Record<string, [History, RegExp]> = {
  'a stale read of the newest state': [replaced(9, { outcome: shown('k1', 11) }), /not linearizable.*\n.*k1/],
  'the same by revisions': [replaced(9, { outcome: shown('k1', 11) }), /stale: .* changed by revision 14/],
  'a list that is older than what was acknowledged': [
    { ...sound, lists: [list(10.1, 'newest', 13, ['k', 11, 'k1'], ['l', 13, 'l1'])] },
    /stale: a list of c at a is of 13, 14 was known/,
  ],
  'a server that goes back behind what it wrote itself': [
    { ...sound, operations: [...operations, op('b', 30, 'l', OLD, shown())] },
    /stale: .*absent, which had changed by revision 18/,
  ],
  'a server that goes back behind what it listed': [
    { ...sound, operations: [...operations, op('a', 12.5, 'k', OLD, shown('k1', 11))] },
    /stale: .*k1 at 11, which had changed by revision 14/,
  ],
  'an old list behind an old read of the same server': [
    { ...sound, lists: [list(30, 'any', 14, ['k', 14, 'k2'], ['l', 13, 'l1'])] },
    /stale: a list of c at a is of 14, 18 was known/,
  ],
  'a list that mixes two revisions': [
    { ...sound, lists: [list(8.1, 'any', 13, ['k', 14, 'k2'], ['l', 13, 'l1'])] },
    /list at 13: misses k = k1/,
  ],
  'a read of what nobody wrote': [replaced(7, { outcome: shown('k9', 12) }), /invented: .*k9 at 12/],
  'a read with a revision of another': [replaced(7, { outcome: shown('k1', 13) }), /invented: .*k1 at 13/],
  'an acknowledged write that is not stored': [
    { ...sound, streams: [], lists: [], log: log.filter(({ revision }) => revision !== 14) },
    /lost: k = k2 was acknowledged at 14/,
  ],
  'an acknowledged deletion that is not stored': [
    { ...replaced(11, { outcome: { type: 'done' } }), streams: [], lists: [], log: log.slice(0, 3) },
    /lost: deletion of l/,
  ],
  'a refused write that is stored': [replaced(15, { outcome: { type: 'refused' } }), /l = l2 was refused but is there/],
  'a write that is stored twice': [
    { ...sound, streams: [], log: [...log, { revision: 20, key: 'k', token: 'k2' }] },
    /written twice or by nobody/,
  ],
  'a write at another revision than was acknowledged': [
    replaced(5, { outcome: done(15) }),
    /k = k2 was acknowledged at 15 but is there at 14/,
  ],
  'revisions that do not rise': [
    { ...sound, streams: [], lists: [], log: log.toSpliced(1, 2, log[2] as LogEntry, log[1] as LogEntry) },
    /log: revision 13 comes after 14/,
  ],
  'a write with a revision that was known before it': [
    { ...sound, operations: [...operations, op('a', 1.5, 'z', OLD, shown(undefined, 13))] },
    /l = l1 got revision 13, but 13 was known when it was sent/,
  ],
  'a watch with a repeated event': [watched(e11, e13, e13, e14, e17, e18), /w: event 2 .*a duplicate/],
  'a watch with reordered events': [watched(e11, e14, e13, e17, e18), /w: event 1 .*out of order/],
  'a watch with a skipped event': [watched(e11, e13, e17, e18), /w: event 2 .*an event is missing/],
  'a watch that ends too early': [watched(e11, e13, e14, e17), /w: event 4 .*ends too early/],
  'a watch that shows a change as another': [
    watched(e11, e13, { ...(e14 as StreamEvent), type: 'ADDED' }, e17, e18),
    /w: event 2 is ADDED k/,
  ],
}

test.each(Object.entries(damage))('%s is found', (_name, [history, message]) => {
  expect(checkHistory(history)).toContainEqual(expect.stringMatching(message))
})
