// What stories do not show: what the server goes by, what is remembered, and what it costs.

import { describe, expect, it } from 'vitest'
import { ProcessQueue } from './process-queue.ts'
import { ANYTHING, nextTime, puller, queued } from './queued-process.fixture.ts'
import type { QueuedProcess } from './queued-process.ts'

describe('a Process that is not in the queue yet', () => {
  const large = { ...ANYTHING, cpu: 4 }

  it('is for an executor that can run it and for which nothing else is there', () => {
    const queue = new ProcessQueue()
    expect(queue.wouldGet(puller(), ANYTHING, 0)).toBe(true)
    expect(queue.wouldGet(puller({ cpu: 2 }), large, 0)).toBe(false)
    queue.set(queued('older', { demands: large }))
    expect(queue.wouldGet(puller(), ANYTHING, 0)).toBe(false)
    expect(queue.wouldGet(puller({ cpu: 2 }), ANYTHING, 0)).toBe(true)
  })

  it('does not wait for one whose time has not come, or that somebody has', () => {
    const queue = new ProcessQueue()
    queue.set(queued('later', { notBefore: 1000 }))
    expect(queue.wouldGet(puller(), ANYTHING, 999)).toBe(true)
    expect(queue.wouldGet(puller(), ANYTHING, 1000)).toBe(false)
    queue.take(puller(), 1, 1000)
    expect(queue.wouldGet(puller(), ANYTHING, 1000)).toBe(true)
  })

  it('is for nobody while the queue is paused', () => {
    const queue = new ProcessQueue()
    queue.pause('lab', true)
    expect(queue.wouldGet(puller(), ANYTHING, 0)).toBe(false)
  })
})

describe('states', () => {
  it('are replaced by newer ones only', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { revision: 5, order: 5 }))
    queue.set(queued('a', { revision: 4, order: 4 }))
    expect(queue.get('lab', 'a')?.order).toBe(5)
  })

  it('of a Process that is gone do not bring it back', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { revision: 5 }))
    queue.delete('lab', 'a', 6)
    queue.set(queued('a', { revision: 5 }))
    expect(queue.size).toBe(0)
    // Another one of the same name is newer.
    queue.set(queued('a', { revision: 7 }))
    expect(queue.size).toBe(1)
  })

  it('of a Process that is gone are ignored also when an older deletion comes last', () => {
    const queue = new ProcessQueue()
    queue.delete('lab', 'a', 6)
    queue.delete('lab', 'a', 3)
    queue.set(queued('a', { revision: 5 }))
    expect(queue.size).toBe(0)
  })

  it('of those that are gone are remembered for a while only', () => {
    const queue = new ProcessQueue()
    for (let i = 0; i <= 1024; i++) queue.delete('lab', `p${i}`, 6)
    queue.set(queued('p1', { revision: 5 }))
    expect(queue.size).toBe(0)
    queue.set(queued('p0', { revision: 5 }))
    expect(queue.size).toBe(1)
  })

  it('of a Process that has ended do not bring it back', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { revision: 6, phase: 'Ended' }))
    queue.set(queued('a', { revision: 5 }))
    expect(queue.take(puller(), 1, 0)).toEqual([])
  })

  it('are not deleted by a deletion that came before them', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { revision: 5 }))
    queue.delete('lab', 'a', 4)
    expect(queue.get('lab', 'a')?.revision).toBe(5)
    queue.delete('lab', 'a')
    expect(queue.get('lab', 'a')).toBeUndefined()
  })

  it('that were ended are kept only when they are to be deleted, and then without what only assigning needs', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { phase: 'Ended' }))
    queue.set(queued('b', { phase: 'Ended', deleteAt: 100, demands: { ...ANYTHING, funcName: 'x' } }))
    expect(queue.size).toBe(1)
    expect(queue.get('lab', 'b')?.demands.funcName).toBe('')
    expect([...queue.depth()]).toEqual([])
  })
})

