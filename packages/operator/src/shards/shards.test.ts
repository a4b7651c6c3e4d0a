// Processes that share objects, on a real server: their Leases, and operators that use them.

import { ManualClock, silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { type ApiObject, type Client, createClient } from '@homeostat/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import type { LeaseHolderOptions } from '../leader/lease-holder-options.ts'
import { CONFIG_MAP, configMap, NAMESPACE, stage } from '../runtime/operate.fixture.ts'
import { startTestServer, type TestServer } from '../testing/server.fixture.ts'
import { Shards } from './shards.ts'

const UIDS = Array.from({ length: 60 }, (_, at) => `uid-${at}`)

describe('processes', () => {
  let server: TestServer
  let clock: ManualClock
  const opened: Shards[] = []

  beforeEach(async () => {
    server = await startTestServer()
    clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
  })
  afterEach(async () => {
    for (const shards of opened.splice(0)) await shards.close()
    await server.close()
  })

  function share(identity: string, options: Partial<LeaseHolderOptions> = {}): Shards {
    const base = { client: server.client, name: 'sites', namespace: 'default', log: silentLog, random: () => 0 }
    const shards = new Shards({ ...base, identity, clock, ...options })
    opened.push(shards)
    return shards
  }

  /** A client that records what it writes, and that can be cut off. */
  function recorded(): { client: Client; writes: string[]; cut(): void } {
    const writes: string[] = []
    let broken = false
    const { transport } = server.client
    const client = createClient({
      send(request) {
        if (broken) return Promise.reject(new Error('the network is down'))
        if (request.method !== 'GET') writes.push(`${request.method} ${request.path}`)
        return transport.send(request)
      },
      close() {},
    })
    const cut = () => {
      broken = true
    }
    return { client, writes, cut }
  }

  const owners = (all: readonly Shards[]) => UIDS.map((uid) => all.filter((one) => one.owns(uid)).length)
  const once = UIDS.map(() => 1)

  /** Advances the clock until the condition holds, and returns the elapsed time. No object ever has two owners. */
  async function passUntil(look: () => boolean, step = 250): Promise<number> {
    const began = clock.now()
    await eventually(async () => {
      expect(Math.max(...owners(opened))).toBeLessThanOrEqual(1)
      if (look()) return true
      clock.advance(step)
      for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve))
      return look()
    })
    return clock.now() - began
  }

  it('share everything at once when one comes, and when one goes', async () => {
    const a = share('a')
    await a.lead()
    expect(owners([a])).toEqual(once)
    // No clock moves: the watch tells of a newcomer, and of what yields to it.
    const [b, c] = [share('b'), share('c')]
    await eventually(() => a.members === 3 && b.leading && c.leading && owners([a, b, c]).every((count) => count === 1))
    for (const one of [a, b, c]) expect(UIDS.some((uid) => one.owns(uid))).toBe(true)
    await b.close()
    await eventually(() => owners([a, c]).every((count) => count === 1))
    const leases = await server.client.resource('coordination.k8s.io/v1', 'Lease').list({ namespace: 'default' })
    expect(leases.items.map(({ spec }) => spec?.holderIdentity).sort()).toEqual(['a', 'c'])
  })

  it('take over within 15 s from one that does not renew, and delete its Lease', async () => {
    const { client, cut } = recorded()
    const [a, b] = [share('a'), share('b', { client })]
    await eventually(() => owners([a, b]).every((count) => count === 1) && a.members === 2)
    const term = await b.lead()
    cut()
    const passed = await passUntil(() => owners([a]).every((count) => count === 1))
    expect(passed).toBeGreaterThanOrEqual(9000)
    expect(passed).toBeLessThanOrEqual(15_000)
    expect([term.aborted, b.leading]).toEqual([true, false])
    await eventually(async () => {
      const leases = await server.client.resource('coordination.k8s.io/v1', 'Lease').list({ namespace: 'default' })
      return leases.items.length === 1
    })
  })

  it('write nothing but a renewal every two seconds', async () => {
    const { client, writes } = recorded()
    const [a, b] = [share('a', { client }), share('b', { client })]
    await eventually(() => owners([a, b]).every((count) => count === 1) && a.members === 2 && b.members === 2)
    await passUntil(() => clock.now() % 2000 === 0, 2000)
    writes.length = 0
    const began = clock.now()
    await passUntil(() => clock.now() - began >= 20_000, 2000)
    expect(writes.every((write) => write.startsWith('PUT '))).toBe(true)
    expect(writes.length).toBeLessThanOrEqual(22)
  })

  it('yield an object only when its reconcile has ended', async () => {
    const a = share('a')
    await a.lead()
    const claims = UIDS.map((uid) => ({ uid, claim: a.claim(uid) }))
    const b = share('b')
    await eventually(() => claims.some(({ claim }) => claim?.signal.aborted))
    const lost = claims.filter(({ claim }) => claim?.signal.aborted)
    expect(lost.every(({ uid }) => !a.owns(uid) && a.claim(uid) === undefined)).toBe(true)
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(b.leading).toBe(false)
    for (const { claim } of lost) claim?.end()
    await eventually(() => b.leading)
    expect(claims.filter(({ claim }) => claim?.signal.aborted)).toHaveLength(lost.length)
    expect(owners([a, b])).toEqual(once)
  })

  it('own nothing while they are suspended for longer than they may be silent', async () => {
    const a = share('a')
    await a.lead()
    clock.sleepFor(6000)
    expect(owners([a])).toEqual(UIDS.map(() => 0))
  })
})

