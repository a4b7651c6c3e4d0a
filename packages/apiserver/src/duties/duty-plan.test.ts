import { expect, test } from 'vitest'
import { type DutySituation, planDuty } from './duty-plan.ts'

const IDLE: DutySituation = { self: 'a', holder: '', isLeading: false, live: new Set(['a', 'b']), owner: 'a' }

test.each<[string, Partial<DutySituation>, ReturnType<typeof planDuty>]>([
  ['a duty that nobody has is taken by its owner', {}, 'take'],
  ['and by nobody else', { owner: 'b' }, 'wait'],
  ['what another member does stays with it until it hands over', { holder: 'b' }, 'wait'],
  ['also when nobody should do it', { holder: 'b', owner: undefined }, 'wait'],
  ['what a dead member does is taken', { holder: 'c' }, 'take'],
  ['by its owner alone', { holder: 'c', owner: 'b' }, 'wait'],
  ['a Lease of an earlier term is written anew', { holder: 'a' }, 'take'],
  ['or handed over, if another should do it now', { holder: 'a', owner: 'b' }, 'hand-over'],
  ['who leads what it should goes on', { holder: 'a', isLeading: true }, 'wait'],
  ['who leads what another should hands over', { holder: 'a', isLeading: true, owner: 'b' }, 'hand-over'],
  [
    'who drains hands over, whether or not there is another',
    { holder: 'a', isLeading: true, owner: undefined },
    'hand-over',
  ],
])('%s', (_, situation, plan) => {
  expect(planDuty({ ...IDLE, ...situation })).toBe(plan)
})