describe('reservations', () => {
  it('are not ended by the same state again, but by a newer one', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a'))
    queue.take(puller(), 1, 0)
    queue.set(queued('a'))
    expect(queue.eligible(puller(), 0)).toBe(false)
    queue.set(queued('a', { revision: 2 }))
    expect(queue.eligible(puller(), 0)).toBe(true)
  })

  it('that were given up twice, or never made, change nothing', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a'))
    queue.release('lab', 'a')
    queue.release('lab', 'nobody')
    expect(queue.take(puller(), 5, 0)).toHaveLength(1)
    queue.release('lab', 'a')
    queue.release('lab', 'a')
    expect(queue.take(puller(), 5, 0)).toHaveLength(1)
  })
})

describe('ripe', () => {
  const ml = [{ namespace: 'lab', executorType: 'ml' }]

  it('tells once where there is something new', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a'))
    expect(queue.ripe(0)).toEqual(ml)
    expect(queue.ripe(0)).toEqual([])
  })

  it('tells of what was released, resumed, and freed by the end of another', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { concurrencyKey: 'k' }))
    queue.set(queued('b', { concurrencyKey: 'k', order: 1 }))
    queue.ripe(0)
    queue.take(puller(), 1, 0)
    queue.release('lab', 'a')
    expect(queue.ripe(0)).toEqual(ml)
    queue.pause('lab', true)
    queue.pause('lab', false)
    expect(queue.ripe(0)).toEqual(ml)
    queue.set(queued('a', { revision: 2, phase: 'Running', concurrencyKey: 'k', executor: 'e1' }))
    expect(queue.ripe(0)).toEqual([])
    queue.set(queued('a', { revision: 3, phase: 'Ended', concurrencyKey: 'k' }))
    expect(queue.ripe(0)).toEqual(ml)
  })

  it('is asked for at once when there is something new to take', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { concurrencyKey: 'k' }))
    queue.set(queued('b', { concurrencyKey: 'k', order: 1 }))
    queue.set(queued('c'))
    expect(nextTime(queue)).toBe(0)
    queue.ripe(0)
    expect(nextTime(queue)).toBeUndefined()
    queue.take(puller(), 5, 0)
    queue.release('lab', 'c')
    expect(nextTime(queue)).toBe(0)
    queue.ripe(0)
    queue.set(queued('a', { revision: 2, phase: 'Ended' }))
    expect(nextTime(queue)).toBe(0)
    queue.ripe(0)
    expect(nextTime(queue)).toBeUndefined()
    queue.take(puller(), 5, 0)
    queue.set(queued('d', { concurrencyKey: 'k' }))
    queue.delete('lab', 'b')
    expect(nextTime(queue)).toBe(0)
  })

  it('is asked for at once when a question has found something that time made ripe', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { notBefore: 1000 }))
    queue.set(queued('b', { notBefore: 1000 }))
    expect(nextTime(queue)).toBe(1000)
    expect(queue.take(puller(), 1, 1000)).toHaveLength(1)
    expect(nextTime(queue)).toBe(0)
    expect(queue.ripe(1000)).toEqual(ml)
    expect(nextTime(queue)).toBeUndefined()
  })
})

