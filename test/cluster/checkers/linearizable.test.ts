// The search finds an order where there is one, and none where there is none.

import { expect, test } from 'vitest'
import { isLinearizable } from './linearizable.ts'
import type { Action, Operation, Outcome } from './operations.ts'
import { shortestViolation } from './shortest.ts'

/** An operation on one key, from one time to another. */
function op(sentAt: number, answeredAt: number | undefined, action: Action, outcome: Outcome): Operation {
  return { key: 'k', client: `c${sentAt}`, server: 'a', sentAt, answeredAt, action, outcome }
}
const DONE: Outcome = { type: 'done' }
const UNKNOWN: Outcome = { type: 'unknown' }
const create = (token: string): Action => ({ verb: 'create', token })
const put = (token: string, expected?: string): Action => ({ verb: 'put', token, expected })
const remove = (expected?: string): Action => ({ verb: 'delete', expected })
const READ: Action = { verb: 'read', demands: 'newest' }
const shown = (token?: string): Outcome => ({ type: 'shown', token })

const sound: Record<string, Operation[]> = {
  nothing: [],
  'what follows one after the other': [
    op(1, 2, create('x'), DONE),
    op(3, 4, READ, shown('x')),
    op(5, 6, put('y', 'x'), DONE),
    op(7, 8, remove('y'), DONE),
    op(9, 10, READ, shown()),
  ],
  'overlapping writes in whichever order later reads show': [
    op(1, 2, create('x'), DONE),
    op(3, 9, put('y'), DONE),
    op(4, 8, put('z'), DONE),
    op(10, 11, READ, shown('y')),
  ],
  'a read that overlaps a write and shows the state before, then one after': [
    op(1, 2, create('x'), DONE),
    op(3, 9, put('y'), DONE),
    op(4, 5, READ, shown('x')),
    op(6, 7, READ, shown('y')),
  ],
  'an unknown write that was not applied': [op(1, 2, create('x'), UNKNOWN), op(3, 4, READ, shown())],
  'one that was applied': [op(1, 2, create('x'), UNKNOWN), op(3, 4, READ, shown('x'))],
  'one that is applied long after it was given up': [
    op(1, 2, create('x'), UNKNOWN),
    op(3, 4, READ, shown()),
    op(5, 6, READ, shown('x')),
  ],
  'a write that was never answered': [op(1, undefined, create('x'), UNKNOWN), op(3, 4, READ, shown('x'))],
  'one of two creates, and the other is told': [
    op(1, 5, create('x'), DONE),
    op(2, 4, create('y'), { type: 'exists' }),
    op(6, 7, READ, shown('x')),
  ],
  'a conflict with an unknown write': [
    op(1, 2, create('x'), DONE),
    op(3, 4, put('y', 'x'), UNKNOWN),
    op(5, 6, put('z', 'x'), { type: 'conflict' }),
    op(7, 8, READ, shown('y')),
  ],
  'a deletion of what an unknown deletion took': [
    op(1, 2, create('x'), DONE),
    op(3, 4, remove(), UNKNOWN),
    op(5, 6, remove(), { type: 'missing' }),
  ],
  'a refusal that says nothing': [op(1, 2, create('x'), { type: 'refused' }), op(3, 4, READ, shown())],
}

test.each(Object.entries(sound))('it explains %s', (_, operations) => {
  expect(isLinearizable(operations)).toBe(true)
})

const broken: Record<string, Operation[]> = {
  'a stale read': [op(1, 2, create('x'), DONE), op(3, 4, put('y', 'x'), DONE), op(5, 6, READ, shown('x'))],
  'a read of what was deleted': [op(1, 2, create('x'), DONE), op(3, 4, remove(), DONE), op(5, 6, READ, shown('x'))],
  'a lost write': [op(1, 2, create('x'), DONE), op(3, 4, READ, shown())],
  'a read that goes back': [
    op(1, 2, create('x'), DONE),
    op(3, 20, put('y', 'x'), DONE),
    op(4, 5, READ, shown('y')),
    op(6, 7, READ, shown('x')),
  ],
  'two creates that were both stored': [op(1, 5, create('x'), DONE), op(2, 4, create('y'), DONE)],
  'two conditional writes of one state': [
    op(1, 2, create('x'), DONE),
    op(3, 6, put('y', 'x'), DONE),
    op(4, 5, put('z', 'x'), DONE),
  ],
  'a write that was refused and is there': [
    op(1, 2, create('x'), DONE),
    op(3, 4, put('y', 'x'), { type: 'refused' }),
    op(5, 6, READ, shown('y')),
  ],
  'an unknown write that is applied twice': [
    op(1, 2, create('x'), DONE),
    op(3, 4, put('y'), UNKNOWN),
    op(5, 6, READ, shown('y')),
    op(7, 8, put('z'), DONE),
    op(9, 10, READ, shown('y')),
  ],
  'an unknown write that comes before it was sent': [op(1, 2, READ, shown('x')), op(3, 4, create('x'), UNKNOWN)],
  'a conflict where nothing had changed': [
    op(1, 2, create('x'), DONE),
    op(3, 4, put('y', 'x'), { type: 'conflict' }),
    op(5, 6, READ, shown('x')),
  ],
  'a create refused for what is not there': [op(1, 2, create('x'), { type: 'exists' })],
  'a deletion refused for what is there': [op(1, 2, create('x'), DONE), op(3, 4, remove(), { type: 'missing' })],
  'one deletion that two were told they made': [
    op(1, 2, create('x'), DONE),
    op(3, 5, remove(), DONE),
    op(4, 6, remove(), DONE),
  ],
}

test.each(Object.entries(broken))('it explains not %s', (_, operations) => {
  expect(isLinearizable(operations)).toBe(false)
})

test('a long history with many unknown writes is decided without trying all of their orders', () => {
  const operations: Operation[] = [op(0, 1, create('t0'), DONE)]
  for (let i = 1; i <= 100; i++) {
    const at = i * 10
    operations.push(op(at, at + 1, put(`u${i}`), UNKNOWN))
    operations.push(op(at + 2, at + 25, put(`t${i}`), DONE))
    operations.push(op(at + 26, at + 27, READ, shown(`t${i + 1}`)))
  }
  const whole = operations.slice(0, -1)
  expect(isLinearizable(whole)).toBe(true)
  expect(isLinearizable([...whole, op(5000, 5001, READ, shown('t1'))])).toBe(false)
})

test('a violation is cut down to what contradicts itself', () => {
  const rest = [op(11, 12, READ, shown('y')), op(13, 14, put('z', 'y'), DONE)]
  const operations = [
    op(1, 2, create('x'), DONE),
    op(2.5, 2.6, READ, shown('x')),
    op(2.7, 2.8, create('w'), { type: 'exists' }),
    op(3, 4, put('y', 'x'), DONE),
    op(5, 6, READ, shown('x')),
    ...rest,
  ]
  expect(shortestViolation(operations).map(({ sentAt }) => sentAt)).toEqual([1, 3, 5])
})
