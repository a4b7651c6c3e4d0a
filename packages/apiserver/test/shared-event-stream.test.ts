// /watch and /events of several servers on one store: a client goes on at another one after the last event that it has.

import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { startApiServer } from '../src/index.ts'
import { WIDGETS, widget, widgets } from './definitions.ts'
import { client, serveForTest } from './server.ts'

interface Shown {
  readonly revision: number
  readonly type: string
  readonly name: string
}

async function servers(count: number) {
  const store = new MemoryStore({ shared: true })
  onTestFinished(() => store.close())
  const all: ReturnType<typeof client>[] = []
  for (let n = 0; n < count; n++) {
    const server = await startApiServer({ store, host: '127.0.0.1', port: 0 })
    onTestFinished(() => server.close())
    all.push(client(server.address.port))
  }
  const on = (n: number) => all[n % count] as (typeof all)[number]
  await on(0).define(widgets)
  for (let n = 0; n < count; n++) await expect.poll(async () => (await on(n).get(WIDGETS)).status).toBe(200)
  return { on, store }
}

async function eventsAt(server: ReturnType<typeof client>, after: number | undefined, query = ''): Promise<Shown[]> {
  const headers = after === undefined ? {} : { 'last-event-id': String(after) }
  const { status, body, text } = await server.get(`/events${query}`, { headers })
  expect([status, text.slice(0, 11)]).toEqual([200, '{"events":['])
  return body.events as Shown[]
}

test('what one server has acknowledged another shows at once, in the same order', async () => {
  const { on } = await servers(2)
  for (let n = 0; n < 10; n++) {
    const { body } = await on(n).post(WIDGETS, widget(`w-${n}`))
    const shown = await eventsAt(on(n + 1), undefined)
    expect(shown.at(-1)).toMatchObject({
      type: 'ADDED',
      name: `w-${n}`,
      revision: Number(body.metadata.resourceVersion),
    })
    expect(await eventsAt(on(n), undefined)).toEqual(shown)
  }
})

test('/events goes on after Last-Event-ID, wherever it is asked: nothing is lost, nothing comes twice', async () => {
  const { on } = await servers(3)
  const { body } = await on(0).post(WIDGETS, widget('first'))
  let last = Number(body.metadata.resourceVersion)
  const seen: Shown[] = []
  const written: string[] = []
  let isWriting = true
  const write = async () => {
    for (let n = 0; n < 60; n++) {
      written.push(`w-${n}`)
      expect((await on(n).post(WIDGETS, widget(`w-${n}`))).status).toBe(201)
      if (n % 3 === 0) await on(n + 1).delete(`${WIDGETS}/w-${n}`)
    }
    isWriting = false
  }
  const read = async () => {
    for (let n = 0; ; n++) {
      const wasWriting = isWriting
      // Fewer than there are, so that the rest comes with the next question.
      const events = await eventsAt(on(n), last, '?limit=7')
      expect(events.length).toBeLessThanOrEqual(7)
      seen.push(...events)
      last = events.at(-1)?.revision ?? last
      if (events.length === 0 && !wasWriting) return
    }
  }
  await Promise.all([write(), read()])
  expect(seen.filter(({ type }) => type === 'ADDED').map(({ name }) => name)).toEqual(written)
  expect(seen.filter(({ type }) => type === 'DELETED')).toHaveLength(20)
  const revisions = seen.map(({ revision }) => revision)
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
})

test('a place that no server has been at is refused, and one that is forgotten too', async () => {
  const { on, store } = await servers(2)
  const { body } = await on(0).post(WIDGETS, widget('old'))
  const old = body.metadata.resourceVersion as string
  await on(0).post(WIDGETS, widget('new'))
  await store.compact(await store.revision())
  for (const path of ['/events', '/watch']) {
    for (const wrong of ['-1', '1.5', 'x', '9999999']) {
      const { status, body } = await on(1).get(path, { headers: { 'last-event-id': wrong } })
      expect([status, body.reason]).toEqual([400, 'BadRequest'])
    }
    const { status, body } = await on(1).get(path, { headers: { 'last-event-id': old } })
    expect([status, body.reason]).toEqual([410, 'Expired'])
  }
})

test('a server that is alone goes on after Last-Event-ID, too, and shows what one may list', async () => {
  const server = await serveForTest()
  await server.define(widgets)
  const { body } = await server.post(WIDGETS, widget('a'))
  const after = Number(body.metadata.resourceVersion)
  expect(await eventsAt(server, after)).toEqual([])
  await server.post('/api/v1/namespaces', { metadata: { name: 'other' } })
  await server.post(WIDGETS.replace('default', 'other'), widget('b'))
  await server.post(WIDGETS, widget('c'))
  const names = async (query: string) => (await eventsAt(server, undefined, query)).map(({ name }) => name)
  expect(await names(`?lastEventId=${after}`)).toEqual(['b', 'c'])
  expect(await names(`?lastEventId=${after}&limit=1`)).toEqual(['b'])
  expect(await names(`?lastEventId=${after}&namespace=default`)).toEqual(['c'])
})
