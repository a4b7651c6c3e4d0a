import { expect, it } from 'vitest'
import { findCondition, setCondition } from './conditions.ts'

const ready = { type: 'Ready', status: 'True', reason: 'Ok', message: '' } as const
const first = setCondition(undefined, ready, 0)

it('adds a condition with the time', () => {
  expect(first).toEqual([{ ...ready, lastTransitionTime: '1970-01-01T00:00:00Z' }])
})

it('gives the same array back when nothing changed', () => {
  expect(setCondition(first, ready, 5000)).toBe(first)
})

it('keeps the transition time while the status stays', () => {
  const [next] = setCondition(first, { ...ready, reason: 'Better', observedGeneration: 2 }, 5000)
  expect(next).toEqual({
    ...ready,
    reason: 'Better',
    observedGeneration: 2,
    lastTransitionTime: '1970-01-01T00:00:00Z',
  })
})

it('moves the transition time with the status, and leaves other conditions and the given array alone', () => {
  const two = setCondition(first, { ...ready, type: 'Synced' }, 0)
  const next = setCondition(two, { ...ready, status: 'False' }, 5000)
  expect(next.map((condition) => condition.lastTransitionTime)).toEqual([
    '1970-01-01T00:00:05Z',
    '1970-01-01T00:00:00Z',
  ])
  expect(findCondition(two, 'Ready')?.status).toBe('True')
  expect(findCondition(next, 'Ready')?.status).toBe('False')
  expect(findCondition(next, 'Gone')).toBeUndefined()
})
