// Whole servers over one cluster: whatever one of them acknowledged, the others answer by it, also while their streams stand still.

import { startApiServer } from '@homeostat/apiserver'
import { ManualClock } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, call, type Method, revisionOf } from '../http-call.ts'
import { WatchReader } from '../watch-reader.ts'
import { widget, widgetDefinition, widgetPath } from '../widgets.ts'
import { Cluster } from './cluster.ts'
import type { ServerView } from './server-view.ts'

const NAMESPACES = '/api/v1/namespaces'
const maps = (namespace: string, name = '') => `${NAMESPACES}/${namespace}/configmaps${name && `/${name}`}`
const services = (namespace: string, name = '') => `${NAMESPACES}/${namespace}/services${name && `/${name}`}`
const names = ({ body }: Answer) =>
  body.items?.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')
const map = (name: string, value = ''): object => ({ metadata: { name }, data: { value } })

class Server {
  readonly view: ServerView
  readonly url: string
  readonly close: () => Promise<void>

  constructor(view: ServerView, url: string, close: () => Promise<void>) {
    this.view = view
    this.url = url
    this.close = close
  }

  static async start(cluster: Cluster, name: string): Promise<Server> {
    const view = await cluster.view(name)
    const server = await startApiServer({
      store: view,
      host: '127.0.0.1',
      port: 0,
      clock: new ManualClock(2_000_000_000_000, { runs: true }),
      definitions: [widgetDefinition],
      rolesLater: true,
    })
    return new Server(view, `http://127.0.0.1:${server.address.port}`, () => server.close())
  }

  call(method: Method, path: string, body?: unknown): Promise<Answer> {
    return call(this.url + path, method, body)
  }

  /** As `call`, with the stream standing still until the request waits for it or has been answered. */
  async callBehind(method: Method, path: string, body?: unknown): Promise<Answer> {
    const { answers } = this.view
    const answer = this.call(method, path, body)
    await Promise.race([answer, this.view.moreAnswers(answers)])
    this.view.flow()
    return answer
  }
}

