import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock, silentLog } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { afterEach, expect, test } from 'vitest'
import { type MemoryApi, memoryApi, namespace } from '../controllers/memory-api.ts'
import type { Held } from '../identity/held.ts'
import { SharedDuties } from './shared-duties.ts'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six']
const LEASES = { group: 'coordination.k8s.io', resource: 'leases' }

interface Server {
  readonly id: string
  readonly clock: ManualClock
  readonly duties: SharedDuties
  readonly memory: MemoryApi
  /** What it leads now, with the fences. */
  readonly leading: Map<string, number>
  readonly ending: AbortController
  readonly led: Promise<unknown>
  /** From now on nothing that it writes arrives. */
  cut(): void
}

let servers: Server[] = []
const store = () => servers[0]?.memory.store ?? new MemoryStore()
/** Every term of a duty: of whom, and on which fence. */
const terms: { duty: string; id: string; fence: number }[] = []

async function start(id: string, { slow = Promise.resolve() } = {}): Promise<Server> {
  const clock = new ManualClock(1_000_000 * (servers.length + 1))
  const memory = await memoryApi(store(), () => clock.now())
  if (servers.length === 0) await memory.api.create({ group: '', resource: 'namespaces' }, namespace('kube-system'))
  let isCut = false
  const never = <T>(write: () => Promise<T>) => (isCut ? new Promise<T>(() => {}) : write())
  const api = {
    ...memory.api,
    create: (...args: Parameters<typeof memory.api.create>) => never(() => memory.api.create(...args)),
    update: (...args: Parameters<typeof memory.api.update>) => never(() => memory.api.update(...args)),
    change: (...args: Parameters<typeof memory.api.change>) => never(() => memory.api.change(...args)),
  }
  const duties = new SharedDuties({ api, clock, log: silentLog, id })
  const leading = new Map<string, number>()
  const ending = new AbortController()
  const work = (duty: string) => async (held: Held) => {
    const fence = held.fence?.revision ?? 0
    terms.push({ duty, id, fence })
    leading.set(duty, fence)
    await new Promise((resolve) => held.signal.addEventListener('abort', resolve))
    await slow
    leading.delete(duty)
  }
  const led = Promise.all(NAMES.map((name) => duties.lead(name, work(name), ending.signal)))
  const cut = () => {
    isCut = true
  }
  const server = { id, clock, duties, memory, leading, ending, led, cut }
  servers.push(server)
  await settle()
  return server
}

async function settle(): Promise<void> {
  for (let round = 0; round < 40; round++) await turn()
}

/** Lets time pass on all servers, in steps in which everybody does what is due. */
async function pass(ms: number, among = servers): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    for (const { clock } of among) clock.advance(250)
    await settle()
  }
}

const led = () => servers.flatMap(({ leading }) => [...leading.keys()]).sort()
const sorted = [...NAMES].sort()

afterEach(async () => {
  for (const { ending, duties, led, clock } of servers) {
    ending.abort()
    const closed = duties.close()
    for (let round = 0; round < 40; round++) {
      clock.advance(1000)
      await turn()
    }
    await Promise.race([Promise.all([closed, led]), settle()])
  }
  for (const { memory } of servers) await memory.close()
  servers = []
  terms.length = 0
})

test('one server has all duties at once', async () => {
  const one = await start('a')
  expect([...one.leading.keys()].sort()).toEqual(sorted)
  expect(one.duties.leader('one')).toBe('here')
})

test('the Lease of a duty is not written again while its holder stays, and its revision is the fence', async () => {
  const one = await start('a')
  const fences = new Map(one.leading)
  await pass(10_000)
  expect(one.leading).toEqual(fences)
  for (const [duty, fence] of fences) {
    const place = { namespace: 'kube-system', name: `homeostat-duty-${duty}` }
    expect(one.memory.api.object(LEASES, place)?.revision).toBe(fence)
  }
})

