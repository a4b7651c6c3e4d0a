import { type Change, MemoryStore } from '@homeostat/store'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { CONFIG_MAPS, configMap, definition, GROUP, WIDGETS, widget, widgets } from './definitions.ts'
import { serve, serveForTest } from './server.ts'

const server = await serve()
afterAll(() => server.close())

interface ServerSent {
  readonly id: number
  readonly event: string
  readonly data: { type: string; object: { kind: string; metadata: { name: string; resourceVersion: string } } }
}

async function* follow(query = '', headers: Record<string, string> = {}, from = server): AsyncGenerator<ServerSent> {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(`${from.url}/watch${query}`, { headers, signal: abort.signal })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString()
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)))
      if (fields.data !== undefined)
        yield { id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data) } as ServerSent
      // After the opening comment no event is missed.
      else yield { id: 0, event: 'comment', data: {} as ServerSent['data'] }
    }
  }
}

async function next(events: AsyncGenerator<ServerSent>): Promise<ServerSent> {
  for (;;) {
    const { value } = await events.next()
    if ((value as ServerSent).event !== 'comment') return value as ServerSent
  }
}

const short = ({ event, data }: ServerSent) => `${event} ${data.object.metadata.name}`

it('has nothing to tell of before there is a custom resource', async () => {
  expect((await server.get('/crd')).body).toMatchObject({ kind: 'CustomResourceDefinitionList', items: [] })
  expect((await server.get('/events')).body).toEqual({ events: [] })
  await server.define(widgets)
})

it('streams every change of custom resources, and of nothing else', async () => {
  const events = follow()
  await events.next()
  await server.post(CONFIG_MAPS, configMap('unseen'))
  const { body } = await server.post(WIDGETS, widget('a'))
  await server.patch(`${WIDGETS}/a`, { spec: { size: 1 } })
  await server.delete(`${WIDGETS}/a`)
  const first = await next(events)
  expect(first).toEqual({
    id: Number(body.metadata.resourceVersion),
    event: 'ADDED',
    data: { type: 'ADDED', object: body },
  })
  const rest = [await next(events), await next(events)]
  expect(rest.map(short)).toEqual(['MODIFIED a', 'DELETED a'])
  expect(rest.map(({ id, data }) => String(id) === data.object.metadata.resourceVersion)).toEqual([true, true])
})

it('goes on after Last-Event-ID, each change once and in order', async () => {
  const { body } = await server.post(WIDGETS, widget('resumed'))
  for (let size = 0; size < 5; size++) await server.patch(`${WIDGETS}/resumed`, { spec: { size } })
  const last = { 'last-event-id': body.metadata.resourceVersion }
  for (const events of [follow('', last), follow(`?lastEventId=${body.metadata.resourceVersion}`)]) {
    const seen: ServerSent[] = []
    while (seen.length < 5) seen.push(await next(events))
    expect(seen.map(short)).toEqual(Array(5).fill('MODIFIED resumed'))
    expect(seen.map(({ id }) => id)).toEqual([...seen.map(({ id }) => id)].sort((a, b) => a - b))
    await server.patch(`${WIDGETS}/resumed`, { metadata: { labels: { n: String(Math.random()) } } })
    expect(short(await next(events))).toBe('MODIFIED resumed')
  }
})

it('misses nothing that is written while it replays', async () => {
  const { body } = await server.post(WIDGETS, widget('busy'))
  let size = 0
  const write = async () => {
    for (let i = 0; i < 40; i++) await server.patch(`${WIDGETS}/busy`, { spec: { size: size++ } })
  }
  const writers = Array.from({ length: 5 }, write)
  const read = async () => {
    const events = follow('?name=busy', { 'last-event-id': body.metadata.resourceVersion })
    const ids: number[] = []
    while (ids.length < 200) ids.push((await next(events)).id)
    return ids
  }
  const readers = Array.from({ length: 8 }, read)
  await Promise.all(writers)
  const [first, ...others] = await Promise.all(readers)
  expect(first).toEqual([...new Set(first)].sort((a, b) => a - b))
  for (const ids of others) expect(ids).toEqual(first)
})

it('misses nothing of what the store knows before the rest of the server does', async () => {
  const store = new GatedStore()
  const own = await serveForTest({ store })
  await own.define(widgets)
  const { body } = await own.post(WIDGETS, widget('gated'))
  await own.patch(`${WIDGETS}/gated`, { spec: { size: 1 } })
  const release = store.hold()
  const late = own.patch(`${WIDGETS}/gated`, { spec: { size: 2 } })
  while ((await store.revision()) < Number(body.metadata.resourceVersion) + 2) await new Promise(setImmediate)
  const events = follow('', { 'last-event-id': body.metadata.resourceVersion }, own)
  expect(short(await next(events))).toBe('MODIFIED gated')
  release()
  const { body: last } = await late
  expect((await next(events)).data.object).toEqual(last)
})

