import { type Log, ManualClock, silentLog } from '@homeostat/base'
import { conflict } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { ControlLoop } from './control-loop.ts'

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
    loop.queue.add('a')
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
    loop.queue.add('a')
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
      throw conflict({ group: '', resource: 'things' }, 'a', 'somebody was faster')
    }, ending.signal)
    loop.queue.add('a')
    await done.promise
    ending.abort()
    await run
    expect(log.messages).toEqual([])
  })
})
