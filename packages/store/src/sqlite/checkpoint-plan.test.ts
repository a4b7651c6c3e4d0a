import { expect, test } from 'vitest'
import { checkpointLimits, planCheckpoint, type WalState } from './checkpoint-plan.ts'

const limits = checkpointLimits(1000)
const now = 1_000_000
const forever = { do: 'wait', ms: Number.POSITIVE_INFINITY }
const state = (wal: Partial<WalState>): WalState => ({
  pages: wal.unmoved ?? 0,
  unmoved: 0,
  lastWriteAt: now,
  oldestAt: now,
  moving: false,
  notBefore: 0,
  ...wal,
})
const ago = (ms: number) => ({ lastWriteAt: now - ms, oldestAt: now - ms })

test.each<[string, Partial<WalState>, object]>([
  ['nothing to move sets no timer', {}, forever],
  ['a few pages just written wait until they are old', { unmoved: 3 }, { do: 'wait', ms: 60_000 }],
  ['a few pages that are old are moved', { unmoved: 3, ...ago(60_000) }, { do: 'finish' }],
  ['64 pages wait for a pause', { unmoved: 64, ...ago(1000) }, { do: 'wait', ms: 4000 }],
  ['64 pages are moved in a pause', { unmoved: 64, ...ago(5000) }, { do: 'finish' }],
  ['63 pages are not', { unmoved: 63, ...ago(5000) }, { do: 'wait', ms: 55_000 }],
  [
    'a lease every second moves nothing by itself, however old the first is',
    { unmoved: 300, lastWriteAt: now - 900, oldestAt: now - 100_000 },
    { do: 'wait', ms: 4100 },
  ],
  [
    'a lease every ten seconds moves what a minute brought',
    { unmoved: 18, lastWriteAt: now - 5000, oldestAt: now - 60_000 },
    { do: 'finish' },
  ],
  ['many pages are moved at once by the other thread', { unmoved: 1000 }, { do: 'move' }],
  ['which is not told twice', { unmoved: 1500, moving: true }, forever],
  ['what was written meanwhile waits for more', { pages: 1300, unmoved: 300 }, { do: 'wait', ms: 5000 }],
  ['a long WAL with little left is finished by the writer', { pages: 4200, unmoved: 150 }, { do: 'finish' }],
  ['one with more left is moved once more before', { pages: 4200, unmoved: 300 }, { do: 'move' }],
  ['one that only gets longer is finished all the same', { pages: 16_000, unmoved: 9000 }, { do: 'finish' }],
  [
    'a try that moved nothing is not repeated at once',
    { unmoved: 5000, notBefore: now + 700 },
    { do: 'wait', ms: 700 },
  ],
])('%s', (_, wal, expected) => {
  expect(planCheckpoint(limits, state(wal), now)).toEqual(expected)
})