test('a second server gets its share when the first has handed it over, and both know who leads', async () => {
  const one = await start('a')
  const two = await start('b')
  await pass(2000)
  expect(led()).toEqual(sorted)
  expect(two.leading.size).toBeGreaterThan(0)
  expect(one.leading.size).toBeGreaterThan(0)
  one.duties.reachedAt('https://one:1')
  await settle()
  for (const name of two.leading.keys()) expect(one.duties.leader(name)).toMatchObject({ id: 'b' })
  for (const name of one.leading.keys())
    expect(two.duties.leader(name)).toMatchObject({ id: 'a', address: 'https://one:1' })
})

test('a duty is handed over when its writes have ended, not before', async () => {
  const { promise: slow, resolve: end } = Promise.withResolvers<void>()
  const one = await start('a', { slow })
  const two = await start('b')
  await pass(2000)
  expect(two.leading.size).toBe(0)
  expect(one.leading.size).toBe(NAMES.length)
  end()
  await pass(1000)
  expect(two.leading.size).toBeGreaterThan(0)
  expect(led()).toEqual(sorted)
})

test('what a dead server led is led by another within five seconds, on another fence', async () => {
  const one = await start('a')
  const two = await start('b')
  await pass(2000)
  const before = new Map(one.leading)
  one.cut()
  await pass(3500, [two])
  expect(two.leading.size).toBe(NAMES.length - before.size)
  await pass(1250, [two])
  expect([...two.leading.keys()].sort()).toEqual(sorted)
  for (const [duty, fence] of before) expect(two.leading.get(duty)).toBeGreaterThan(fence)
})

test('a server that cannot renew stops by its own clock, before the others take over', async () => {
  const one = await start('a')
  await start('b')
  await pass(2000)
  one.cut()
  await pass(3250)
  expect(one.leading.size).toBe(0)
})

test('a server that stood still hears of it when it runs again, and leads nothing that another leads', async () => {
  const one = await start('a')
  const two = await start('b')
  await pass(2000)
  await pass(6000, [two])
  expect(two.leading.size).toBe(NAMES.length)
  one.clock.stopFor(6000)
  await pass(3000)
  expect(led()).toEqual(sorted)
  expect(one.leading.size).toBeGreaterThan(0)
})

test('a server that ends leaves at once', async () => {
  const one = await start('a')
  const two = await start('b')
  await pass(2000)
  one.ending.abort()
  const closed = one.duties.close()
  await settle()
  await closed
  expect([...two.leading.keys()].sort()).toEqual(sorted)
  expect(two.duties.members().map(({ id }) => id)).toEqual(['b'])
})

test('a server that drains gives everything away and goes on', async () => {
  const one = await start('a')
  const two = await start('b')
  await pass(2000)
  one.duties.drain()
  await settle()
  expect(one.leading.size).toBe(0)
  expect([...two.leading.keys()].sort()).toEqual(sorted)
  expect(two.duties.members().map(({ id }) => id)).toEqual(['a', 'b'])
})

test('no fence is used twice', async () => {
  const one = await start('a')
  await start('b')
  await pass(3000)
  one.clock.stopFor(10_000)
  await pass(3000)
  one.duties.drain()
  await pass(2000)
  const fences = terms.map(({ fence }) => fence)
  expect(new Set(fences).size).toBe(fences.length)
})

test('one whose Lease somebody else wrote stops, and takes it again when that one is not there', async () => {
  const one = await start('a')
  const place = { namespace: 'kube-system', name: 'homeostat-duty-one' }
  const fence = one.leading.get('one')
  await one.memory.api.change(LEASES, place, (lease) => Object.assign(lease.spec as object, { holderIdentity: 'zed' }))
  await settle()
  // Nobody called zed is there, so that it takes the duty again, on another fence.
  expect(one.leading.get('one')).toBeGreaterThan(fence ?? 0)
})