describe('an operator with shards', () => {
  it('reconciles each object in one process, tells why, and hands over when a process ends', async () => {
    const { operate, create, client } = await stage()
    const seen = new Map<string, string[]>()
    const noting = (who: string) =>
      controller('v1', 'ConfigMap', {
        select: { labelSelector: 'mine=yes' },
        reconcile: async ({ object }) => {
          const name = object.metadata.name ?? ''
          seen.set(name, [...(seen.get(name) ?? []), who])
        },
      })
    const first = await operate(noting('first'), { shards: true })
    const second = await operate(noting('second'), { shards: true })
    const lease = client.resourceOf<ApiObject>('coordination.k8s.io/v1', 'Lease')
    const yields = async () => {
      const { items } = await lease.list({ namespace: 'default' })
      return items.map(({ metadata }) => metadata.annotations?.['homeostat.dev/yields'])
    }
    await eventually(async () => (await yields()).filter(Boolean).length === 2)
    for (let at = 0; at < 30; at++) await create(configMap(`m${at}`, {}, { mine: 'yes' }))
    await eventually(() => seen.size === 30)
    await Promise.all([first.idle(), second.idle()])
    expect([...seen.values()].map((who) => new Set(who).size)).toEqual(Array.from({ length: 30 }, () => 1))
    expect(new Set([...seen.values()].flat())).toEqual(new Set(['first', 'second']))
    expect(first.sizes().states + second.sizes().states).toBe(30)
    await first.close()
    await eventually(() => [...seen.values()].every((who) => who.includes('second')))
    const [taken] = [...seen].find(([, who]) => who[0] === 'first') ?? []
    const ref = { ...CONFIG_MAP, name: taken ?? '', namespace: NAMESPACE }
    expect(second.why(ref).map(({ text }) => text)).toEqual(['taken over from another process'])
  })

  it('refuses what cannot go with it', async () => {
    const { operate } = await stage()
    const nothing = controller('v1', 'ConfigMap', async () => {})
    const refused = (options: object) => expect(operate(nothing, { shards: true, ...options })).rejects
    await refused({ leaderElection: true }).toThrow('with shards every process acts')
    await refused({ pull: { executorType: 'x' } }).toThrow('assigned by the colony')
    await refused({ shards: { renew: '20s' } }).toThrow('retry < renew < lease')
  })
})
