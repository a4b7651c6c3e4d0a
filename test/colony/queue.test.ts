// What executors of a colony can rely on, shown with plain HTTP calls: who gets what in which order, how soon, and what
// becomes of a Process whose executor dies.

import { ManualClock } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import type { AssignResponse, Process, ProcessSpec } from '@homeostat/executor/protocol'
import { testColony } from '@homeostat/testing/colony'
import { expect, onTestFinished, test } from 'vitest'
import { call } from '../http-call.ts'
import { startServer } from '../server-process.ts'

const ROOT = '/apis/colonies.io/v1/namespaces/lab'
const PROCESSES = 1000

class Lab {
  readonly url: string

  constructor(url: string) {
    this.url = `${url}${ROOT}`
  }

  async submit(name: string, spec: Partial<ProcessSpec> = {}): Promise<Process> {
    const whole = { funcName: 'work', conditions: { executorType: 'worker' }, ...spec }
    const object = { apiVersion: 'colonies.io/v1', kind: 'Process', metadata: { name, namespace: 'lab' }, spec: whole }
    const answer = await call(`${this.url}/processes`, 'POST', object)
    expect(answer.code, answer.text).toBe(201)
    return answer.body as unknown as Process
  }

  async register(name: string): Promise<void> {
    const object = { apiVersion: 'colonies.io/v1', kind: 'Executor', metadata: { name }, spec: { type: 'worker' } }
    const answer = await call(`${this.url}/executors`, 'POST', object)
    expect(answer.code, answer.text).toBe(201)
  }

  async assign(executor: string, max: number, seconds = 0): Promise<AssignResponse['processes']> {
    const path = `${this.url}/executors/${executor}/assign?timeoutSeconds=${seconds}`
    const answer = await call(path, 'POST', { max })
    expect(answer.code, answer.text).toBe(200)
    return (answer.body as unknown as AssignResponse).processes
  }

  async close(process: string, attempt: number, executor: string): Promise<number> {
    const body = { executor, attempt, result: 'Succeeded' }
    return (await call(`${this.url}/processes/${process}/close`, 'POST', body)).code
  }

  /** As soon as it is so. */
  async until(name: string, isSo: (status: Process['status']) => boolean): Promise<Process['status']> {
    for (;;) {
      const { body } = await call(`${this.url}/processes/${name}`)
      const { status } = body as unknown as Process
      if (isSo(status)) return status
    }
  }
}

test('two executors that take 1,000 processes never get the same one, in the order of priority and then of time', async () => {
  const { url } = await startServer(temporaryFolder(), ['--log-level', 'error'])
  const lab = new Lab(url)
  for (let next = 0; next < PROCESSES; next += 100) {
    const names = Array.from({ length: 100 }, (_, index) => next + index)
    await Promise.all(names.map((n) => lab.submit(`p-${n}`, { priority: n % 3 })))
  }
  const take = async (executor: string) => {
    await lab.register(executor)
    const taken: Process[] = []
    for (;;) {
      const some = await lab.assign(executor, 7)
      if (some.length === 0) return taken
      taken.push(...some)
    }
  }
  const both = await Promise.all([take('one'), take('two')])
  const names = both.flat().map(({ metadata }) => metadata.name)
  expect(names).toHaveLength(PROCESSES)
  expect(new Set(names).size).toBe(PROCESSES)
  for (const taken of both) {
    expect(taken.length).toBeGreaterThan(0)
    const turns = taken.map(({ spec, status }) => [9 - (spec.priority ?? 0), status.submittedAt].join())
    expect(turns).toEqual(turns.toSorted())
  }
})

test('an executor that waits gets a new process at once: no time need pass', async () => {
  const colony = await testColony({ clock: new ManualClock(Date.UTC(2026, 0, 1)), listen: true })
  onTestFinished(() => colony.close())
  const lab = new Lab(colony.url ?? '')
  await lab.register('idle')
  for (let n = 0; n < 20; n++) {
    const waiting = lab.assign('idle', 1, 30)
    const submitted = lab.submit(`p-${n}`)
    const [got] = await waiting
    expect(got?.metadata.name).toBe(`p-${n}`)
    await submitted
    await lab.close(`p-${n}`, 1, 'idle')
  }
})

test('a process whose executors die is tried again and fails with the time limit after the third try', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const colony = await testColony({ clock, listen: true })
  onTestFinished(() => colony.close())
  const lab = new Lab(colony.url ?? '')
  await lab.submit('doomed', { maxExecSeconds: 1, maxRetries: 2 })
  for (const [index, executor] of ['first', 'second', 'third'].entries()) {
    await lab.register(executor)
    const attempt = index + 1
    const [got] = await lab.assign(executor, 1)
    expect(got?.status).toMatchObject({ phase: 'Running', attempt, executor })
    clock.advance(999)
    expect(await lab.close('doomed', attempt, 'somebody')).toBe(409)
    clock.advance(1)
    const { phase } = await lab.until('doomed', (status) => status.phase !== 'Running')
    expect(phase).toBe(attempt < 3 ? 'Waiting' : 'Failed')
    expect(await lab.close('doomed', attempt, executor)).toBe(409)
    clock.advance(60_000)
  }
  const status = await lab.until('doomed', () => true)
  expect(status).toMatchObject({ phase: 'Failed', errors: ['Maximum execution time limit exceeded'] })
})

test('a process that nobody takes in time fails', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const colony = await testColony({ clock, listen: true })
  onTestFinished(() => colony.close())
  const lab = new Lab(colony.url ?? '')
  await lab.submit('unwanted', { maxWaitSeconds: 1 })
  clock.advance(999)
  expect(await lab.until('unwanted', () => true)).toMatchObject({ phase: 'Waiting' })
  clock.advance(1)
  const status = await lab.until('unwanted', ({ phase }) => phase !== 'Waiting')
  expect(status).toMatchObject({ phase: 'Failed', errors: ['Maximum waiting time limit exceeded'] })
})

test('the status and the kwargs of a process are owned as one each, which keeps processes small', async () => {
  const colony = await testColony({ listen: true })
  onTestFinished(() => colony.close())
  const lab = new Lab(colony.url ?? '')
  await lab.submit('small', { kwargs: { width: 1280, height: 720 } })
  await lab.register('one')
  const [got] = await lab.assign('one', 1)
  const fields = got?.metadata.managedFields as {
    fieldsV1: { 'f:spec'?: { 'f:kwargs'?: object }; 'f:status'?: object }
  }[]
  expect(fields.map(({ fieldsV1 }) => fieldsV1['f:status'])).toContainEqual({})
  expect(fields.map(({ fieldsV1 }) => fieldsV1['f:spec']?.['f:kwargs'])).toContainEqual({})
})
