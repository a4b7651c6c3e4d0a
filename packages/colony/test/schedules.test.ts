// Schedules on a colony whose clock the test moves.

import type { ProcessGraph } from '@homeostat/executor/graphs'
import type { Process } from '@homeostat/executor/protocol'
import type { Schedule, ScheduleSpec } from '@homeostat/executor/schedules'
import type { KubeObject } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import type { TestColonyOptions } from '@homeostat/testing/colony'
import { describe, expect, it } from 'vitest'
import { startColony } from './colony-calls.ts'
import { untilFound } from './server.fixture.ts'

const SCHEDULES = { group: 'colonies.io', resource: 'schedules' }
const PROCESSES = { group: 'colonies.io', resource: 'processes' }
const GRAPHS = { group: 'colonies.io', resource: 'processgraphs' }
const WORK = { funcName: 'f', conditions: { executorType: 'ml' } }

async function scheduleColony(options: TestColonyOptions = {}) {
  const started = await startColony(options)
  const { send, colony } = started
  const { api } = colony
  const create = (name: string, spec: ScheduleSpec) =>
    send<Schedule & { message: string }>('POST', '/schedules', {
      apiVersion: 'colonies.io/v1',
      kind: 'Schedule',
      metadata: { name },
      spec: { ...(spec.graph === undefined && { process: WORK }), ...spec },
    })
  const schedule = (name: string) => api.get(SCHEDULES, { namespace: 'dev', name }) as unknown as Schedule | undefined
  const runs = (resource = PROCESSES) => api.list(resource, 'dev') as unknown as (Process & ProcessGraph)[]
  const until = <T>(look: () => T | undefined | false) => untilFound(api, look)
  /** Waits until the schedule has confirmed this many runs in all. */
  const made = (count: number, name = 's') =>
    until(() => runs().length === count && schedule(name)?.status?.pending === undefined && runs())
  const idle = () => until(() => schedule('s')?.status?.pending === undefined)
  return { ...started, api, create, schedule, runs, until, made, idle }
}

