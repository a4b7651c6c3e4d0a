// How the server reports a store's refusal of a write: the size limit, and a stale fence.

import { MemoryStore, type WriteOutcome } from '@homeostat/store'
import { expect, it } from 'vitest'
import { serveForTest } from './server.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const map = (name: string, bytes: number) => ({ metadata: { name }, data: { text: 'x'.repeat(bytes) } })

it('refuses with 413 what is longer than the store takes, and takes what fits', async () => {
  const server = await serveForTest({ store: new MemoryStore({ maxValueBytes: 20_000 }) })
  const { status, body } = await server.post(MAPS, map('long', 20_000))
  expect([status, body.reason]).toEqual([413, 'RequestEntityTooLarge'])
  expect(body.message).toContain('the limit is 20000')
  expect((await server.post(MAPS, map('fits', 19_000))).status).toBe(201)
  const grown = await server.patch(`${MAPS}/fits`, { data: { more: 'x'.repeat(1_000) } })
  expect(grown.status).toBe(413)
  expect((await server.get(`${MAPS}/fits`)).body.data).not.toHaveProperty('more')
})

it('gives up with 429, and stores nothing, when what a write was decided on changes all the time', async () => {
  class Fenced extends MemoryStore {
    tries = 0
    override put(...write: Parameters<MemoryStore['put']>): Promise<WriteOutcome> {
      if (!write[0].startsWith('core/configmaps/default/')) return super.put(...write)
      this.tries++
      return Promise.resolve({ type: 'fenced', key: 'core/namespaces/default' })
    }
  }
  const store = new Fenced({ shared: true })
  const server = await serveForTest({ store })
  const { status, body } = await server.post(MAPS, map('a', 1))
  expect([status, body.reason]).toEqual([429, 'TooManyRequests'])
  expect(store.tries).toBeGreaterThan(1)
  expect((await server.get(`${MAPS}/a`)).status).toBe(404)
})
