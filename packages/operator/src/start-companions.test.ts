import { ManualClock, silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { ApiObject } from '@homeostat/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { operator } from './functional/operator.ts'
import { conditionsOf } from './functional/shop.fixture.ts'
import { type Running, type RunOptions, run } from './run.ts'
import { startTestServer, type TestServer } from './testing/server.fixture.ts'

interface Noted extends ApiObject {
  reason?: string
  note?: string
  reportingController?: string
  status?: { conditions?: [] }
  data?: Record<string, string>
}

let server: TestServer
const running: Running[] = []

beforeEach(async () => {
  server = await startTestServer()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()))
  await server.close()
})

function start(kind: ReturnType<typeof site>, options: RunOptions = {}): Running {
  const one = run(kind, { client: server.connect(), log: silentLog, name: 'sites.ex.io', ...options })
  running.push(one)
  return one
}

const site = (ran: () => void = () => {}, data: Record<string, string> = { a: '1' }) =>
  operator('ex.io/v1/Site', { spec: z.object({ size: z.number().default(1) }) }, ({ child }) => {
    ran()
    return [child('v1', 'ConfigMap', { data })]
  })

const objects = (apiVersion: string, kind: string) => server.client.resourceOf<Noted>(apiVersion, kind)
const home = { name: 'home', namespace: 'default' }
const apply = (spec: object = {}) =>
  objects('ex.io/v1', 'Site').apply({ apiVersion: 'ex.io/v1', kind: 'Site', metadata: home, spec } as object, {
    fieldManager: 'user',
  })

describe('an operator', () => {
  it('tells in events what became of its objects', async () => {
    const one = start(site())
    await one.ready
    await apply()
    const found = await eventually(async () => {
      const { items } = await objects('events.k8s.io/v1', 'Event').list({ namespace: 'default' })
      return items.find(({ reason }) => reason === 'Ready')
    })
    expect(found.reportingController).toBe('sites.ex.io')
  })

  it('serves health from the start, and is ready when its caches are', async () => {
    let url = ''
    const info = (fields: { url?: string }) => {
      url = fields.url ?? url
    }
    const one = start(site(), { health: { port: 0 }, log: { ...silentLog, info } })
    const get = async (path: string) => {
      const answer = await fetch(`${url}${path}`).catch(() => undefined)
      return answer && { status: answer.status, text: await answer.text() }
    }
    expect(await eventually(() => get('/healthz'))).toEqual({ status: 200, text: 'ok' })
    await one.ready
    expect((await get('/readyz'))?.status).toBe(200)
    await apply()
    await eventually(async () => (await objects('v1', 'ConfigMap').find(home)) !== undefined)
    await one.idle()
    const metrics = (await get('/metrics'))?.text
    expect(metrics).toContain('homeostat_operator_reconcile_total{kind="Site",result="success"}')
    expect(metrics).toContain('homeostat_operator_api_writes_total{kind="ConfigMap",result="sent"} 1\n')
    expect(metrics).toContain('homeostat_operator_queue_depth{kind="Site"} 0\n')
    expect(metrics).toContain('homeostat_operator_leader 1\n')
    await one.close()
    expect(await get('/healthz')).toBeUndefined()
  })
})

describe('two replicas', () => {
  it('let one act, and the other takes over at once when that ends', async () => {
    const ran: string[] = []
    const first = start(
      site(() => ran.push('first')),
      { leaderElection: true },
    )
    await first.ready
    await apply()
    await eventually(() => ran.includes('first'))
    const second = start(
      site(() => ran.push('second')),
      { leaderElection: true },
    )
    await second.ready
    // A standby keeps its caches synced.
    const cluster = await second.cluster
    expect(cluster.peek({ apiVersion: 'ex.io/v1', kind: 'Site', ...home })).toBeDefined()
    await first.idle()
    await apply({ size: 2 })
    await eventually(() => ran.filter((who) => who === 'first').length >= 2)
    expect(ran).not.toContain('second')
    await first.close()
    await eventually(() => ran.includes('second'))
    const lease = await objects('coordination.k8s.io/v1', 'Lease').get({ name: 'sites.ex.io', namespace: 'default' })
    expect(lease).toMatchObject({ spec: { leaseTransitions: 1 } })
  })
})

describe('a rate limit', () => {
  it('does not hold up the lease, even when it lets nothing else through', async () => {
    const client = server.connect(undefined, { rateLimit: { perSecond: 0.001, burst: 1 } })
    start(site(), { client, leaderElection: { lease: '3s', renew: '2s', retry: '50ms' } })
    const renewTime = async () => {
      const lease = await objects('coordination.k8s.io/v1', 'Lease').find({ name: 'sites.ex.io', namespace: 'default' })
      return (lease as { spec?: { renewTime?: string } } | undefined)?.spec?.renewTime
    }
    const first = await eventually(renewTime)
    await eventually(async () => (await renewTime()) !== first)
  })

  it('is refused beside a client, which has its own', () => {
    expect(() => start(site(), { rateLimit: { perSecond: 5 } })).toThrow('give the rateLimit to createClient() instead')
  })
})

describe('a fight', () => {
  it('is reported by field and managers within a few rounds, and no longer fought at full speed', async () => {
    let runs = 0
    const clock = new ManualClock(Date.now())
    const one = start(
      site(() => runs++),
      { name: 'ours', clock },
    )
    await one.ready
    await apply()
    let rounds = 0
    const maps = objects('v1', 'ConfigMap')
    const fighting = await eventually(async () => {
      const map = await maps.find(home)
      if (map?.data?.a === '1') {
        rounds++
        await maps.patch(home, { data: { a: 'theirs' } }, { fieldManager: 'rival' })
      }
      const object = await objects('ex.io/v1', 'Site').find(home)
      return conditionsOf(object as never).Fighting !== undefined && (object as { status?: unknown })
    })
    expect(rounds).toBeLessThanOrEqual(5)
    const text = JSON.stringify(fighting.status)
    expect(text).toContain('data.a')
    expect(text).toContain('rival')
    expect(text).toContain('ours')
    expect(text).toContain('ConfigMap')
    await one.idle()
    const before = runs
    expect((await maps.get(home)).data?.a).toBe('theirs')
    await one.idle()
    expect(runs - before).toBeLessThanOrEqual(1)
    // The field is restored after the backoff, and the fight is over when the rival stays quiet.
    clock.advance(10_000)
    await eventually(async () => (await maps.get(home)).data?.a === '1')
    await one.idle()
    clock.advance(6 * 60_000)
    await eventually(async () => {
      const object = await objects('ex.io/v1', 'Site').get(home)
      return conditionsOf(object as never).Fighting === undefined
    })
  })
})
