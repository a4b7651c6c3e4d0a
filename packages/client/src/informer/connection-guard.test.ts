import { ManualClock } from '@homeostat/base'
import { expect, it } from 'vitest'
import { ConnectionGuard } from './connection-guard.ts'

function guarded(silenceMs: number) {
  const clock = new ManualClock()
  const ends: string[] = []
  const guard = new ConnectionGuard(clock, silenceMs, ({ message }) => ends.push(message))
  return { clock, ends, guard }
}

it('ends a connection after silence, and not while something is heard', () => {
  const { clock, ends, guard } = guarded(100)
  for (let i = 0; i < 10; i++) {
    clock.advance(90)
    guard.heard()
  }
  expect(ends).toEqual([])
  clock.advance(100)
  expect(ends).toEqual(['The server sent nothing for 100 ms.'])
})

it('takes another limit on the way, shorter or longer', () => {
  const { clock, ends, guard } = guarded(100)
  guard.allow(10)
  clock.advance(9)
  guard.allow(200)
  clock.advance(199)
  expect(ends).toEqual([])
  clock.advance(1)
  expect(ends).toHaveLength(1)
})

it('ends a connection that says something now and then, and never ends', () => {
  const { clock, ends, guard } = guarded(100)
  guard.endAfter(500)
  for (let i = 0; i < 10; i++) {
    clock.advance(50)
    guard.heard()
  }
  expect(ends).toEqual(['The watch did not end after 500 ms, as it was asked to.'])
})

it('leaves no timer behind', () => {
  const { clock, guard } = guarded(100)
  guard.endAfter(500)
  guard.close()
  guard.close()
  expect(clock.timers).toBe(0)
})
