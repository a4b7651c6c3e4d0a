import { expect, it, vi } from 'vitest'
import { runToEnd, yieldBetween, yieldToLoop } from './yield-to-loop.ts'

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
  expect(await yieldBetween(steps())).toBe('done')
  expect(told).toEqual(['first', 'other', 'second'])
})

it('short work runs to its end in one go', () => {
  function* steps(): Generator<undefined, string, undefined> {
    yield
    return 'done'
  }
  expect(runToEnd(steps())).toBe('done')
})

it('what a step throws is thrown', async () => {
  // biome-ignore lint/correctness/useYield: it ends before its first step does
  function* steps(): Generator<undefined, never, undefined> {
    throw new Error('no')
  }
  await expect(yieldBetween(steps())).rejects.toThrow('no')
})

it('of all large work together one step is done in a turn', async () => {
  const turns: number[] = []
  let turn = 0
  const count = () => {
    turn++
    if (turns.length < 60) setImmediate(count)
  }
  setImmediate(count)
  const large = async () => {
    for (let step = 0; step < 3; step++) {
      await yieldToLoop()
      turns.push(turn)
    }
  }
  await Promise.all(Array.from({ length: 20 }, large))
  expect(turns).toHaveLength(60)
  expect(new Set(turns).size).toBe(60)
})

it('without setImmediate, as in browsers, a timer gives others their turn', async () => {
  vi.stubGlobal('setImmediate', undefined)
  try {
    const told: string[] = []
    setTimeout(() => told.push('other'))
    await yieldToLoop()
    expect(told).toEqual(['other'])
  } finally {
    vi.unstubAllGlobals()
  }
})
