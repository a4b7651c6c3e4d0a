import { afterAll, describe, expect, it } from 'vitest'
import type { Body } from './body.ts'
import {
  CONFIG_MAPS,
  configMap,
  GROUP,
  PLANETS,
  planet,
  planets,
  SECRETS,
  WIDGETS,
  widget,
  widgets,
} from './definitions.ts'
import { leapingRevisions, serve, serveForTest } from './server.ts'
import { story } from './watching.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(planets)
const now = async () => String(await server.store.revision())
const END = 'k8s.io/initial-events-end'

describe('a stream', () => {
  it('says at once that it is open, and what its lines are', async () => {
    const { status, headers } = await server.watch(`${WIDGETS}?resourceVersion=${await now()}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.has('content-length')).toBe(false)
  })

  it('tells of every change after the version it starts from, in order', async () => {
    const from = await now()
    const changes = await server.watch(`${WIDGETS}?resourceVersion=${from}`)
    const { body } = await server.post(WIDGETS, widget('told', { size: 1 }))
    const { body: changed } = await server.patch(`${WIDGETS}/told`, { spec: { size: 2 } })
    await server.delete(`${WIDGETS}/told`)
    const events = await changes.until(({ type }) => type === 'DELETED')
    expect(events.slice(0, 2)).toEqual([
      { type: 'ADDED', object: body },
      { type: 'MODIFIED', object: changed },
    ])
    const gone = events[2]?.object as Body
    const [before, last] = [changed, gone].map(({ metadata }) => Number(metadata.resourceVersion)) as [number, number]
    // Nobody else writes to a store in memory.
    if (server.store.shared) expect(last).toBeGreaterThan(before)
    else expect(last).toBe(leapingRevisions.next(before))
    expect({ ...gone, metadata: changed.metadata }).toEqual(changed)

    const resumed = await server.watch(`${WIDGETS}?resourceVersion=${changed.metadata.resourceVersion}`)
    expect(await resumed.next()).toEqual(events[2])
    const again = await server.watch(`${WIDGETS}?resourceVersion=${from}`)
    expect(await again.until(({ type }) => type === 'DELETED')).toEqual(events)
  })

  it('starts with what exists when no version, or 0, is given', async () => {
    const at = WIDGETS.replace('default', 'kube-public')
    for (const name of ['b', 'a']) await server.post(at, widget(name))
    for (const query of ['', '?resourceVersion=0', '?resourceVersion=']) {
      const changes = await server.watch(`${at}${query}`)
      expect(story([await changes.next(), await changes.next()])).toBe('ADDED a, ADDED b')
      await server.patch(`${at}/a`, { spec: { size: Math.floor(Math.random() * 1e6) } })
      expect(story([await changes.next()])).toBe('MODIFIED a')
    }
  })

  it('covers one namespace, all of them, one object, or a selection', async () => {
    const from = `resourceVersion=${await now()}`
    const watches = await Promise.all([
      server.watch(`${WIDGETS}?${from}`),
      server.watch(`/apis/${GROUP}/v1/widgets?${from}`),
      server.watch(`${WIDGETS}/one?${from}`),
      server.watch(`${WIDGETS}?fieldSelector=metadata.name%3Done&${from}`),
      server.watch(`${WIDGETS}?labelSelector=pick%3Dme&${from}`),
    ])
    await server.post(WIDGETS, widget('one'))
    await server.post(WIDGETS, widget('two', {}, { labels: { pick: 'me' } }))
    await server.post(WIDGETS.replace('default', 'kube-system'), widget('far'))
    const ends = ['two', 'far', 'one', 'one', 'two']
    const seen = await Promise.all(
      watches.map((watch, i) => watch.until(({ object }) => object.metadata.name === ends[i])),
    )
    expect(seen.map(story)).toEqual([
      'ADDED one, ADDED two',
      'ADDED one, ADDED two, ADDED far',
      'ADDED one',
      'ADDED one',
      'ADDED two',
    ])
  })

  it('works on the old paths too', async () => {
    const one = await server.watch(`/apis/${GROUP}/v1/watch/namespaces/default/widgets/old`)
    const all = await server.watch(`/apis/${GROUP}/v1/watch/planets?resourceVersion=${await now()}`)
    const core = await server.watch(`/api/v1/watch/namespaces/default/configmaps?resourceVersion=${await now()}`)
    await server.post(WIDGETS, widget('old'))
    await server.post(PLANETS, planet('pluto'))
    await server.post(CONFIG_MAPS, configMap('old'))
    expect(story([await one.next(), await all.next(), await core.next()])).toBe('ADDED old, ADDED pluto, ADDED old')
  })

  it('misses nothing when it was asked for ahead of the response before it', async () => {
    const body = JSON.stringify(configMap('ahead'))
    const answer = server.raw(
      `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        `GET ${CONFIG_MAPS}/ahead?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    expect(await answer).toContain('{"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap"')
  })

  it('ends by itself after the seconds that were asked for', async () => {
    const started = Date.now()
    const changes = await server.watch(`${WIDGETS}?resourceVersion=${await now()}&timeoutSeconds=1`)
    expect(await changes.rest()).toEqual([])
    expect(Date.now() - started).toBeGreaterThanOrEqual(1000)
  })

  it('ends when the server does', async () => {
    const own = await serveForTest()
    const changes = await own.watch(SECRETS)
    await own.close()
    expect(await changes.rest()).toEqual([])
  })

  it('is refused where it makes no sense', async () => {
    const code = async (query: string) => (await server.get(`${WIDGETS}?watch=true&${query}`)).status
    expect(await code('resourceVersion=abc')).toBeGreaterThanOrEqual(400)
    expect(await code('labelSelector=a%20b')).toBe(400)
    expect(await code('fieldSelector=spec.size%3D1')).toBe(400)
    expect(await code('resourceVersionMatch=NotOlderThan&resourceVersion=1')).toBe(422)
    expect(await code('sendInitialEvents=true')).toBe(422)
    expect(await code('sendInitialEvents=true&resourceVersionMatch=Exact')).toBe(422)
    expect((await server.get(`${WIDGETS}?watch=true`, { accept: 'application/yaml' })).status).toBe(406)
    const old = await server.raw(`GET ${WIDGETS}?watch=1 HTTP/1.0\r\nHost: localhost\r\n\r\n`)
    expect(old).toMatch(/^HTTP\/1.1 400 /)
  })
})

describe('a selector', () => {
  it('shows an object that starts to match as new, and one that stops as deleted', async () => {
    await server.post(WIDGETS, widget('shifting', { size: 1 }, { labels: { state: 'off' } }))
    const changes = await server.watch(`${WIDGETS}?labelSelector=state%3Don&resourceVersion=${await now()}`)
    const label = (state: string, size: number) =>
      server.patch(`${WIDGETS}/shifting`, { metadata: { labels: { state } }, spec: { size } })
    await label('off', 2)
    const on = (await label('on', 3)).body
    const on2 = (await label('on', 4)).body
    const off = (await label('off', 5)).body
    await label('off', 6)
    await label('on', 7)
    await server.delete(`${WIDGETS}/shifting`)
    const events = [...(await changes.until(({ type }) => type === 'DELETED'))]
    events.push(...(await changes.until(({ type }) => type === 'DELETED')))
    expect(story(events)).toBe('ADDED shifting, MODIFIED shifting, DELETED shifting, ADDED shifting, DELETED shifting')
    expect(events[0]?.object).toEqual(on)
    // DELETED carries the last visible state with the revision of the change that removed it.
    expect(events[2]?.object).toEqual({
      ...on2,
      metadata: { ...on2.metadata, resourceVersion: off.metadata.resourceVersion },
    })
  })
})

describe('bookmarks', () => {
  it('mark the end of the initial events', async () => {
    const { body } = await server.post(PLANETS, planet('first'))
    for (const query of [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=1',
      'allowWatchBookmarks=true',
    ]) {
      const changes = await server.watch(`${PLANETS}?${query}`)
      const events = await changes.until(({ type }) => type === 'BOOKMARK')
      expect(story(events)).toBe('ADDED first, ADDED pluto, BOOKMARK')
      expect(events[0]?.object).toEqual(body)
      expect(events[2]?.object).toEqual({
        kind: 'Planet',
        apiVersion: `${GROUP}/v1`,
        metadata: { resourceVersion: await now(), creationTimestamp: null, annotations: { [END]: 'true' } },
      })
      await server.patch(`${PLANETS}/first`, { spec: { size: Math.floor(Math.random() * 1e6) } })
      const { type, object } = await changes.next()
      expect(type).toBe('MODIFIED')
      Object.assign(body, object)
    }
  })

  it('come only to those who asked, also before the end of a stream', async () => {
    const from = await now()
    const [asked, silent] = await Promise.all([
      server.watch(`${PLANETS}?resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=1`),
      server.watch(`${PLANETS}?resourceVersion=${from}&timeoutSeconds=1`),
    ])
    const { body } = await server.post(CONFIG_MAPS, configMap('unrelated'))
    const [events, none] = await Promise.all([asked.rest(), silent.rest()])
    expect(none).toEqual([])
    expect(events.length).toBeGreaterThan(0)
    expect(events.every(({ type }) => type === 'BOOKMARK')).toBe(true)
    const told = events.at(-1)?.object as Body
    expect(told).toEqual({
      kind: 'Planet',
      apiVersion: `${GROUP}/v1`,
      metadata: { resourceVersion: expect.any(String), creationTimestamp: null },
    })
    const [reached, written] = [told, body].map(({ metadata }) => Number(metadata.resourceVersion)) as [number, number]
    // Of a shared store the servers' own heartbeats are changes, too.
    if (server.store.shared) expect(reached).toBeGreaterThanOrEqual(written)
    else expect(reached).toBe(written)
  })

  it('are not sent for initial events that nobody asked for', async () => {
    const changes = await server.watch(
      `${PLANETS}?sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=${await now()}&allowWatchBookmarks=true`,
    )
    await server.patch(`${PLANETS}/pluto`, { spec: { size: 1 } })
    expect(story([await changes.next()])).toBe('MODIFIED pluto')
  })
})

describe('history', () => {
  it('that is gone is reported as an event of the stream', async () => {
    const first = await serveForTest()
    await first.post(CONFIG_MAPS, configMap('a'))
    const { store } = first
    const old = await store.revision()
    await first.patch(`${CONFIG_MAPS}/a`, { data: { k: 'v' } })
    const second = await serveForTest({ store })
    const resumed = await second.watch(`${CONFIG_MAPS}?resourceVersion=${old}`)
    expect(story([await resumed.next()])).toBe('MODIFIED a')
    await store.compact(await store.revision())
    const late = await second.watch(`${CONFIG_MAPS}?resourceVersion=${old}`)
    expect(late.status).toBe(200)
    const events = await late.rest()
    expect(events).toMatchObject([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          status: 'Failure',
          code: 410,
          reason: 'Expired',
          message: expect.stringMatching(new RegExp(`^too old resource version: ${old} \\(\\d+\\)$`)),
        },
      },
    ])
  })

  it('is complete between a list and a watch, whoever writes meanwhile', async () => {
    const writer = async (name: string) => {
      await server.post(CONFIG_MAPS, configMap(name))
      for (let i = 0; i < 60; i++) await server.patch(`${CONFIG_MAPS}/${name}`, { data: { i: String(i) } })
      await server.patch(`${CONFIG_MAPS}/${name}`, { data: { i: 'last' } })
    }
    const writers = ['w1', 'w2', 'w3', 'w4'].map(writer)
    const follow = async () => {
      const list = (await server.get(CONFIG_MAPS)).body
      const state = new Map(list.items.map((item) => [item.metadata.name, item]))
      const changes = await server.watch(`${CONFIG_MAPS}?resourceVersion=${list.metadata.resourceVersion}`)
      let version = Number(list.metadata.resourceVersion)
      const done = () =>
        ['w1', 'w2', 'w3', 'w4'].every((name) => JSON.stringify(state.get(name)?.data) === '{"i":"last"}')
      while (!done()) {
        const { type, object } = await changes.next()
        expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(version)
        version = Number(object.metadata.resourceVersion)
        expect(type).toBe(state.has(object.metadata.name) ? 'MODIFIED' : 'ADDED')
        state.set(object.metadata.name, object)
      }
      return [...state.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    }
    const followers = Array.from({ length: 10 }, follow)
    await Promise.all(writers)
    const { items } = (await server.get(CONFIG_MAPS)).body
    // Items of a list omit the kind; events have it.
    const untyped = ({ apiVersion: _, kind: __, ...item }: Body) => item
    for (const state of await Promise.all(followers)) expect(state.map(untyped)).toEqual(items)
  })
})

describe('other forms', () => {
  it('are tables of one row, whose columns are said once', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const at = WIDGETS.replace('default', 'kube-node-lease')
    await server.post(at, widget('t', { size: 1 }))
    const changes = await server.watch(`${at}?allowWatchBookmarks=true`, { accept })
    await changes
      .until(({ type }) => type === 'BOOKMARK')
      .then((events) => {
        expect(events[0]).toMatchObject({
          type: 'ADDED',
          object: {
            kind: 'Table',
            columnDefinitions: [{ name: 'Name' }, {}, {}, {}],
            rows: [{ cells: ['t', 1, null, expect.any(String)], object: { kind: 'PartialObjectMetadata' } }],
          },
        })
        expect(events[1]?.object).toMatchObject({
          kind: 'Table',
          rows: [{ object: { metadata: { annotations: { [END]: 'true' } } } }],
        })
      })
    await server.patch(`${at}/t`, { spec: { size: 2 } })
    const { type, object } = await changes.next()
    expect(type).toBe('MODIFIED')
    expect(object.columnDefinitions ?? null).toBeNull()
    expect(object.rows).toMatchObject([{ cells: ['t', 2, null, expect.any(String)] }])
    const later = await server.watch(`${at}?resourceVersion=${await now()}`, { accept })
    await server.delete(`${at}/t`)
    expect(await later.next()).toMatchObject({ type: 'DELETED', object: { columnDefinitions: [{}, {}, {}, {}] } })
  })

  it('are metadata alone', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
    const changes = await server.watch(`${WIDGETS}?resourceVersion=${await now()}`, { accept })
    const { body } = await server.post(WIDGETS, widget('meta', { size: 5 }))
    await server.delete(`${WIDGETS}/meta`)
    expect(await changes.next()).toEqual({
      type: 'ADDED',
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: body.metadata },
    })
    const { object } = await changes.next()
    expect(object.metadata).toEqual({ ...body.metadata, resourceVersion: await now() })
  })
})

it('reaches every one of many watchers of every form', async () => {
  const from = await now()
  const accepts = ['application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io']
  const watches = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      server.watch(`${WIDGETS}?resourceVersion=${from}${i % 3 === 0 ? '&labelSelector=crowd' : ''}`, {
        accept: accepts[i % 2] ?? '',
      }),
    ),
  )
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => server.post(WIDGETS, widget(`crowd-${i}`, {}, { labels: { crowd: 'yes' } }))),
  )
  for (const watch of watches) {
    const versions: number[] = []
    for (let i = 0; i < 20; i++) {
      const { type, object } = await watch.next()
      expect(type).toBe('ADDED')
      const row = (object.rows as { object: Body }[] | undefined)?.[0]?.object
      versions.push(Number((row ?? object).metadata.resourceVersion))
    }
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
    expect(new Set(versions).size).toBe(20)
  }
})

it('as tables shows ages by the clock of the server', async () => {
  const clock = { now: () => Date.UTC(2020, 0, 1), setTimer: () => () => {} }
  const own = await serveForTest({ clock })
  await own.post(CONFIG_MAPS, configMap('young'))
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const events = await own.watch(`${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name=young`, { accept })
  const [first] = await events.until(({ type }) => type === 'ADDED')
  expect(first?.object).toMatchObject({ rows: [{ cells: ['young', 0, '0s'] }] })
  events.close()
})
