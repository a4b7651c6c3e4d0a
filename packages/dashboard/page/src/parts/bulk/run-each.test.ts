import { expect, test } from 'vitest'
import { type Progress, runEach } from './run-each.ts'

test('every item is done once, a few at a time, and each failure has its name', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  const told: Progress[] = []
  const act = async (item: number) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    done.push(item)
    if (item === 3) throw new Error('no')
  }
  const items = Array.from({ length: 20 }, (_, index) => index)
  const end = await runEach(items, String, act, (progress) => told.push(progress), new AbortController().signal)
  expect(done.sort((a, b) => a - b)).toEqual(items)
  expect(most).toBe(4)
  expect(end).toEqual({ done: 20, total: 20, failures: [{ name: '3', message: 'no' }] })
  expect(told.map((progress) => progress.done)).toEqual(items.map((index) => index + 1))
})

test('who closes the window stops what has not begun', async () => {
  const ending = new AbortController()
  const begun: number[] = []
  const act = async (item: number) => {
    begun.push(item)
    ending.abort()
  }
  await runEach([1, 2, 3, 4, 5, 6, 7, 8], String, act, () => {}, ending.signal)
  expect(begun.length).toBeLessThanOrEqual(4)
})