describe('a schedule', () => {
  it('makes a Process for each tick, with a name that follows from it, and knows the next', async () => {
    const { create, clock, made, schedule } = await scheduleColony()
    const { status, body } = await create('s', { cron: '0/5 * * * * *' })
    expect(status).toBe(201)
    expect(body.status).toMatchObject({ nextRun: '2026-01-01T00:00:05.000Z' })
    clock.advance(4999)
    clock.advance(1)
    const [first] = await made(1)
    expect(first?.metadata).toMatchObject({
      labels: { 'colonies.io/schedule': 's' },
      annotations: { 'colonies.io/scheduled-at': '2026-01-01T00:00:05.000Z' },
      ownerReferences: [{ kind: 'Schedule', name: 's' }],
    })
    expect(schedule('s')?.status).toMatchObject({
      lastTick: '2026-01-01T00:00:05.000Z',
      lastRun: { name: first?.metadata.name, time: '2026-01-01T00:00:05.000Z' },
      nextRun: '2026-01-01T00:00:10.000Z',
    })
    clock.advance(5000)
    await made(2)
  })

  it('makes a graph', async () => {
    const { create, clock, until, runs, register, assign, close } = await scheduleColony()
    await register('e1')
    const nodes = [
      { name: 'a', ...WORK },
      { name: 'b', dependencies: ['a'], ...WORK },
    ]
    await create('s', { intervalSeconds: 60, graph: { nodes }, successfulRunsHistoryLimit: 0 })
    clock.advance(60_000)
    await until(() => runs(GRAPHS).length === 1)
    for (const _ of nodes) {
      const { body } = await assign('e1', {}, 20)
      const [process] = body.processes
      await close(process?.metadata.name ?? '', { executor: 'e1', attempt: 1, result: 'Succeeded' })
    }
    // None is kept after it has ended.
    await until(() => runs(GRAPHS).length === 0)
  })

  it('of which many are due at once are all run', async () => {
    const { create, clock, until, runs } = await scheduleColony()
    const many = Array.from({ length: 150 }, (_, index) => create(`s${index}`, { intervalSeconds: 3600 }))
    for (const { status } of await Promise.all(many)) expect(status).toBe(201)
    clock.advance(3_600_000)
    await until(() => runs().length === many.length)
  })

  it('is refused when its times or its work cannot be read', async () => {
    const { create } = await scheduleColony()
    expect((await create('s', { cron: 'every day' })).body.message).toContain('spec.cron')
    expect((await create('s', { cron: '* * * * *', timeZone: 'Mars/Olympus' })).body.message).toContain('spec.timeZone')
    expect((await create('s', {})).body.message).toContain('give one of cron, intervalSeconds and at')
    expect((await create('s', { cron: '* * * * *', intervalSeconds: 1 })).status).toBe(422)
    expect((await create('s', { intervalSeconds: 0 })).status).toBe(422)
    const cyclic = { nodes: [{ name: 'a', dependencies: ['a'], ...WORK }] }
    expect((await create('s', { intervalSeconds: 1, graph: cyclic })).body.message).toContain('a -> a')
  })

  it('skips a tick while a run is active when told to, and a cancelled run does not count', async () => {
    const { create, clock, made, schedule, until, patch } = await scheduleColony()
    await create('s', { intervalSeconds: 5, concurrencyPolicy: 'Forbid', failedRunsHistoryLimit: 10 })
    clock.advance(5000)
    const [first] = await made(1)
    clock.advance(5000)
    await until(() => schedule('s')?.status?.skippedTicks === 1)
    await patch(`/processes/${first?.metadata.name}`, { spec: { cancel: true } })
    clock.advance(5000)
    await made(2)
  })

  it('replaces the active run when told to', async () => {
    const { create, clock, made, until, process } = await scheduleColony()
    await create('s', { intervalSeconds: 5, concurrencyPolicy: 'Replace', failedRunsHistoryLimit: 10 })
    clock.advance(5000)
    const [first] = await made(1)
    clock.advance(5000)
    await made(2)
    await until(() => process(first?.metadata.name ?? '')?.status.phase === 'Cancelled')
  })

  it('keeps the last runs only', async () => {
    const { create, clock, api, register, assign, close, until, runs, idle } = await scheduleColony()
    await register('e1')
    await create('s', { intervalSeconds: 5, successfulRunsHistoryLimit: 2 })
    const names: string[] = []
    for (let count = 0; count < 4; count++) {
      clock.advance(5000)
      const { body } = await assign('e1', {}, 20)
      const name = body.processes[0]?.metadata.name ?? ''
      names.push(name)
      await idle()
      await close(name, { executor: 'e1', attempt: 1, result: 'Succeeded' })
    }
    await until(() => runs().length === 2)
    expect(api.list(PROCESSES).map(({ metadata }: KubeObject) => metadata.name)).toEqual(names.slice(-2))
  })

  it('runs now by a call, and is suspended and resumed', async () => {
    const { create, clock, send, patch, made, schedule, until } = await scheduleColony()
    await create('s', { intervalSeconds: 60, concurrencyPolicy: 'Forbid' })
    const run = await send<{ run: string }>('POST', '/schedules/s/run', {})
    expect(run.status).toBe(201)
    const [first] = await made(1)
    expect(first?.metadata.name).toBe(run.body.run)
    expect((await send('POST', '/schedules/s/run', {})).status).toBe(409)
    expect((await send('POST', '/schedules/none/run', {})).status).toBe(404)
    await patch('/schedules/s', { spec: { suspend: true } })
    await until(() => schedule('s')?.status?.suspended)
    clock.advance(600_000)
    await patch('/schedules/s', { spec: { suspend: false, concurrencyPolicy: 'Allow' } })
    await until(() => schedule('s')?.status?.suspended === undefined)
    clock.advance(60_000)
    await made(2)
  })
})

describe('after a restart', () => {
  it('a tick whose run was made and not confirmed is not run again', async () => {
    const store = new MemoryStore()
    const first = await scheduleColony({ store })
    await first.create('s', { intervalSeconds: 60 })
    first.clock.advance(60_000)
    const [run] = await first.made(1)
    // As a crash leaves it before the confirmation.
    await first.api.writeStatus(SCHEDULES, { namespace: 'dev', name: 's' }, ({ status }) => {
      const { lastTick: _, lastRun: __, ...rest } = status as object & { lastTick: string; lastRun: object }
      const time = '2026-01-01T00:01:00.000Z'
      return { ...rest, pending: { name: run?.metadata.name, time, tick: time } }
    })
    await first.colony.close()
    const { until, schedule, runs, clock } = await scheduleColony({ store })
    clock.advance(60_000)
    await until(() => schedule('s')?.status?.lastRun !== undefined && schedule('s')?.status?.pending === undefined)
    expect(runs().length).toBe(1)
    clock.advance(60_000)
    await until(() => runs().length === 2)
  })

  it('ticks that were missed are made up for as far as they should be', async () => {
    const store = new MemoryStore()
    const first = await scheduleColony({ store })
    await first.create('s', { intervalSeconds: 60, catchUp: 2 })
    await first.colony.close()
    const { until, runs, clock } = await scheduleColony({ store })
    clock.advance(600_500)
    await until(() => runs().length === 2)
    expect(runs().map(({ metadata }) => metadata.annotations?.['colonies.io/scheduled-at'])).toEqual([
      '2026-01-01T00:09:00.000Z',
      '2026-01-01T00:10:00.000Z',
    ])
  })
})
