import { expect, it } from 'vitest'
import { inTurns } from './turns.ts'

it('others have a turn between two steps, and the result is that of the last one', async () => {
  const told: string[] = []
  function* steps(): Generator<undefined, string, undefined> {
    told.push('first')
    yield
    told.push('second')
    yield
    return 'done'
  }
  setImmediate(() => told.push('other'))
  expect(await inTurns(steps())).toBe('done')
  expect(told).toEqual(['first', 'other', 'second'])
})

it('what a step throws is thrown', async () => {
  // biome-ignore lint/correctness/useYield: it ends before its first step does
  function* steps(): Generator<undefined, never, undefined> {
    throw new Error('no')
  }
  await expect(inTurns(steps())).rejects.toThrow('no')
})
