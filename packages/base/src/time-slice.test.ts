import { expect, it } from 'vitest'
import { TimeSlice } from './time-slice.ts'

it('lets work go on without a promise while it lasts', () => {
  const slice = new TimeSlice(Number.POSITIVE_INFINITY)
  expect(slice.isOver).toBe(false)
  expect(slice.next()).toBeUndefined()
})

it('yields to the event loop when it is over', async () => {
  const slice = new TimeSlice(0)
  const told: string[] = []
  setImmediate(() => told.push('other'))
  await slice.next()
  expect(told).toEqual(['other'])
})

it('is begun anew once for all workers that share it', async () => {
  const slice = new TimeSlice(0)
  const next = slice.next()
  expect(next).toBeInstanceOf(Promise)
  expect(slice.next()).toBe(next)
  await next
  expect(slice.next()).not.toBe(next)
})
