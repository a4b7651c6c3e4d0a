import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ManualClock } from './manual-clock.ts'
import { WorkQueue } from './work-queue.ts'

describe('WorkQueue', () => {
  it('hands keys out in the order they were added', async () => {
    const queue = new WorkQueue<string>()
    for (const key of ['a', 'b', 'c']) queue.add(key)
    expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(['a', 'b', 'c'])
  })

  it('holds a queued key once', async () => {
    const queue = new WorkQueue<string>()
    queue.add('a')
    queue.add('a')
    expect(queue.size).toBe(1)
    await queue.take()
    expect(queue.size).toBe(0)
  })

  it('gives a key that was added while busy again, but only after its work is done', async () => {
    const queue = new WorkQueue<string>()
    queue.add('a')
    await queue.take()
    queue.add('a')
    queue.add('a')
    expect(queue.size).toBe(0)
    queue.done('a')
    expect(queue.size).toBe(1)
    expect(await queue.take()).toBe('a')
    queue.done('a')
    expect(queue.size).toBe(0)
  })

  it('wakes one waiting worker per key, the longest waiting first', async () => {
    const queue = new WorkQueue<string>()
    const first = queue.take()
    const second = queue.take()
    queue.add('a')
    queue.add('b')
    expect([await first, await second]).toEqual(['a', 'b'])
    expect(queue.size).toBe(0)
  })

  it('does not give a key to a second worker that waits while the key is busy', async () => {
    const queue = new WorkQueue<string>()
    queue.add('a')
    await queue.take()
    const waiting = queue.take()
    queue.add('a')
    queue.add('b')
    expect(await waiting).toBe('b')
  })

  it('answers undefined when the signal ends the wait, and loses no key by it', async () => {
    const queue = new WorkQueue<string>()
    const abort = new AbortController()
    const waiting = queue.take(abort.signal)
    abort.abort()
    expect(await waiting).toBeUndefined()
    expect(await queue.take(abort.signal)).toBeUndefined()
    queue.add('a')
    expect(queue.size).toBe(1)
    expect(await queue.take()).toBe('a')
  })

  it('leaves nothing on a signal that outlives many takes', async () => {
    const queue = new WorkQueue<string>()
    const { signal } = new AbortController()
    const waiting = queue.take(signal)
    queue.add('a')
    await waiting
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('ignores done for a key that is not in work', () => {
    const queue = new WorkQueue<string>()
    queue.add('a')
    queue.done('a')
    expect(queue.size).toBe(1)
  })
})

describe('WorkQueue with delays', () => {
  it('adds a key after its time', () => {
    const clock = new ManualClock()
    const queue = new WorkQueue<string>(clock)
    queue.addAfter('a', 1000)
    clock.advance(999)
    expect(queue.size).toBe(0)
    clock.advance(1)
    expect(queue.size).toBe(1)
  })

  it('adds at once when the delay is not positive', () => {
    const queue = new WorkQueue<string>(new ManualClock())
    queue.addAfter('a', 0)
    queue.addAfter('b', -5)
    queue.addAfter('c', Number.NaN)
    expect(queue.size).toBe(3)
  })

  it('keeps the earliest of several delays and one timer per key', () => {
    const clock = new ManualClock()
    const queue = new WorkQueue<string>(clock)
    queue.addAfter('a', 1000)
    queue.addAfter('a', 100)
    queue.addAfter('a', 5000)
    expect(clock.timers).toBe(1)
    clock.advance(100)
    expect(queue.size).toBe(1)
    expect(clock.timers).toBe(0)
    queue.addAfter('a', 9000)
    expect(clock.timers).toBe(1)
  })

  it('brings a delayed key that is busy when its time comes back after the work', async () => {
    const clock = new ManualClock()
    const queue = new WorkQueue<string>(clock)
    queue.add('a')
    await queue.take()
    queue.addAfter('a', 10)
    clock.advance(10)
    expect(queue.size).toBe(0)
    queue.done('a')
    expect(queue.size).toBe(1)
  })
})

describe('WorkQueue with priorities', () => {
  it('hands fresh keys out before low ones, each in their order', async () => {
    const queue = new WorkQueue<string>()
    queue.add('resync a', 'low')
    queue.add('resync b', 'low')
    queue.add('changed a')
    queue.add('changed b', 'fresh')
    const taken = [await queue.take(), await queue.take(), await queue.take(), await queue.take()]
    expect(taken).toEqual(['changed a', 'changed b', 'resync a', 'resync b'])
  })

  it('moves a key up that comes fresh while it waits as low, and never down', async () => {
    const queue = new WorkQueue<string>()
    for (const key of ['a', 'b', 'c']) queue.add(key, 'low')
    queue.add('c')
    queue.add('c', 'low')
    expect(queue.size).toBe(3)
    expect([await queue.take(), await queue.take()]).toEqual(['c', 'a'])
  })

  it('keeps the higher priority of what was added while busy', async () => {
    const queue = new WorkQueue<string>()
    queue.add('a')
    await queue.take()
    queue.add('b', 'low')
    queue.add('a', 'low')
    queue.add('a')
    queue.add('a', 'low')
    queue.done('a')
    expect([await queue.take(), await queue.take()]).toEqual(['a', 'b'])
  })

  it('keeps the priority of a delayed key, and forgets a delay that is cancelled', async () => {
    const clock = new ManualClock()
    const queue = new WorkQueue<string>(clock)
    queue.addAfter('resync', 10, 'low')
    queue.addAfter('retry', 20)
    queue.addAfter('gone', 10)
    queue.cancelDelay('gone')
    queue.cancelDelay('gone')
    expect(queue.delayed).toBe(2)
    expect([queue.isDelayed('retry'), queue.isDelayed('gone')]).toEqual([true, false])
    clock.advance(20)
    expect(queue.isDelayed('retry')).toBe(false)
    expect([await queue.take(), await queue.take(), queue.size]).toEqual(['retry', 'resync', 0])
    expect(clock.timers).toBe(0)
  })

  it('tells how long the oldest key waits, also of one that moved up', async () => {
    const clock = new ManualClock()
    const queue = new WorkQueue<string>(clock)
    expect(queue.oldestAge).toBe(0)
    queue.add('a', 'low')
    clock.advance(30)
    queue.add('b')
    queue.add('a')
    clock.advance(5)
    expect(queue.oldestAge).toBe(35)
    await queue.take()
    expect(queue.oldestAge).toBe(35)
    await queue.take()
    expect([queue.oldestAge, queue.busy]).toEqual([0, 2])
  })
})

describe('WorkQueue.close', () => {
  it('lets workers drain what is queued and then tells them to end', async () => {
    const queue = new WorkQueue<string>()
    queue.add('a')
    queue.close()
    queue.add('b')
    expect(await queue.take()).toBe('a')
    expect(await queue.take()).toBeUndefined()
  })

  it('hands out a key that was added while busy before it tells a waiting worker to end', async () => {
    const queue = new WorkQueue<string>()
    queue.add('a')
    await queue.take()
    queue.add('a')
    queue.close()
    const waiting = queue.take()
    queue.done('a')
    expect(await waiting).toBe('a')
    const end = queue.take()
    queue.done('a')
    expect(await end).toBeUndefined()
  })

  it('wakes everyone who waits', async () => {
    const queue = new WorkQueue<string>()
    const waiting = [queue.take(), queue.take()]
    queue.close()
    expect(await Promise.all(waiting)).toEqual([undefined, undefined])
  })

  it('drops delayed keys with their timers, and may be called again', () => {
    const clock = new ManualClock()
    const queue = new WorkQueue<string>(clock)
    queue.addAfter('a', 10)
    queue.close()
    queue.close()
    queue.addAfter('b', 10)
    expect(clock.timers).toBe(0)
    clock.advance(100)
    expect(queue.size).toBe(0)
  })
})

describe('WorkQueue under any order of calls', () => {
  const step = fc.record({ act: fc.constantFrom('add', 'take', 'done'), key: fc.integer({ min: 0, max: 3 }) })

  it('never has a key in work twice and always works on a key after it was last added', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const queue = new WorkQueue<number>()
        const busy = new Set<number>()
        const owed = new Set<number>()
        const take = async () => {
          const key = await queue.take()
          if (key === undefined) return false
          expect(busy.has(key)).toBe(false)
          busy.add(key)
          owed.delete(key)
          return true
        }
        const done = (key: number) => {
          if (busy.delete(key)) queue.done(key)
        }
        for (const { act, key } of steps) {
          if (act === 'add') {
            queue.add(key)
            owed.add(key)
          } else if (act === 'take') {
            if (queue.size > 0) await take()
          } else done(key)
        }
        queue.close()
        for (const key of [...busy]) done(key)
        while (await take()) for (const key of [...busy]) done(key)
        expect([...owed]).toEqual([])
      }),
    )
  })
})
