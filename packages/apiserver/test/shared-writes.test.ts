// A write on a shared store, whose change the cache sees together with what another server has made of it.

import { systemClock } from '@homeostat/base'
import { type Change, MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
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
      for await (const more of super.changes(batch.at(-1)?.revision ?? 0, signal)) {
        rest.push(...more)
        if ((rest.at(-1)?.revision ?? 0) >= last) break
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
