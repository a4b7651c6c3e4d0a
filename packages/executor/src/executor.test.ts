import { ManualClock, silentLog } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import { expect, test } from 'vitest'
import { FakeColony, refusedEnds } from './fake-colony.fixture.ts'
import { PermanentError } from './process-context.ts'
import { gate, start } from './running-executor.fixture.ts'

test('it registers, runs what it is given, and one call closes the last and takes the next', async () => {
  const colony = new FakeColony()
  colony.submit('a', { args: [1, 2], kwargs: { x: true }, env: { HOME: '/' } })
  colony.submit('b')
  const seen: unknown[] = []
  const closed: string[] = []
  const running = start(colony, {
    functions: {
      work: ({ args, kwargs, env, attempt, process }) => {
        seen.push({ args, kwargs, env, attempt, name: process.metadata.name })
        return { ok: true }
      },
    },
    name: 'one',
    location: 'cellar',
    capabilities: { gpu: 'a100' },
    onAssigned: ({ metadata }) => seen.push(metadata.name),
    onClosed: ({ metadata }, { result }) => closed.push(`${metadata.name} ${result}`),
  })
  await running.ready
  expect(running).toMatchObject({ name: 'one', colony: 'lab' })
  expect(colony.executors.get('one')).toEqual({
    type: 'python',
    functions: ['work'],
    location: 'cellar',
    capabilities: { gpu: 'a100' },
    ttlSecondsAfterLost: 600,
  })
  await until(() => expect(closed).toEqual(['a Succeeded', 'b Succeeded']))
  expect(seen.slice(0, 2)).toEqual([
    'a',
    { args: [1, 2], kwargs: { x: true }, env: { HOME: '/' }, attempt: 1, name: 'a' },
  ])
  expect(colony.of('assign')).toMatchObject([
    { max: 1 },
    { max: 1, finished: [{ process: 'a', attempt: 1, result: 'Succeeded', output: { ok: true } }] },
    { max: 1, finished: [{ process: 'b' }] },
    { max: 1 },
  ])
})

test('status, children and another attempt are sent with the close; errors say whether to try again', async () => {
  const colony = new FakeColony()
  const children = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }]
  start(colony, {
    functions: {
      resource(context) {
        context.status({ phase: 'Up' })
        context.children(children)
        context.requeueAfter('30s')
      },
      broken: () => Promise.reject(new Error('try again')),
      wrong: () => {
        throw new PermanentError('never again')
      },
    },
  })
  for (const funcName of ['resource', 'broken', 'wrong', 'absent']) colony.submit(funcName, { funcName })
  await until(() => expect(colony.closed).toHaveLength(4))
  expect(colony.closed).toMatchObject([
    { process: 'resource', result: 'Succeeded', status: { phase: 'Up' }, children, requeueAfter: 30 },
    { process: 'broken', result: 'Failed', retryable: true, errors: ['try again'] },
    { process: 'wrong', result: 'Failed', retryable: false, errors: ['never again'] },
    {
      process: 'absent',
      retryable: false,
      errors: ['this executor has no function "absent"; it has resource, broken, wrong'],
    },
  ])
})

test('several run at the same time; what ends while a poll waits is said at once', async () => {
  const colony = new FakeColony()
  const { work, begun, release } = gate()
  const running = start(colony, { functions: { work, quick: () => 1 }, concurrency: 3 })
  colony.submit('a')
  colony.submit('b')
  await until(() => expect(begun).toEqual(['a', 'b']))
  expect(running.held).toBe(2)
  colony.submit('c', { funcName: 'quick' })
  await until(() => expect(colony.closed.map(({ process }) => process)).toEqual(['c']))
  await until(() => expect(colony.of('assign').at(-1)).toMatchObject({ max: 1 }))
  const before = colony.of('assign').length
  release('end')
  await until(() => expect(colony.closed).toHaveLength(3))
  expect(
    colony
      .of('assign')
      .slice(before)
      .every(({ max }) => max === 0),
  ).toBe(true)
})

test.each(['poll', 'heartbeat'] as const)(
  'a cancel that a %s tells ends the signal, then it is closed as cancelled',
  async (way) => {
    const colony = new FakeColony()
    const clock = new ManualClock()
    const { work, begun, reasons } = gate()
    start(colony, { functions: { work }, concurrency: way === 'poll' ? 2 : 1, clock })
    colony.submit('a')
    await until(() => expect(begun).toEqual(['a']))
    if (way === 'poll') await until(() => expect(colony.of('assign')).toHaveLength(2))
    colony.cancel('a')
    if (way === 'heartbeat') clock.advance(10_000)
    await until(() => expect(colony.closed).toEqual([{ process: 'a', attempt: 1, result: 'Cancelled' }]))
    expect(reasons).toEqual(['the process was cancelled'])
    if (way === 'heartbeat') expect(colony.of('heartbeat')).toMatchObject([{ holding: [{ process: 'a', attempt: 1 }] }])
  },
)