describe('several servers on one store', () => {
  const cluster = new Cluster()
  let a: Server
  let b: Server
  let namespaces = 0

  beforeAll(async () => {
    a = await Server.start(cluster, 'a')
    b = await Server.start(cluster, 'b')
  })

  afterAll(async () => {
    await Promise.all([a.close(), b.close()])
    await cluster.close()
  })

  /** Makes a namespace that both servers know, and lets the stream of `b` stand still. */
  async function behind(): Promise<string> {
    const name = `n${++namespaces}`
    expect((await a.call('POST', NAMESPACES, { metadata: { name } })).code).toBe(201)
    expect((await b.call('GET', `${NAMESPACES}/${name}`)).code).toBe(200)
    b.view.stall()
    onTestFinished(() => b.view.flow())
    return name
  }

  it('answer reads by what any of them acknowledged, and by what they have at resourceVersion 0', async () => {
    const namespace = await behind()
    const { body } = await a.call('POST', maps(namespace), map('one'))
    expect(names(await b.call('GET', `${maps(namespace)}?resourceVersion=0`))).toEqual([])
    expect((await b.callBehind('GET', maps(namespace, 'one'))).body).toEqual(body)
    b.view.stall()
    await a.call('DELETE', maps(namespace, 'one'))
    expect((await b.call('GET', `${maps(namespace, 'one')}?resourceVersion=0`)).code).toBe(200)
    expect(names(await b.callBehind('GET', maps(namespace)))).toEqual([])
  })

  it('wait for a revision that another told of, and refuse one that is to come', async () => {
    const namespace = await behind()
    const { body } = await a.call('POST', maps(namespace), map('one'))
    const at = `${maps(namespace)}?resourceVersionMatch=NotOlderThan&resourceVersion=`
    const listed = await b.callBehind('GET', at + body.metadata.resourceVersion)
    expect(names(listed)).toEqual(['one'])
    expect((await b.call('GET', `${at}${Number(body.metadata.resourceVersion) + 1_000_000}`)).code).toBe(504)
  })

  it('continue the pages of each other, at the revision of the first', async () => {
    const namespace = await behind()
    for (const name of ['a', 'b', 'c', 'd']) await a.call('POST', maps(namespace), map(name))
    const first = await a.call('GET', `${maps(namespace)}?limit=2`)
    await a.call('DELETE', maps(namespace, 'd'))
    const token = (first.body.metadata as { continue?: string }).continue
    const next = await b.callBehind('GET', `${maps(namespace)}?limit=2&continue=${token}`)
    expect(names(next)).toEqual(['c', 'd'])
    expect(next.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion)
  })

  it('decide writes on the newest state, and conflict only with what the client itself asks for', async () => {
    const namespace = await behind()
    const one = (await a.call('POST', maps(namespace), map('one', '1'))).body
    const put = await b.callBehind('PUT', maps(namespace, 'one'), { ...one, data: { value: '2' } })
    expect([put.code, put.text]).toEqual([200, expect.stringContaining('"value":"2"')])
    b.view.stall()
    await a.call('PATCH', maps(namespace, 'one'), { data: { other: '3' } })
    const patched = await b.callBehind('PATCH', maps(namespace, 'one'), { data: { third: '4' } })
    expect(patched.body).toMatchObject({ data: { value: '2', other: '3', third: '4' } })
    expect((await b.call('PUT', maps(namespace, 'one'), one)).code).toBe(409)
    b.view.stall()
    await a.call('DELETE', maps(namespace, 'one'))
    expect((await b.callBehind('PATCH', maps(namespace, 'one'), { data: {} })).code).toBe(404)
    b.view.stall()
    await a.call('POST', maps(namespace), map('one'))
    expect((await b.callBehind('POST', maps(namespace), map('one'))).body.reason).toBe('AlreadyExists')
    b.view.stall()
    await a.call('POST', maps(namespace), map('two'))
    expect((await b.callBehind('DELETE', maps(namespace, 'two'))).code).toBe(200)
    expect((await a.call('GET', maps(namespace, 'two'))).code).toBe(404)
  })

  it('answer a write with what it stored, also when another has changed it before it is seen', async () => {
    const namespace = await behind()
    b.view.flow()
    const one = (await a.call('POST', maps(namespace), map('one'))).body
    expect((await b.call('GET', maps(namespace, 'one'))).code).toBe(200)
    b.view.stall()
    const { answers } = b.view
    const writing = b.call('PATCH', maps(namespace, 'one'), { data: { value: 'of b' } })
    await b.view.moreAnswers(answers)
    const later = await a.call('PATCH', maps(namespace, 'one'), { data: { value: 'of a' } })
    b.view.flow()
    const { code, body } = await writing
    expect([code, body]).toMatchObject([200, { data: { value: 'of b' } }])
    const revisions = [one, body, later.body].map(({ metadata }) => Number(metadata.resourceVersion))
    expect(revisions).toEqual([...new Set(revisions)].sort((x, y) => x - y))
  })

  it('answer a write with what it stored, also when another has changed it before its own stream shows it', async () => {
    const namespace = await behind()
    const value = async () => (await a.call('GET', maps(namespace, 'one'))).body as { data?: { value: string } }
    const writing = b.call('POST', maps(namespace), map('one', '1'))
    await expect.poll(async () => (await value()).data?.value).toBe('1')
    const later = await a.call('PATCH', maps(namespace, 'one'), { data: { value: '2' } })
    b.view.flow()
    const created = await writing
    expect([created.code, created.text]).toEqual([201, expect.stringContaining('"value":"1"')])
    expect(revisionOf(created.body)).toBeLessThan(revisionOf(later.body))
    expect(created.body.metadata.managedFields).toHaveLength(1)
    b.view.stall()
    const patching = b.call('PATCH', maps(namespace, 'one'), { data: { value: '3' } })
    await expect.poll(async () => (await value()).data?.value).toBe('3')
    await a.call('DELETE', maps(namespace, 'one'))
    b.view.flow()
    const patched = await patching
    expect([patched.code, patched.text]).toEqual([200, expect.stringContaining('"value":"3"')])
    expect(revisionOf(patched.body)).toBeGreaterThan(revisionOf(later.body))
  })

  it('know the namespaces and the kinds that another has just made', async () => {
    await behind()
    expect((await a.call('POST', NAMESPACES, { metadata: { name: 'fresh' } })).code).toBe(201)
    expect((await b.callBehind('POST', maps('fresh'), map('one'))).code).toBe(201)
    const definition = structuredClone(widgetDefinition)
    const spec = definition.spec as { group: string; names: object }
    spec.group = 'other.homeostat.dev'
    definition.metadata.name = 'widgets.other.homeostat.dev'
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    await a.call('POST', definitions, definition)
    await expect
      .poll(async () => (await a.call('GET', `${definitions}/widgets.other.homeostat.dev`)).text)
      .toContain('Established')
    b.view.stall()
    const discovered = await b.callBehind('GET', '/apis/other.homeostat.dev/v1')
    expect([discovered.code, discovered.text]).toEqual([200, expect.stringContaining('"widgets"')])
  })

  it('store nothing in a namespace that another has begun to delete', async () => {
    const namespace = await behind()
    await a.call('DELETE', `${NAMESPACES}/${namespace}`)
    const refused = await b.callBehind('POST', maps(namespace), map('late'))
    expect(refused.code).toBeGreaterThanOrEqual(403)
    expect((await cluster.network.truth.range(`core/configmaps/${namespace}/late`, { limit: 1 })).entries).toEqual([])
  })

  it('store nothing that was validated against a schema that another has replaced', async () => {
    const namespace = await behind()
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.test.homeostat.dev'
    const narrow = (await a.call('GET', path)).body as unknown as typeof narrowed
    const size = narrow.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties.size as { maximum?: number }
    size.maximum = 10
    expect((await a.call('PUT', path, narrow)).code).toBe(200)
    const large = widget('large', { spec: { size: 11 } })
    let refused = await b.callBehind('POST', widgetPath(namespace), large)
    // The definition has just changed: the server asks to come again.
    while (refused.code === 429) refused = await b.call('POST', widgetPath(namespace), large)
    expect([refused.code, refused.body.reason]).toEqual([422, 'Invalid'])
  })

  it('give each address to one Service, whoever makes it', async () => {
    const namespace = await behind()
    b.view.flow()
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        (i % 2 === 0 ? a : b).call('POST', services(namespace), {
          metadata: { name: `s${i}` },
          spec: { type: 'NodePort', ports: [{ port: 80 }] },
        }),
      ),
    )
    expect(made.map(({ code, text }) => (code === 201 ? '' : text))).toEqual(made.map(() => ''))
    const specs = made.map(({ body }) => body.spec as { clusterIP: string; ports: { nodePort: number }[] })
    expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).toBe(30)
    expect(new Set(specs.map(({ ports }) => ports[0]?.nodePort)).size).toBe(30)
  })

  it('admit together no more than a quota allows', async () => {
    const namespace = await behind()
    b.view.flow()
    const quotas = `${NAMESPACES}/${namespace}/resourcequotas`
    await a.call('POST', quotas, { metadata: { name: 'few' }, spec: { hard: { 'count/secrets': '7' } } })
    expect((await b.call('GET', `${quotas}/few`)).code).toBe(200)
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        (i % 2 === 0 ? a : b).call('POST', `${NAMESPACES}/${namespace}/secrets`, { metadata: { name: `s${i}` } }),
      ),
    )
    expect(made.filter(({ code }) => code === 201)).toHaveLength(7)
    expect(made.filter(({ code, text }) => code === 403 && text.includes('exceeded quota'))).toHaveLength(17)
  })

  it('resume each other’s watches and event streams, and start new ones at the newest state', async () => {
    const namespace = await behind()
    const from = Number((await a.call('POST', widgetPath(namespace), widget('one'))).body.metadata.resourceVersion)
    const two = (await a.call('POST', widgetPath(namespace), widget('two'))).body
    const ending = new AbortController()
    const readers = [
      new WatchReader({ path: widgetPath(namespace), from }),
      new WatchReader({ path: '/watch', from, serverSent: true }),
    ]
    const following = readers.map((reader) => reader.follow(b.url, ending.signal))
    b.view.flow()
    await Promise.all(readers.map((reader) => reader.reached(Number(two.metadata.resourceVersion))))
    const seen = readers.map((reader) => reader.events.map(({ type, object }) => [type, object.metadata.name]))
    expect(seen).toEqual([[['ADDED', 'two']], [['ADDED', 'two']]])
    b.view.stall()
    await a.call('POST', widgetPath(namespace), widget('three'))
    const now = `${b.url}${widgetPath(namespace)}?watch=1`
    const opened = fetch(now, { signal: ending.signal }).then(async (response) => response.body?.getReader().read())
    b.view.flow()
    const text = Buffer.from((await opened)?.value ?? []).toString()
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { object: KubeObject }).object.metadata.name),
    ).toEqual(['one', 'three', 'two'])
    ending.abort()
    await Promise.all(following)
  })

  it('answer 504 to a write whose outcome nobody knows, and to a read that the store does not answer', async () => {
    const namespace = await behind()
    b.view.flow()
    b.view.cut()
    onTestFinished(() => b.view.heal())
    expect((await b.call('POST', maps(namespace), map('one'))).code).toBe(504)
    expect((await b.call('GET', maps(namespace))).code).toBe(504)
    expect((await b.call('GET', `${maps(namespace)}?resourceVersion=0`)).code).toBe(200)
    b.view.heal()
    expect((await b.call('GET', maps(namespace))).code).toBe(200)
  })
})

declare const narrowed: {
  spec: {
    versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, object> } } } } }[]
  }
}
