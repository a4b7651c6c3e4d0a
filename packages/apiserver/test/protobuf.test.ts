import { writeJson } from '@homeostat/meta'
import { afterAll, describe, expect, it } from 'vitest'
import { loadProtobuf } from '../src/represent/protobuf.ts'
import { CONFIG_MAPS, configMap, WIDGETS, widget, widgets } from './definitions.ts'
import { DEFINITIONS, serve } from './server.ts'

const TYPE = 'application/vnd.kubernetes.protobuf'
const PARTIAL = `${TYPE};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`
const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.post(WIDGETS, widget('a', { size: 1 }))
const protobuf = await loadProtobuf()

interface Decoded {
  readonly kind: string
  readonly metadata: Record<string, string>
  readonly items: Decoded[]
  readonly [field: string]: unknown
}

async function send(method: string, path: string, body?: object, accept = TYPE) {
  const response = await fetch(server.url + path, {
    method,
    headers: { accept, ...(body && { 'content-type': TYPE }) },
    ...(body && { body: new Uint8Array(protobuf.encode(Buffer.from(writeJson(body)))) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  const object = type === TYPE ? read(bytes) : JSON.parse(bytes.toString())
  return { status: response.status, type, object: object as Decoded }
}

function read(bytes: Buffer): Decoded {
  return protobuf.decode(bytes, { apiVersion: '', kind: '' }) as unknown as Decoded
}

describe('a body in protobuf', () => {
  it('creates, replaces and deletes objects as one in JSON does', async () => {
    const created = await send('POST', CONFIG_MAPS, { ...configMap('p', { k: 'v' }), binaryData: { b: 'AAE=' } }, '*/*')
    expect(created).toMatchObject({ status: 201, type: 'application/json' })
    expect((await server.get(`${CONFIG_MAPS}/p`)).body).toEqual(created.object)
    expect(created.object).toMatchObject({ data: { k: 'v' }, binaryData: { b: 'AAE=' } })
    await send('PUT', `${CONFIG_MAPS}/p`, configMap('p', { k: 'w' }))
    expect((await server.get(`${CONFIG_MAPS}/p`)).body).toMatchObject({ data: { k: 'w' } })
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'other' } }
    expect((await send('DELETE', `${CONFIG_MAPS}/p`, options)).status).toBe(409)
    expect((await send('DELETE', `${CONFIG_MAPS}/p`, { ...options, preconditions: {} })).status).toBe(200)
    expect((await server.get(`${CONFIG_MAPS}/p`)).status).toBe(404)
  })

  it('may define custom resources, whose objects then have no protobuf', async () => {
    const definition = (await server.get(`${DEFINITIONS}/widgets.example.com`)).body
    const { status, object } = await send('PUT', `${DEFINITIONS}/widgets.example.com`, definition)
    expect(status).toBe(200)
    expect(object.spec).toEqual(definition.spec)
    const refused = await send('POST', WIDGETS, configMap('x'), '*/*')
    expect(refused).toMatchObject({ status: 415, object: { reason: 'UnsupportedMediaType' } })
    const options = { apiVersion: 'example.com/v1', kind: 'DeleteOptions', dryRun: ['All'] }
    expect((await send('DELETE', `${WIDGETS}/a`, options, '*/*')).status).toBe(200)
  })

  it('is refused when it is of another kind, or nothing at all', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }
    expect((await send('POST', CONFIG_MAPS, secret)).status).toBe(400)
    for (const body of ['', 'x', 'k8s\0x']) {
      const { status, body: answer } = await server.post(CONFIG_MAPS, body, { type: TYPE })
      expect(status).toBe(400)
      expect(answer.message).toContain('must be of type ConfigMap')
    }
  })

  it('is no patch', async () => {
    expect((await server.patch(`${CONFIG_MAPS}/x`, {}, { type: TYPE })).status).toBe(415)
  })
})

