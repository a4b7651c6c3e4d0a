import { ManualClock, silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { ApiObject, Client } from '@homeostat/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.fixture.ts'
import { Elector } from './elector.ts'
import { processIdentity } from './identity.ts'
import type { LeaseHolderOptions } from './lease-holder-options.ts'
import type { LeaseSpec } from './lease-plan.ts'

let server: TestServer
let clock: ManualClock
const opened: Elector[] = []

beforeEach(async () => {
  server = await startTestServer()
  clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
})
afterEach(async () => {
  for (const elector of opened.splice(0)) await elector.close()
  await server.close()
})

function elect(identity: string, options: Partial<LeaseHolderOptions> = {}): Elector {
  const base = { client: server.client, name: 'sites', identity, clock, random: () => 0, log: silentLog }
  const elector = new Elector({ ...base, ...options })
  opened.push(elector)
  return elector
}

/** A client whose connection can be cut: requests then fail as they do without a network. */
function cuttable(): { client: Client; cut(broken: boolean): void } {
  let broken = false
  const client: Client = {
    ...server.client,
    resourceOf: (apiVersion, kind) => {
      if (broken) throw new Error('the network is down')
      return server.client.resourceOf(apiVersion, kind)
    },
  }
  const cut = (state: boolean) => {
    broken = state
  }
  return { client, cut }
}

const lease = async (): Promise<LeaseSpec | undefined> =>
  (
    await server.client
      .resourceOf<ApiObject & { spec?: LeaseSpec }>('coordination.k8s.io/v1', 'Lease')
      .find({ name: 'sites', namespace: 'default' })
  )?.spec

/** Advances the clock in steps until the condition holds, and returns the elapsed time. */
async function passUntil(look: () => boolean, step = 250): Promise<number> {
  const began = clock.now()
  await eventually(async () => {
    if (look()) return true
    clock.advance(step)
    // A request takes several turns of the event loop; the clock must not run ahead of it.
    for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve))
    return look()
  })
  return clock.now() - began
}

describe('an elector alone', () => {
  it('leads, and says so in the lease', async () => {
    const alone = elect('a')
    const term = await alone.lead()
    expect([alone.leading, term.aborted]).toEqual([true, false])
    expect(await lease()).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 })
  })

  it('renews every two seconds', async () => {
    const alone = elect('a')
    await alone.lead()
    const first = (await lease())?.renewTime
    await passUntil(() => clock.now() - Date.parse('2030-01-01T00:00:00Z') >= 30_000)
    expect(alone.leading).toBe(true)
    expect((await lease())?.renewTime).not.toBe(first)
    expect((await lease())?.leaseTransitions).toBe(0)
  })

  it('leads no longer when it cannot renew, and leads again when it can', async () => {
    const { client, cut } = cuttable()
    const alone = elect('a', { client })
    const term = await alone.lead()
    cut(true)
    expect(await passUntil(() => term.aborted)).toBeLessThanOrEqual(10_250)
    expect(alone.leading).toBe(false)
    expect(String(term.reason)).toContain('no longer the leader')
    cut(false)
    const next = alone.lead()
    await passUntil(() => alone.leading)
    expect((await next).aborted).toBe(false)
  })

  it('refuses times that cannot work', () => {
    expect(() => elect('a', { renewMs: 20_000 })).toThrow('retry < renew < lease')
  })

  it('lets those who wait go when it is closed', async () => {
    const { client, cut } = cuttable()
    cut(true)
    const alone = elect('a', { client })
    const hope = expect(alone.lead()).rejects.toThrow('closed')
    const gone = new AbortController()
    const other = expect(alone.lead(gone.signal)).rejects.toThrow('aborted')
    gone.abort()
    await other
    await alone.close()
    await hope
    expect(clock.timers).toBe(0)
  })
})

describe('a process that does not run for a while', () => {
  it('no longer leads when it goes on, before any timer has fired', async () => {
    const { client, cut } = cuttable()
    const paused = elect('a', { client })
    const term = await paused.lead()
    // Timers stop while the machine is suspended.
    cut(true)
    clock.sleepFor(10_000)
    expect(paused.leading).toBe(false)
    expect(term.aborted).toBe(true)
  })

  it('has its runs ended within a second also when nobody asks it', async () => {
    const { client, cut } = cuttable()
    const term = await elect('a', { client }).lead()
    cut(true)
    clock.sleepFor(60_000)
    clock.advance(1000)
    expect(term.aborted).toBe(true)
  })

  it('does not take the lease from a holder that slept with it', async () => {
    const { client, cut } = cuttable()
    const a = elect('a', { client })
    await a.lead()
    const b = elect('b')
    await passUntil(() => clock.now() - Date.parse('2030-01-01T00:00:00Z') >= 4000)
    cut(true)
    // The standby has seen the last renewal by now.
    await passUntil(() => clock.now() - Date.parse('2030-01-01T00:00:00Z') >= 7000)
    // Both run on the suspended machine, so neither observed the other's silence; the first to wake must not take the
    // lease.
    clock.sleepFor(60_000)
    const awake = clock.now()
    await passUntil(() => clock.now() - awake >= 5000)
    expect([a.leading, b.leading]).toEqual([false, false])
    cut(false)
    await passUntil(() => a.leading || b.leading)
    expect([a.leading, b.leading]).toEqual([true, false])
    expect((await lease())?.leaseTransitions).toBe(0)
  })
})

describe('two electors', () => {
  it('never lead both', async () => {
    const [a, b] = [elect('a'), elect('b')]
    await eventually(() => a.leading || b.leading)
    await passUntil(() => {
      expect(a.leading && b.leading).toBe(false)
      return clock.now() - Date.parse('2030-01-01T00:00:00Z') >= 60_000
    })
    expect(a.leading || b.leading).toBe(true)
  })

  it('hand over at once when the first is closed', async () => {
    const a = elect('a')
    await a.lead()
    const b = elect('b')
    // The watch of a standby starts with its first attempt.
    await passUntil(() => clock.now() - Date.parse('2030-01-01T00:00:00Z') >= 4000)
    await a.close()
    await eventually(() => b.leading)
    expect(await lease()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 })
  })

  it('wait for the whole lease when the first dies without a word', async () => {
    const { client, cut } = cuttable()
    const a = elect('a', { client })
    const term = await a.lead()
    const b = elect('b')
    await passUntil(() => clock.now() - Date.parse('2030-01-01T00:00:00Z') >= 4000)
    cut(true)
    const passed = await passUntil(() => {
      // The safety property: the old leader stops before the new one starts.
      if (b.leading) expect(term.aborted).toBe(true)
      return b.leading
    })
    expect(passed).toBeGreaterThanOrEqual(12_000)
    expect(passed).toBeLessThanOrEqual(20_000)
  })

  it('do not trust the clock of the other', async () => {
    const late = new ManualClock(clock.now() + 3_600_000)
    const a = elect('a')
    await a.lead()
    const b = elect('b', { clock: late })
    for (let at = 0; at < 60; at++) {
      clock.advance(500)
      late.advance(500)
      for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    expect([a.leading, b.leading]).toEqual([true, false])
  })
})

it('an identity names the host and differs each time', () => {
  expect(processIdentity()).toMatch(/^.+_[0-9a-f-]{36}$/)
  expect(processIdentity()).not.toBe(processIdentity())
})