describe('due', () => {
  it('says nothing of what went after its time had come', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { waitDeadline: 1000 }))
    expect(queue.take(puller(), 1, 1000)).toEqual([])
    queue.delete('lab', 'a', 2)
    expect(queue.due(1000, 10)).toEqual([])
  })

  it('is said anew of a newer state', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { waitDeadline: 1000 }))
    expect(queue.due(1000, 10)).toHaveLength(1)
    expect(queue.due(1000, 10)).toHaveLength(0)
    queue.set(queued('a', { revision: 2, waitDeadline: 1000 }))
    expect(queue.due(1000, 10)).toHaveLength(1)
  })

  it('frees the next of the key, which is to be reported at once', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { concurrencyKey: 'k', waitDeadline: 1000 }))
    queue.set(queued('b', { concurrencyKey: 'k', order: 1 }))
    queue.ripe(0)
    expect(queue.due(1000, 10)).toHaveLength(1)
    expect(nextTime(queue)).toBe(0)
    expect(queue.ripe(1000)).toHaveLength(1)
    expect(nextTime(queue)).toBe(2000)
  })

  it('hands out no more than asked for, and the rest at once', () => {
    const queue = new ProcessQueue()
    for (const name of ['a', 'b', 'c']) queue.set(queued(name, { waitDeadline: 1000 }))
    expect(queue.due(1000, 2)).toHaveLength(2)
    expect(nextTime(queue)).toBe(0)
    expect(queue.due(1000, 2)).toHaveLength(1)
  })
})

describe('depth', () => {
  it('counts what waits and runs, and finds the oldest that waits, whatever its turn', () => {
    const queue = new ProcessQueue()
    queue.set(queued('a', { order: 5, submittedAt: 10 }))
    queue.set(queued('b', { order: 1, submittedAt: 20, notBefore: 1e9 }))
    queue.set(queued('c', { phase: 'Running', executor: 'e1', submittedAt: 1 }))
    queue.set(queued('d', { namespace: 'field', phase: 'Running', executor: 'e1' }))
    expect([...queue.depth()]).toEqual([
      { namespace: 'lab', executorType: 'ml', waiting: 2, running: 1, oldestSubmittedAt: 10 },
      { namespace: 'field', executorType: 'ml', waiting: 0, running: 1, oldestSubmittedAt: undefined },
    ])
  })
})

describe('what it costs', () => {
  it('to take one of 20,000 is to look at a few', () => {
    let looks = 0
    const counted = (process: QueuedProcess): QueuedProcess => ({
      ...process,
      get order() {
        looks += 1
        return process.order
      },
    })
    const queue = new ProcessQueue()
    for (let i = 0; i < 20_000; i++) {
      const demands = { ...ANYTHING, funcName: `f${i % 10}` }
      queue.set(counted(queued(`p${i}`, { order: (i * 7919) % 20_011, demands })))
    }
    looks = 0
    const taken = Array.from({ length: 1000 }, () => queue.take(puller(), 1, 0).length)
    expect(new Set(taken)).toEqual(new Set([1]))
    const heads = 10
    const depth = 11
    // A comparison looks at two orders, at most twice.
    expect(looks / 1000).toBeLessThan(4 * (heads + 2 * depth))
  })

  it('is nothing for what is gone, also after many changes', () => {
    const queue = new ProcessQueue()
    let revision = 0
    for (let i = 0; i < 3000; i++) {
      revision += 2
      const name = `p${i % 100}`
      const demands = { ...ANYTHING, funcName: `f${i}`, executorType: `t${i % 13}` }
      const notBefore = i % 4 === 0 ? i : undefined
      const facts = { revision, order: i, concurrencyKey: `k${i % 7}`, waitDeadline: 1e9 + i, notBefore, demands }
      queue.set(queued(name, facts))
      if (i % 2 === 0) queue.take(puller({ type: `t${i % 13}` }), 1, i)
      if (i % 3 === 0) queue.delete('lab', name, revision + 1)
      if (i % 3 === 1) queue.set(queued(name, { revision: revision + 1, phase: 'Ended' }))
    }
    expect(queue.size).toBeGreaterThan(0)
    for (let i = 0; i < 100; i++) queue.delete('lab', `p${i}`, revision + 2)
    expect(queue.size).toBe(0)
    expect([...queue.depth()]).toEqual([])
    expect(nextTime(queue)).toBeUndefined()
    expect(queue.ripe(1e10)).toEqual([])
    expect(queue.due(1e10, 100)).toEqual([])
    for (let i = 0; i < 7; i++) expect(queue.ofKey('lab', `k${i}`)).toEqual({ waiting: [], running: undefined })
  })
})
