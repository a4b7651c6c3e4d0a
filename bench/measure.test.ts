import { expect, test } from 'vitest'
import { alone, interleave } from './measure.ts'

const value = (number: number) => number

test('both sides run in turns, and the warm-up does not count', async () => {
  const order: string[] = []
  const side = (name: string) => async () => {
    order.push(name)
    return order.length <= 4 ? 1 : 7
  }
  expect(await interleave(value, side('ours'), side('bare'), 2)).toEqual({ ours: 7, bare: 7 })
  expect(order.slice(0, 4)).toEqual(['ours', 'bare', 'ours', 'bare'])
  expect(order).toHaveLength(4 * 2 * 2)
})

test('a round counts by its median, and the best of three rounds is taken', async () => {
  const slices = [9, 9, 9, 5, 90, 6, 4, 1, 8, 7, 7, 7].values()
  expect(await alone(value, async () => slices.next().value ?? 0, 3)).toBe(4)
})