/** A store whose first follower, the watch cache, can be paused. */
class GatedStore extends MemoryStore {
  #gate: Promise<void> | undefined
  #followers = 0

  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gate = promise
    return resolve
  }

  override async *changes(after: number, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    const first = this.#followers++ === 0
    for await (const batch of super.changes(after, signal)) {
      if (first) await this.#gate
      yield batch
    }
  }
}

it('refuses an id that it cannot have given, and says when history is gone', async () => {
  const answer = (id: string) => server.get('/watch', { headers: { 'last-event-id': id } })
  for (const id of ['soon', '-1', '999999999', '1e3']) expect((await answer(id)).status, id).toBe(400)
  const own = await serveForTest()
  await own.define(widgets)
  await own.store.compact(await own.store.revision())
  expect((await own.get('/watch', { headers: { 'last-event-id': '1' } })).body).toMatchObject({
    code: 410,
    reason: 'Expired',
  })
})

it('can be narrowed by the query', async () => {
  await server.define(definition({ plural: 'gears', names: { shortNames: ['gr'] } }))
  const gears = `/apis/${GROUP}/v1/namespaces/default/gears`
  const queries = [
    'kind=gear',
    'resource=gr',
    'group=none.example',
    'namespace=kube-public',
    'name=pick',
    'labelSelector=pick%3Dyes',
  ]
  const streams = queries.map((query) => follow(`?${query}`))
  await Promise.all(streams.map((stream) => stream.next()))
  const gear = { apiVersion: `${GROUP}/v1`, kind: 'Gear', metadata: { name: 'g' } }
  await server.post(gears, gear)
  await server.post(WIDGETS.replace('default', 'kube-public'), widget('public'))
  await server.post(WIDGETS, widget('pick', {}, { labels: { pick: 'yes' } }))
  const [kind, resource, group, namespace, name, labels] = streams
  if (!kind || !resource || !group || !namespace || !name || !labels) throw new Error('a stream is missing')
  expect(short(await next(kind))).toBe('ADDED g')
  expect(short(await next(resource))).toBe('ADDED g')
  expect(short(await next(namespace))).toBe('ADDED public')
  expect(short(await next(name))).toBe('ADDED pick')
  expect(short(await next(labels))).toBe('ADDED pick')
  await server.patch(`${WIDGETS}/pick`, { metadata: { labels: { pick: 'no' } } })
  expect(short(await next(labels))).toBe('DELETED pick')
  expect((await server.get('/watch?labelSelector=a%20b')).status).toBe(400)
})

it('lists the last changes, newest last', async () => {
  await server.post(WIDGETS, widget('listed'), { headers: { 'user-agent': 'somebody/1.0' } })
  await server.delete(`${WIDGETS}/listed`)
  const events = async (query: string) =>
    (await server.get(`/events?${query}`)).body.events as Record<string, unknown>[]
  expect(await events('name=listed')).toEqual([
    {
      type: 'ADDED',
      revision: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      apiVersion: `${GROUP}/v1`,
      kind: 'Widget',
      resource: 'widgets',
      namespace: 'default',
      name: 'listed',
      uid: expect.any(String),
      generation: 1,
      user: 'system:admin',
      manager: 'somebody',
    },
    expect.objectContaining({ type: 'DELETED', name: 'listed' }),
  ])
  expect(await events('limit=1')).toMatchObject([{ type: 'DELETED', name: 'listed' }])
  expect((await events('')).every(({ kind }) => kind !== 'ConfigMap')).toBe(true)
})

it('lists what is left when the past is compacted while it is read', async () => {
  class ForgettingStore extends MemoryStore {
    forgets = false

    override async keptFrom(revision: number): Promise<number> {
      const kept = await super.keptFrom(revision)
      if (this.forgets) await this.compact((await this.revision()) - 1)
      return kept
    }
  }
  const store = new ForgettingStore()
  const own = await serveForTest({ store })
  await own.define(widgets)
  for (const name of ['first', 'last']) await own.post(WIDGETS, widget(name))
  store.forgets = true
  expect((await own.get('/events')).body.events).toMatchObject([{ type: 'ADDED', name: 'last' }])
})

it('lists the definitions, also when there is one, but for those the server brings itself', async () => {
  const { body } = await server.get('/crd')
  expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['gears.example.com', 'widgets.example.com'])
  const own = await serveForTest()
  await own.define(widgets)
  const labels = { 'app.kubernetes.io/managed-by': 'homeostat' }
  await own.define({ ...definition({ plural: 'gears' }), metadata: { name: `gears.${GROUP}`, labels } })
  expect((await own.get('/crd')).body).toMatchObject({
    kind: 'CustomResourceDefinitionList',
    items: [{ spec: { group: GROUP } }],
  })
})

it('ends when the server does', async () => {
  const own = await serveForTest()
  const events = follow('', {}, own)
  await events.next()
  await own.close()
  expect((await events.next()).done).toBe(true)
})
