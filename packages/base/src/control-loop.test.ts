import { describe, expect, it } from 'vitest'
import { until } from '../test/eventually.ts'
import { ControlLoop } from './control-loop.ts'
import { type Log, silentLog } from './log.ts'
import { ManualClock } from './manual-clock.ts'

function logOf(): Log & { messages: object[] } {
  const messages: object[] = []
  return { ...silentLog, messages, error: (fields) => messages.push(fields) }
}

describe('the control loop', () => {
  it('ends with its signal, after the work in hand', async () => {
    const loop = new ControlLoop({ name: 'test', log: logOf() })
    const ending = new AbortController()
    const release = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    let finished = false
    const run = loop.run(async () => {
      started.resolve()
      await release.promise
      finished = true
    }, ending.signal)
    loop.add('a')
    await started.promise
    ending.abort()
    release.resolve()
    await run
    expect(finished).toBe(true)
  })

  it('tries a key again after a failure, and tells of it', async () => {
    const clock = new ManualClock()
    const log = logOf()
    const loop = new ControlLoop({ name: 'test', log, clock })
    const ending = new AbortController()
    let tries = 0
    const failedOnce = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const run = loop.run(async () => {
      tries++
      if (tries > 1) return done.resolve()
      queueMicrotask(() => queueMicrotask(() => failedOnce.resolve()))
      throw new Error('not today')
    }, ending.signal)
    loop.add('a')
    await failedOnce.promise
    clock.advance(60_000)
    await done.promise
    ending.abort()
    await run
    expect(log.messages).toMatchObject([{ controller: 'test', key: 'a' }])
  })

  it('takes a conflict for what it is', async () => {
    const log = logOf()
    const loop = new ControlLoop({ name: 'test', log })
    const ending = new AbortController()
    let tries = 0
    const done = Promise.withResolvers<void>()
    const run = loop.run(async () => {
      if (++tries === 3) return done.resolve()
      throw Object.assign(new Error('somebody was faster'), { reason: 'Conflict' })
    }, ending.signal)
    loop.add('a')
    await done.promise
    ending.abort()
    await run
    expect(log.messages).toEqual([])
  })

  it('comes to a key at its last time, and not to one that is gone', async () => {
    const clock = new ManualClock(1000)
    const loop = new ControlLoop({ name: 'test', log: silentLog, clock })
    const ending = new AbortController()
    const seen: [string, number][] = []
    const run = loop.run(async (key) => void seen.push([key, clock.now()]), ending.signal)
    loop.addAt('a', 2000)
    loop.addAt('a', 3000)
    loop.addAt('gone', 2500)
    loop.forget('gone')
    clock.advance(5000)
    loop.add('last')
    await until(() => expect(seen).toHaveLength(2))
    ending.abort()
    await run
    expect(seen).toEqual([
      ['a', 6000],
      ['last', 6000],
    ])
  })

  it('lets others have their turn between keys that need nothing', async () => {
    const loop = new ControlLoop({ name: 'test', log: silentLog, workers: 1 })
    const ending = new AbortController()
    let turns = 0
    let worked = 0
    const turn = () => {
      turns++
      if (!ending.signal.aborted) setImmediate(turn)
    }
    setImmediate(turn)
    const run = loop.run(async () => {
      const began = performance.now()
      while (performance.now() - began < 1);
      if (++worked === 50) ending.abort()
    }, ending.signal)
    for (let key = 0; key < 50; key++) loop.add(String(key))
    await run
    expect(turns).toBeGreaterThan(3)
  })
})
