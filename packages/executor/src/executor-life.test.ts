import { ManualClock, silentLog } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import { conflict, StatusError } from '@homeostat/meta'
import { expect, test, vi } from 'vitest'
import { FakeColony } from './fake-colony.fixture.ts'
import type { ExecutorOptions } from './options.ts'
import { gate, start } from './running-executor.fixture.ts'

test('close lets what runs end, sends how it did, takes the Executor away, and leaves no timer', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun, release } = gate()
  const running = start(colony, { functions: { work }, clock, concurrency: 2 })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  const closing = running.close()
  expect(running.close()).toBe(closing)
  colony.submit('b')
  release('end')
  await closing
  await running.done
  expect(colony.closed).toMatchObject([{ process: 'a', result: 'Succeeded', output: 'end' }])
  expect(colony.calls.at(-1)?.what).toBe('remove')
  expect(colony.executors.size).toBe(0)
  expect(begun).toEqual(['a'])
  expect(clock.timers).toBe(0)
})

test('what takes longer than the drain is aborted and failed, to be tried elsewhere', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun, reasons } = gate()
  const running = start(colony, { functions: { work }, clock, drain: '30s' })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  const closing = running.close()
  await until(() => expect(clock.timers).toBeGreaterThan(0))
  clock.advance(29_999)
  expect(reasons).toEqual([])
  clock.advance(1)
  await closing
  expect(reasons).toEqual(['the executor ends'])
  expect(colony.closed).toMatchObject([{ result: 'Failed', retryable: true, errors: ['the executor ends'] }])
  expect(clock.timers).toBe(0)
})

test('a function that does not listen is left behind', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const begun = vi.fn()
  const work = () => {
    begun()
    return new Promise(() => {})
  }
  const running = start(colony, { functions: { work }, clock, drain: '0s' })
  colony.submit('a')
  await until(() => expect(begun).toHaveBeenCalled())
  let isClosed = false
  const closing = running.close().then(() => {
    isClosed = true
  })
  await until(() => {
    clock.advance(1000)
    expect(isClosed).toBe(true)
  })
  await closing
  expect(colony.closed).toEqual([])
  expect(colony.executors.size).toBe(0)
  expect(clock.timers).toBe(0)
})

test('a signal closes it, also before it is ready', async () => {
  const colony = new FakeColony()
  const abort = new AbortController()
  const running = start(colony, { signal: abort.signal })
  await running.ready
  abort.abort()
  await running.done
  expect(colony.executors.size).toBe(0)
  const late = start(colony, { signal: AbortSignal.abort() })
  await expect(late.ready).rejects.toThrow('the executor was closed before it was ready')
  await late.done
})

test('an Executor that the server cannot accept ends it', async () => {
  const colony = new FakeColony()
  const invalid = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'Invalid',
    code: 422,
  } as const
  colony.refuse = ({ what }) => (what === 'register' ? new StatusError({ ...invalid, message: 'no' }) : undefined)
  const running = start(colony)
  await expect(running.ready).rejects.toThrow('no')
  await expect(running.done).rejects.toThrow('no')
})

test('until the server is there it is tried again', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  colony.isDown = true
  const warned = vi.fn()
  const running = start(colony, { clock, log: { ...silentLog, warn: warned } })
  await until(() => expect(warned).toHaveBeenCalledOnce())
  colony.isDown = false
  clock.advance(1000)
  await running.ready
})

test.each<[string, Partial<ExecutorOptions>, string]>([
  ['a name with capitals', { name: 'One' }, '"One" cannot be the name of an executor: '],
  ['a colony with a dot', { colony: 'a.b' }, '"a.b" cannot be the colony: '],
  ['no type', { type: '' }, 'an executor needs a type'],
  ['half a process at a time', { concurrency: 0.5 }, 'must be a whole number from 1 on, not 0.5'],
  ['a drain before now', { drain: '-1s' }, '"-1s" is not a duration'],
])('%s is refused', (_, options, message) => {
  expect(() => start(new FakeColony(), options)).toThrow(message)
})

test('the name follows from the type', () => {
  const running = start(new FakeColony(), { type: 'ML_trainer 2' })
  expect(running.name).toMatch(/^ml-trainer-2-[a-z0-9]{5}$/)
})

test('after a pause of its own it asks at once what is still its own, and ends what is not', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun, reasons } = gate()
  start(colony, { functions: { work }, clock })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  // The machine slept: others have it by now. The timer of the next heartbeat slept as well.
  colony.lost = [{ process: 'a', attempt: 1 }]
  clock.sleepFor(60_000)
  clock.advance(1000)
  await until(() => expect(reasons).toEqual(['the process was given to others']))
})

test('one without room hears of a cancel by a call that waits for that alone', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun, reasons } = gate()
  start(colony, { functions: { work }, clock, concurrency: 1 })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  expect(colony.of('assign').filter(({ max }) => max === 0)).toEqual([])
  clock.advance(250)
  await until(() => expect(colony.of('assign').at(-1)).toMatchObject({ max: 0 }))
  colony.cancel('a')
  await until(() => expect(reasons).toEqual(['the process was cancelled']))
  expect(colony.of('heartbeat')).toEqual([])
})

test('one whose name another took ends what it runs, says so, and leaves the Executor alone', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun, reasons } = gate()
  const running = start(colony, { functions: { work }, clock, name: 'one' })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  const causes = [{ reason: 'ExecutorReplaced', field: 'instance', message: 'another' }]
  colony.refuse = ({ what }) =>
    what === 'heartbeat' || what === 'assign'
      ? conflict({ group: 'colonies.io', resource: 'executors' }, 'one', 'another', causes)
      : undefined
  clock.advance(10_000)
  await expect(running.done).rejects.toMatchObject({
    reason: 'Replaced',
    message: 'another executor was started as one in lab: give each a name of its own',
  })
  await running.close()
  expect(reasons).toEqual(['another executor was started as one in lab: give each a name of its own'])
  expect(colony.of('remove')).toEqual([])
  expect(colony.closed).toEqual([])
})

test('one whose namespace was deleted ends instead of bringing it back', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun, reasons } = gate()
  const running = start(colony, { functions: { work }, clock })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  colony.isDeleted = true
  colony.executors.clear()
  clock.advance(10_000)
  await expect(running.done).rejects.toMatchObject({ reason: 'ColonyDeleted' })
  await running.close()
  expect(reasons).toEqual(['the namespace lab was deleted, and its executors end'])
  expect(colony.of('register')).toHaveLength(1)
})

test('one whose Executor alone was deleted registers again', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const running = start(colony, { clock })
  await running.ready
  await until(() => expect(colony.of('assign')).toHaveLength(1))
  colony.executors.clear()
  clock.advance(10_000)
  await until(() => expect(colony.of('register')).toHaveLength(2))
})

test('one without room warns once when the server is gone, though it polls for nothing', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const warn = vi.fn()
  const { work, begun, release } = gate()
  start(colony, { functions: { work }, clock, log: { ...silentLog, warn } })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  colony.goDown()
  await until(() => {
    clock.advance(1000)
    expect(warn.mock.calls.map(([, message]) => message)).toEqual([
      'a call (heartbeat) did not succeed; it is tried again',
    ])
  })
  colony.isDown = false
  release('end')
})
