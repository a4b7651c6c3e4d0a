// The SDK of executors against a real colony: work, logs, cancels, losses, a server that goes and comes back.

import { ManualClock, silentLog } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import { createClient, type LooseObject, type Transport } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { type ExecutorOptions, executor, PermanentError } from '@homeostat/executor'
import type { Process, ProcessSpec } from '@homeostat/executor/protocol'
import { MemoryStore } from '@homeostat/store'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, onTestFinished, test } from 'vitest'

async function start() {
  const clock = new ManualClock(Date.now(), { runs: true })
  const colony = await testColony({ clock })
  onTestFinished(() => colony.close())
  return Object.assign(lab(colony), { colony, clock })
}

function lab({ client }: TestColony) {
  const processes = client.resourceOf<Process>('colonies.io/v1', 'Process')
  const place = (name: string) => ({ name, namespace: 'lab' })
  return {
    processes,
    submit: (name: string, spec: Partial<ProcessSpec> = {}) =>
      processes.create({
        metadata: place(name),
        spec: { funcName: 'work', conditions: { executorType: 'python' }, ...spec },
      }),
    process: (name: string) => processes.get(place(name)),
    cancel: (name: string) => processes.patch(place(name), { spec: { cancel: true } }),
    async ended(name: string, phase: string) {
      return until(async () => {
        const { status } = await processes.get(place(name))
        expect(status.phase).toBe(phase)
        return status
      })
    },
  }
}

function work(colony: TestColony, options: Partial<ExecutorOptions> = {}) {
  const base = { type: 'python', functions: { work: () => 'done' }, colony: 'lab', log: silentLog }
  const running = executor({ client: colony.client, ...base, drain: '100ms', ...options })
  onTestFinished(() => running.close())
  return running
}

/** Runs until its signal ends. */
function endless() {
  const begun: string[] = []
  const reasons: string[] = []
  const run: ExecutorOptions['functions'][string] = ({ signal, process }) =>
    new Promise((_, reject) => {
      begun.push(process.metadata.name ?? '')
      signal.addEventListener('abort', () => {
        reasons.push((signal.reason as Error).message)
        reject(signal.reason)
      })
    })
  return { begun, reasons, run }
}

test('a process is run with its arguments, and its output and its log can be read', async () => {
  const { colony, submit, ended } = await start()
  await submit('a', { args: [3, 4], env: { UNIT: 'cm' } })
  const add: ExecutorOptions['functions'][string] = ({ args, env, log }) => {
    log('adding')
    log('done')
    return { sum: args.reduce((sum: number, one) => sum + Number(one), 0), unit: env.UNIT }
  }
  const running = work(colony, { functions: { work: add } })
  const status = await ended('a', 'Succeeded')
  expect(status).toMatchObject({ output: { sum: 7, unit: 'cm' }, attempt: 1, executor: running.name })
  const path = '/apis/colonies.io/v1/namespaces/lab/processes/a/log'
  let text = ''
  const { body } = await colony.client.request({ method: 'GET', path })
  for await (const chunk of body) text += Buffer.from(chunk).toString()
  expect(text).toBe('adding\ndone\n')
})

test('what failed is tried again, what failed for good is not', async () => {
  const { colony, clock, submit, ended, process } = await start()
  let tries = 0
  work(colony, {
    functions: {
      work: () => {
        tries++
        if (tries < 3) throw new Error(`try ${tries}`)
      },
      broken: () => {
        throw new PermanentError('never')
      },
    },
  })
  await submit('a')
  await submit('b', { funcName: 'broken' })
  await until(async () => expect((await process('a')).status.errors).toEqual(['try 1']))
  await until(async () => {
    clock.advance(500)
    expect((await process('a')).status.phase).toBe('Succeeded')
  })
  expect(await ended('b', 'Failed')).toMatchObject({ attempt: 1, errors: ['never'] })
})

test.each([
  ['the open poll', 2],
  ['the next heartbeat', 1],
])('a cancel reaches the function by %s', async (_, concurrency) => {
  const { colony, clock, submit, cancel, ended } = await start()
  const { begun, reasons, run } = endless()
  work(colony, { functions: { work: run }, concurrency, clock })
  await submit('a')
  await until(() => expect(begun).toEqual(['a']))
  await cancel('a')
  if (concurrency === 1) clock.advance(10_000)
  await ended('a', 'Cancelled')
  expect(reasons).toEqual(['the process was cancelled'])
})