describe('a response in protobuf', () => {
  it('goes to those who prefer it, and says what JSON says', async () => {
    await server.post(CONFIG_MAPS, configMap('q', { k: 'v' }))
    for (const path of [`${CONFIG_MAPS}/q`, '/api/v1/namespaces/default', `${DEFINITIONS}/widgets.example.com`]) {
      const { status, object } = await send('GET', path)
      expect(status).toBe(200)
      expect(object).toMatchObject((await server.get(path)).body)
    }
    for (const accept of [`${TYPE},application/json`, `application/json;q=0.1,${TYPE}`]) {
      expect((await server.get(`${CONFIG_MAPS}/q`, { accept })).headers.get('content-type')).toBe(TYPE)
    }
    const rather = await server.get(`${CONFIG_MAPS}/q`, { accept: `application/json,${TYPE}` })
    expect(rather.headers.get('content-type')).toBe('application/json')
  })

  it('may be a list, in pages', async () => {
    const { object } = await send('GET', '/api/v1/namespaces?limit=2')
    const { body } = await server.get('/api/v1/namespaces?limit=2')
    expect(object.kind).toBe('NamespaceList')
    expect(object.metadata).toMatchObject({ resourceVersion: body.metadata.resourceVersion, remainingItemCount: 2 })
    expect(object.items.map(({ metadata }) => metadata.name)).toEqual(body.items?.map(({ metadata }) => metadata.name))
  })

  it('may be an error, or the success of a DELETE', async () => {
    const missing = await send('GET', `${CONFIG_MAPS}/none`)
    expect(missing).toMatchObject({
      status: 404,
      type: TYPE,
      object: { kind: 'Status', reason: 'NotFound', code: 404 },
    })
    await server.post(CONFIG_MAPS, configMap('r'))
    expect((await send('DELETE', `${CONFIG_MAPS}/r`)).object).toMatchObject({ kind: 'Status', status: 'Success' })
  })

  it('tells which resources there are', async () => {
    expect((await send('GET', '/api')).object).toMatchObject({ kind: 'APIVersions', versions: ['v1'] })
    expect((await send('GET', '/apis')).object.kind).toBe('APIGroupList')
    const { resources } = (await send('GET', '/apis/example.com/v1')).object as unknown as { resources: Decoded[] }
    expect(resources[0]).toMatchObject({ name: 'widgets', verbs: expect.arrayContaining(['list']) })
  })

  it('of a custom resource has its metadata at most', async () => {
    expect((await send('GET', WIDGETS)).status).toBe(406)
    const { metadata } = (await server.get(`${WIDGETS}/a`)).body
    expect((await send('GET', `${WIDGETS}/a`, undefined, PARTIAL)).object).toEqual({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata,
    })
    const list = await send('GET', WIDGETS, undefined, PARTIAL.replace(';v', 'List;v'))
    expect(list.object).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{ metadata }] })
  })

  it('is never a table, which has no message', async () => {
    for (const path of [WIDGETS, CONFIG_MAPS]) {
      const { status } = await send('GET', path, undefined, PARTIAL.replace('PartialObjectMetadata', 'Table'))
      expect(status).toBe(406)
    }
  })
})

describe('a watch in protobuf', () => {
  async function* events(path: string, accept = TYPE): AsyncGenerator<{ type: string; object: Decoded }> {
    const response = await fetch(server.url + path, { headers: { accept } })
    expect(response.headers.get('content-type')).toBe(`${TYPE};stream=watch`)
    let rest = Buffer.alloc(0)
    for await (const chunk of response.body ?? []) {
      rest = Buffer.concat([rest, chunk])
      for (; rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(); rest = rest.subarray(4 + rest.readUInt32BE()))
        yield event(rest.subarray(4, 4 + rest.readUInt32BE()))
    }
  }

  /** The message is bare; only the object inside is enveloped. */
  function event(message: Buffer): { type: string; object: Decoded } {
    const size = message[1] ?? 0
    return { type: message.toString('utf8', 2, 2 + size), object: read(message.subarray(message.indexOf('k8s\0'))) }
  }

  it('is a stream of frames: what exists, the end of that, what changes', async () => {
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const only = 'fieldSelector=metadata.name=w'
    await server.post(CONFIG_MAPS, configMap('w', { k: '1' }))
    const seen = events(`${CONFIG_MAPS}?${query}&${only}`)
    const next = async () => (await seen.next()).value as { type: string; object: Decoded }
    const named = { kind: 'ConfigMap', metadata: { name: 'w' } }
    expect(await next()).toMatchObject({ type: 'ADDED', object: { ...named, data: { k: '1' } } })
    const annotations = { 'k8s.io/initial-events-end': 'true' }
    expect(await next()).toMatchObject({ type: 'BOOKMARK', object: { kind: 'ConfigMap', metadata: { annotations } } })
    await server.put(`${CONFIG_MAPS}/w`, configMap('w', { k: '2' }))
    expect(await next()).toMatchObject({ type: 'MODIFIED', object: { ...named, data: { k: '2' } } })
    await server.delete(`${CONFIG_MAPS}/w`)
    expect(await next()).toMatchObject({ type: 'DELETED', object: named })
    await seen.return(undefined)
  })

  it('may show the metadata of custom resources', async () => {
    const seen = events(`${WIDGETS}?watch=1`, PARTIAL)
    expect((await seen.next()).value).toMatchObject({
      type: 'ADDED',
      object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } },
    })
    await seen.return(undefined)
  })

  it('of custom resources as they are is refused', async () => {
    expect((await send('GET', `${WIDGETS}?watch=1`)).status).toBe(406)
  })
})
