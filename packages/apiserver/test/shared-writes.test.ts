// A write on a shared store, whose change the cache sees together with what another server has made of it.

import { systemClock } from '@homeostat/base'
import { type Change, MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BareServer } from './bare-server.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }
const MAPS = { group: '', resource: 'configmaps' }
const PLACE = { namespace: 'n', name: 'm' }

/** As of a server whose stream stands still until `flow`, and then brings all changes at once. */
class LateStore extends MemoryStore {
  #still: PromiseWithResolvers<void> | undefined

  stall(): void {
    this.#still = Promise.withResolvers()
  }

  flow(): void {
    this.#still?.resolve()
  }

  override async *changes(after: number, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    for await (const batch of super.changes(after, signal)) {
      const still = this.#still
      if (still === undefined) {
        yield batch
        continue
      }
      await still.promise
      this.#still = undefined
      const rest: Change[] = [...batch]
      const last = await this.revision()
      const seen = () => rest.at(-1)?.revision ?? 0
      for await (const more of seen() < last ? super.changes(seen(), signal) : []) {
        rest.push(...more)
        if (seen() >= last) break
      }
      yield rest
    }
  }
}

test('a write is answered with what it stored, though the cache shows a later write of another server', async () => {
  const store = new LateStore({ shared: true })
  const server = await BareServer.start({ store, clock: systemClock, id: 'a' })
  onTestFinished(() => server.close())
  await server.api.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
  await server.api.create(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: PLACE, data: { from: 'nobody' } })
  const other = await BareServer.start({ store: asOther(store), clock: systemClock, id: 'b' })
  onTestFinished(() => other.close())
  store.stall()
  const before = await store.revision()
  const writing = server.api.change(MAPS, PLACE, (map) => Object.assign(map, { data: { from: 'a' } }))
  await expect.poll(() => store.revision()).toBeGreaterThan(before)
  const later = await other.api.change(MAPS, PLACE, (map) => Object.assign(map, { data: { from: 'b' } }))
  store.flow()
  const own = await writing
  expect([own?.data, later?.data]).toEqual([{ from: 'a' }, { from: 'b' }])
  expect(Number(own?.metadata.resourceVersion)).toBeLessThan(Number(later?.metadata.resourceVersion))
})

/** Draws the first name of that many times, and then others. */
function drawAlike(times: number) {
  let drawn = 0
  const random = vi.spyOn(Math, 'random').mockImplementation(() => {
    const name = Math.floor(drawn++ / 5)
    return name < times ? 0 : (name % 27) / 27
  })
  onTestFinished(() => random.mockRestore())
}

async function two() {
  const store = new LateStore({ shared: true })
  const one = await BareServer.start({ store, clock: systemClock, id: 'a' })
  onTestFinished(() => one.close())
  const other = await BareServer.start({ store: asOther(store), clock: systemClock, id: 'b' })
  onTestFinished(() => other.close())
  await one.api.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
  const generated = ({ api }: BareServer) =>
    api.create(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'n', generateName: 'map-' } })
  return { store, one, other, generated }
}

test('a name that two servers draw at the same time is given once, and the other draws again', async () => {
  const { one, other, generated } = await two()
  drawAlike(4)
  const made = await Promise.all([generated(one), generated(other), generated(one)])
  const names = made.map(({ metadata }) => metadata.name)
  expect(names).toContain('map-bbbbb')
  expect(new Set(names).size).toBe(3)
  for (const { api } of [one, other])
    await expect.poll(() => new Set(api.names(MAPS, 'n', 10).map(({ name }) => name))).toEqual(new Set(names))
})

test('a drawn name that another server gave, which this one has not heard of, is drawn again', async () => {
  const { store, one, other, generated } = await two()
  drawAlike(2)
  store.stall()
  expect((await generated(other)).metadata.name).toBe('map-bbbbb')
  const before = await store.revision()
  const drawing = generated(one)
  store.flow()
  expect((await drawing).metadata.name).toMatch(/^map-(?!bbbbb)/)
  expect(await store.revision()).toBe(before + 1)
})

test('a server that draws taken names alone says so as Kubernetes does, for clients to try again', async () => {
  const { one, other, generated } = await two()
  drawAlike(Number.POSITIVE_INFINITY)
  await generated(other)
  await expect(generated(one)).rejects.toMatchObject({
    code: 409,
    status: {
      reason: 'AlreadyExists',
      message:
        'configmaps "map-bbbbb" already exists, the server was not able to generate a unique name for the object',
      details: { name: 'map-bbbbb', kind: 'configmaps', retryAfterSeconds: 1 },
    },
  })
})

/** The same store, with a stream that does not stand still. */
function asOther(store: LateStore): MemoryStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'changes') return MemoryStore.prototype.changes.bind(target)
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
