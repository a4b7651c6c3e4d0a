import { expect, it } from 'vitest'
import { Waiters } from './waiters.ts'

it('resolves all who wait at a change, and those whose signal aborts', async () => {
  const waiters = new Waiters()
  const abort = new AbortController()
  let resolved = 0
  const waiting = [waiters.wait(), waiters.wait(abort.signal), waiters.wait(AbortSignal.abort())]
  for (const one of waiting) void one.then(() => resolved++)
  await waiting[2]
  expect(resolved).toBe(1)
  abort.abort()
  await waiting[1]
  expect(resolved).toBe(2)
  waiters.notify()
  await waiting[0]
  expect(resolved).toBe(3)
})
