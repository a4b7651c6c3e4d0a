import { describe, expect, it } from 'vitest'
import { BatchRequests } from './batch-requests.ts'

/** The requests that continue in each turn of the event loop. */
async function turns(sizes: readonly number[]): Promise<number[][]> {
  const batch = new BatchRequests()
  const seen: number[][] = []
  let left = sizes.length
  let turn: number[] = []
  for (const [index, size] of sizes.entries()) {
    batch.add(size, () => {
      turn.push(index)
      left--
    })
  }
  while (left > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    if (turn.length > 0) seen.push(turn)
    turn = []
  }
  return seen
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describe('requests that arrived in one turn', () => {
  it('go on in the next, in their order', async () => {
    expect(await turns([10, 10, 10])).toEqual([[0, 1, 2]])
  })

  it('are spread over turns when there are many', async () => {
    expect(await turns(numbers(0, 300).map(() => 1))).toEqual([numbers(0, 128), numbers(128, 256), numbers(256, 300)])
  })

  it('are spread over turns when they are large, each at least one', async () => {
    const large = 200 << 10
    expect(await turns([large, large, 3 << 20, 1, 1])).toEqual([[0], [1], [2], [3, 4]])
  })

  it('do not keep those that come meanwhile from a turn of their own', async () => {
    const order: string[] = []
    const batch = new BatchRequests()
    await new Promise<void>((resolve) => {
      batch.add(1, () => {
        order.push('first')
        batch.add(1, () => {
          order.push('second')
          resolve()
        })
        queueMicrotask(() => order.push('what the first left'))
      })
    })
    expect(order).toEqual(['first', 'what the first left', 'second'])
  })
})