test('an executor that was silent for too long hears that others have its process, and leaves it to them', async () => {
  const { colony, clock, submit, ended } = await start()
  const { begun, reasons, run } = endless()
  let isMute = false
  const { transport } = colony.client
  const muted: Transport = {
    close() {},
    send: (request) => {
      if (!isMute) return transport.send(request)
      return new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason), { once: true })
      })
    },
  }
  const first = work(colony, { functions: { work: run }, client: createClient(muted, { clock }), clock, name: 'first' })
  await submit('a')
  await until(() => expect(begun).toEqual(['a']))
  isMute = true
  clock.advance(31_000)
  work(colony, { name: 'second', clock })
  await until(async () => {
    clock.advance(500)
    await ended('a', 'Succeeded')
  })
  isMute = false
  await until(() => {
    clock.advance(10_000)
    expect(reasons).toEqual(['the process was given to others'])
  })
  await until(() => expect(first.held).toBe(0))
  expect(await ended('a', 'Succeeded')).toMatchObject({ executor: 'second', attempt: 2 })
})

test('while the server restarts a function goes on, and its outcome goes to the next one', async () => {
  const store = new MemoryStore()
  onTestFinished(() => store.close())
  let colony = await testColony({ store })
  const connect = () => colony.server.connect()
  const client = createClient(nodeTransport({ url: 'http://localhost', connect }))
  onTestFinished(() => client.close())
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<string>()
  const slow = () => {
    begun.resolve()
    return release.promise
  }
  work(colony, { functions: { work: slow }, client, name: 'one' })
  await lab(colony).submit('a')
  await begun.promise
  await colony.close()
  release.resolve('late')
  colony = await testColony({ store })
  onTestFinished(() => colony.close())
  expect(await lab(colony).ended('a', 'Succeeded')).toMatchObject({ output: 'late', attempt: 1, executor: 'one' })
})

test('an Executor that somebody deleted comes back and works on', async () => {
  const { colony, submit, ended } = await start()
  const running = work(colony)
  await running.ready
  const executors = colony.client.resourceOf<LooseObject>('colonies.io/v1', 'Executor')
  const place = { name: running.name, namespace: 'lab' }
  const { metadata, spec } = await executors.get(place)
  expect(spec).toEqual({ type: 'python', functions: ['work'], ttlSecondsAfterLost: 600 })
  await executors.delete(place)
  await until(async () => expect((await executors.get(place)).metadata.uid).not.toBe(metadata.uid))
  await submit('a')
  await ended('a', 'Succeeded')
})

test('what an executor cannot finish before it ends is taken up by another', async () => {
  const { colony, clock, submit, ended, processes } = await start()
  const { begun, run } = endless()
  const first = work(colony, { functions: { work: run }, name: 'first' })
  await submit('a')
  await until(() => expect(begun).toEqual(['a']))
  await first.close()
  expect((await processes.list()).items[0]?.status).toMatchObject({ phase: 'Waiting', errors: ['the executor ends'] })
  const executors = colony.client.resourceOf<LooseObject>('colonies.io/v1', 'Executor')
  expect((await executors.list()).items).toEqual([])
  work(colony, { name: 'second' })
  await until(async () => {
    clock.advance(500)
    expect((await processes.list()).items[0]?.status.phase).toBe('Succeeded')
  })
  expect(await ended('a', 'Succeeded')).toMatchObject({ executor: 'second', attempt: 2 })
})

test('many processes are run once each by several executors', async () => {
  const { colony, submit, processes } = await start()
  const runs = new Map<string, number>()
  const count: ExecutorOptions['functions'][string] = ({ process }) => {
    const { name = '' } = process.metadata
    runs.set(name, (runs.get(name) ?? 0) + 1)
    return name
  }
  for (let i = 0; i < 4; i++) work(colony, { functions: { work: count }, concurrency: 3 })
  const names = Array.from({ length: 100 }, (_, i) => `p${i}`)
  await Promise.all(names.map((name) => submit(name)))
  await until(async () => {
    const { items } = await processes.list()
    expect(items.filter(({ status }) => status.phase === 'Succeeded')).toHaveLength(100)
    for (const { metadata, status } of items) expect(status.output).toBe(metadata.name)
  })
  expect([...runs.values()].every((times) => times === 1)).toBe(true)
})