test('a lost attempt is aborted and never closed', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun, reasons } = gate()
  const running = start(colony, { functions: { work }, clock })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  colony.lost = [{ process: 'a', attempt: 1 }]
  clock.advance(10_000)
  await until(() => expect(running.held).toBe(0))
  expect(reasons).toEqual(['the process was given to others'])
  await until(() => expect(colony.of('assign').filter(({ max }) => max === 1)).toHaveLength(2))
  expect(colony.closed).toEqual([])
})

test('while the server is gone functions go on, and what ended is sent when it is back', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun, reasons, release } = gate()
  const [warned, tried]: [string[], string[]] = [[], []]
  const debug = (_: object, text: string) => tried.push(text)
  const warn = (_: object, text: string) => warned.push(text)
  start(colony, { functions: { work }, clock, log: { ...silentLog, debug, warn } })
  colony.submit('a')
  await until(() => expect(begun).toEqual(['a']))
  colony.goDown()
  release(42)
  await until(() => expect(warned).toHaveLength(1))
  const tries = 6
  for (let i = 2; i <= tries; i++) {
    clock.advance(2 ** i * 250)
    await until(() => expect(warned.length + tried.length).toBeGreaterThanOrEqual(i))
  }
  expect(warned).toContain('a call (poll) did not succeed; it is tried again')
  expect(new Set(warned).size).toBe(warned.length)
  expect(colony.closed).toEqual([])
  colony.isDown = false
  clock.advance(15_000)
  await until(() => expect(colony.closed).toMatchObject([{ process: 'a', output: 42 }]))
  expect(reasons).toEqual([])
})

test('of ends that are refused the named ones are dropped and the rest is sent again', async () => {
  const colony = new FakeColony()
  const { work, begun, release } = gate()
  const closed: (string | undefined)[] = []
  start(colony, { functions: { work }, concurrency: 2, onClosed: ({ metadata }) => closed.push(metadata.name) })
  colony.submit('a')
  colony.submit('b')
  await until(() => expect(begun).toEqual(['a', 'b']))
  colony.refuse = ({ body }) => (body.finished?.[0]?.process === 'a' ? refusedEnds(0) : undefined)
  release(1)
  await until(() => expect(closed).toEqual(['b']))
  expect(colony.closed.map(({ process }) => process)).toEqual(['b'])
})

test('an Executor that somebody deleted is made again', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const running = start(colony, { clock })
  await running.ready
  colony.executors.clear()
  colony.submit('a')
  await until(() => {
    clock.advance(1000)
    expect(colony.closed.map(({ process }) => process)).toEqual(['a'])
  })
  expect(colony.executors.has(running.name)).toBe(true)
})

test('maxExecSeconds ends the signal', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock()
  const { work, begun } = gate()
  start(colony, { functions: { work }, clock })
  colony.submit('a', { maxExecSeconds: 5 })
  await until(() => expect(begun).toEqual(['a']))
  clock.advance(5000)
  await until(() =>
    expect(colony.closed).toMatchObject([{ result: 'Failed', errors: ['it took longer than maxExecSeconds, 5 s'] }]),
  )
})

test('another attempt in less than 100 ms is raised, with one warning, and a number is refused', async () => {
  const colony = new FakeColony()
  const said: string[] = []
  const log = { ...silentLog, warn: (_: object, message: string) => void said.push(message) }
  start(colony, {
    log,
    functions: {
      soon: (context) => context.requeueAfter({ milliseconds: 5 }),
      // @ts-expect-error a number has no unit
      number: (context) => context.requeueAfter(10),
    },
  })
  for (const name of ['a', 'b']) colony.submit(name, { funcName: 'soon' })
  colony.submit('c', { funcName: 'number' })
  await until(() => expect(colony.closed).toHaveLength(3))
  expect(colony.closed).toMatchObject([
    { result: 'Succeeded', requeueAfter: 0.1 },
    { result: 'Succeeded', requeueAfter: 0.1 },
    { result: 'Failed', errors: ["10 is not a duration: write '10s', '1h30m' or { seconds: 10 }"] },
  ])
  expect(said).toEqual(['soon is to be run again after 5 ms; the shortest time is 100 ms'])
})
