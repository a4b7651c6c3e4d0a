import { expect, test } from 'vitest'
import type { LogEntry } from '../../crash/checker.ts'
import { type Claim, claimDeletions } from './claim-deletions.ts'

const log: LogEntry[] = [
  { revision: 1, key: 'k', token: 'x' },
  { revision: 2, key: 'k', token: undefined },
  { revision: 3, key: 'k', token: 'y' },
  { revision: 4, key: 'k', token: undefined },
]
const claim = (isDone: boolean, seen: number, expected?: string): Claim => ({ key: 'k', isDone, seen, expected })

test.each<[string, Claim[], number[]]>([
  ['each its own', [claim(true, 1), claim(true, 2)], [1, 3]],
  ['in whichever order they come', [claim(true, 2), claim(true, 1)], [3, 1]],
  ['what one expects is left to it', [claim(true, 0), claim(true, 0, 'x')], [3, 1]],
  ['also when it does not know', [claim(false, 0, 'x'), claim(true, 0)], [1, 3]],
  ['but what was acknowledged comes first', [claim(false, 0, 'x'), claim(true, 1), claim(true, 2)], [0, 1, 3]],
  [
    'a deletion that was acknowledged and never made has none',
    [claim(true, 0), claim(true, 2), claim(true, 4)],
    [1, 3, 0],
  ],
  ['nor has one of another token', [claim(true, 0, 'z')], [0]],
])('%s', (_, claims, removed) => {
  expect(claimDeletions(claims, log)).toEqual(removed)
})
