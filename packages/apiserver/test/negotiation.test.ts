import { ManualClock } from '@homeostat/base'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CONFIG_MAPS, GROUP, SECRETS, secret, WIDGETS, widget, widgets } from './definitions.ts'
import { serve } from './server.ts'

// A table tells ages: two of them are compared below, so that no time may pass between.
const server = await serve({ clock: new ManualClock(Date.now()) })
afterAll(() => server.close())
await server.define(widgets)
await server.post(WIDGETS, widget('a', { size: 1, color: 'red' }, { labels: { x: 'y' } }))
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

describe('the response', () => {
  it('is JSON unless something else is asked for', async () => {
    for (const accept of ['', '*/*', 'application/json', 'application/*', 'text/html, */*;q=0.1']) {
      const { status, headers } = await server.get(`${WIDGETS}/a`, { headers: { accept } })
      expect(status, accept).toBe(200)
      expect(headers.get('content-type')).toBe('application/json')
    }
  })

  it('is JSON for a client that would rather have protobuf', async () => {
    const { headers } = await server.get(WIDGETS, { accept: 'application/vnd.kubernetes.protobuf,application/json' })
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('is YAML on request, also of lists and errors of content', async () => {
    const { headers, text } = await server.get(`${WIDGETS}/a`, { accept: 'application/yaml' })
    expect(headers.get('content-type')).toBe('application/yaml')
    expect(parse(text)).toEqual((await server.get(`${WIDGETS}/a`)).body)
    expect(parse((await server.get(WIDGETS, { accept: 'application/yaml' })).text)).toMatchObject({
      kind: 'WidgetList',
      items: [{ metadata: { name: 'a' } }],
    })
    const paths = ['/api', '/apis', `/apis/${GROUP}`, `/apis/${GROUP}/v1`, `${WIDGETS}/a/scale`, `${WIDGETS}/none`]
    for (const path of paths) {
      const answer = await server.get(path, { accept: 'application/yaml' })
      expect(answer.headers.get('content-type')).toBe('application/yaml')
      expect(answer.text).not.toMatch(/^\{/)
      expect(parse(answer.text)).toEqual((await server.get(path)).body)
    }
  })

  it('follows the quality that a client gives to each type', async () => {
    const { headers } = await server.get(WIDGETS, { accept: 'application/json;q=0.5,application/yaml;q=0.9' })
    expect(headers.get('content-type')).toBe('application/yaml')
  })

  it('is 406 when no acceptable form exists', async () => {
    const refused = [
      'text/html',
      'application/json;q=0',
      'application/json;as=Table;v=v9;g=meta.k8s.io',
      'application/json;as=Chart;v=v1;g=meta.k8s.io',
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    ]
    for (const accept of refused) {
      const { status, body } = await server.get(WIDGETS, { accept })
      expect(status, accept).toBe(406)
      expect(body).toMatchObject({
        reason: 'NotAcceptable',
        message: expect.stringContaining('only the following media types are accepted: application/json'),
      })
    }
  })

  it('is 406 in the form that was asked for, where that can be written', async () => {
    const watch = await server.get(`${WIDGETS}?watch=true`, { accept: 'application/yaml' })
    expect(watch).toMatchObject({ status: 406, text: expect.stringMatching(/^kind: Status\n/) })
    expect(watch.headers.get('content-type')).toBe('application/yaml')
    const message = await server.get(WIDGETS, { accept: 'application/vnd.kubernetes.protobuf' })
    expect(message.status).toBe(406)
    expect(message.headers.get('content-type')).toBe('application/vnd.kubernetes.protobuf')
    expect((await server.get(WIDGETS, { accept: 'application/json;v=v1;g=meta.k8s.io' })).status).toBe(406)
  })

  it('may be a table, or metadata, in YAML', async () => {
    for (const as of ['Table', 'PartialObjectMetadataList']) {
      const parameters = `;as=${as};v=v1;g=meta.k8s.io`
      const yaml = await server.get(WIDGETS, { accept: `application/yaml${parameters}` })
      expect(yaml.headers.get('content-type')).toBe('application/yaml')
      expect(parse(yaml.text)).toEqual((await server.get(WIDGETS, { accept: `application/json${parameters}` })).body)
    }
  })

  it('leaves kind and apiVersion out of the items of built-in kinds, in every form of a list', async () => {
    await server.post(SECRETS, secret('listed'))
    await server.post(SECRETS, secret('other'))
    const { apiVersion: _, kind: __, ...item } = (await server.get(`${SECRETS}/listed`)).body
    for (const query of [
      '',
      '?limit=1',
      '?fieldSelector=metadata.name%3Dlisted',
      '?pretty=true',
      '?resourceVersion=0',
    ]) {
      const { items, kind } = (await server.get(`${SECRETS}${query}`)).body
      expect(kind).toBe('SecretList')
      expect(items[0]).toEqual(item)
    }
    expect(parse((await server.get(SECRETS, { accept: 'application/yaml' })).text).items[0]).toEqual(item)
    // What was listed is read whole, and an object that changed is listed beside its neighbours.
    expect((await server.get(`${SECRETS}/other`)).body).toMatchObject({ apiVersion: 'v1', kind: 'Secret' })
    await server.patch(`${SECRETS}/other`, { data: { b: 'Yg==' } })
    expect((await server.get(SECRETS)).body.items.map(({ kind, data }) => [kind, data])).toEqual([
      [undefined, item.data],
      [undefined, { ...(item.data as object), b: 'Yg==' }],
    ])
    expect((await server.get(WIDGETS)).body.items[0]).toMatchObject({ apiVersion: `${GROUP}/v1`, kind: 'Widget' })
    await server.delete(SECRETS)
  })

  it('of a scale may be a table', async () => {
    const { body } = await server.get(`${WIDGETS}/a/scale`, { accept: TABLE })
    expect(body).toMatchObject({
      columnDefinitions: [{ name: 'Name' }, { name: 'Desired' }, { name: 'Available' }, { name: 'Age', type: 'date' }],
      rows: [{ cells: ['a', 1, 0, expect.any(String)], object: { kind: 'PartialObjectMetadata' } }],
    })
  })

  it('is indented for people: on request, and for curl and browsers', async () => {
    const indented = /^\{\n {2}"/
    expect((await server.get(`${WIDGETS}/a?pretty=true`)).text).toMatch(indented)
    for (const agent of ['curl/8.1', 'Wget/1.2', 'Mozilla/5.0 (X11)'])
      expect((await server.get(`${WIDGETS}/a`, { headers: { 'user-agent': agent } })).text, agent).toMatch(indented)
    expect((await server.get(`${WIDGETS}/a?pretty=false`, { headers: { 'user-agent': 'curl/8' } })).text).not.toMatch(
      indented,
    )
    expect((await server.get(`${WIDGETS}/none?pretty=true`)).text).toMatch(indented)
    expect((await server.get(`${WIDGETS}?pretty=true`)).text).toMatch(indented)
    expect((await server.get('/apis?pretty=true')).text).toMatch(indented)
    expect((await server.get(`${WIDGETS}/a`)).text).not.toContain('\n')
  })

  it('is the same list in every layout', async () => {
    for (const path of [WIDGETS, '/api/v1/namespaces/default/secrets', '/api/v1/namespaces']) {
      const { body } = await server.get(path)
      const pretty = await server.get(`${path}?pretty=true`)
      expect(pretty.text).toBe(`${JSON.stringify(body, null, 2)}\n`)
      const yaml = await server.get(path, { accept: 'application/yaml' })
      expect(parse(yaml.text)).toEqual(body)
      expect(Number(yaml.headers.get('content-length'))).toBe(Buffer.byteLength(yaml.text))
      const partial = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }
      expect((await server.get(`${path}?pretty=true`, partial)).body).toEqual((await server.get(path, partial)).body)
    }
  })

  it('carries an audit id and may not be cached', async () => {
    const one = await server.get(`${WIDGETS}/a`)
    const two = await server.get(`${WIDGETS}/a`)
    expect(one.headers.get('audit-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(one.headers.get('audit-id')).not.toBe(two.headers.get('audit-id'))
    expect(one.headers.get('cache-control')).toBe('no-cache, private')
  })

  it('to HEAD has the headers and no body', async () => {
    const { status, headers, text } = await server.send('HEAD', `${WIDGETS}/a`)
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(Number(headers.get('content-length'))).toBeGreaterThan(100)
    expect((await server.send('HEAD', `${WIDGETS}?watch=true`)).status).toBe(200)
    expect((await server.send('HEAD', WIDGETS)).status).toBe(200)
    expect((await server.send('HEAD', '/watch')).headers.get('content-type')).toContain('text/event-stream')
  })
})

describe('tables', () => {
  it('have the columns of the definition, and cells of their types', async () => {
    const { body } = await server.get(WIDGETS, { accept: `${TABLE},application/json` })
    expect(body).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: expect.any(String) },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name' },
        { name: 'Size', type: 'integer', priority: 0 },
        { name: 'Color', type: 'string', priority: 1 },
        { name: 'Age', type: 'date' },
      ],
      rows: [
        {
          cells: ['a', 1, 'red', expect.stringMatching(/^\d+s$|^0s$|^\d+m/)],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { labels: { x: 'y' } } },
        },
      ],
    })
  })

  it('include as much of each object as asked for', async () => {
    const object = async (include: string) => {
      const { body } = await server.get(`${WIDGETS}?includeObject=${include}`, { accept: TABLE })
      return (body.rows as { object: { kind: string } }[])[0]?.object?.kind
    }
    expect(await object('None')).toBeUndefined()
    expect(await object('Object')).toBe('Widget')
    expect(await object('Metadata')).toBe('PartialObjectMetadata')
  })

  it('exist in the older version too, for single objects, and page by page', async () => {
    const old = await server.get(`${WIDGETS}/a`, { accept: TABLE.replace('v1', 'v1beta1') })
    expect(old.body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1beta1', rows: [{}] })
    await server.post(SECRETS, secret('a', { k: 'dg==' }))
    await server.post(SECRETS, secret('b'))
    const { body } = await server.get(`${SECRETS}?limit=1`, { accept: TABLE })
    expect(body).toMatchObject({
      rows: [{ cells: ['a', 'Opaque', 1, expect.any(String)] }],
      metadata: { remainingItemCount: 1 },
    })
  })
})

it('gives metadata alone, of objects and of lists', async () => {
  const accept = (as: string) => ({ accept: `application/json;as=${as};v=v1;g=meta.k8s.io` })
  const one = (await server.get(`${WIDGETS}/a`, accept('PartialObjectMetadata'))).body
  expect(one).toEqual({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: (await server.get(`${WIDGETS}/a`)).body.metadata,
  })
  expect((await server.get(WIDGETS, accept('PartialObjectMetadataList'))).body).toEqual({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: expect.any(String) },
    items: [one],
  })
})

describe('the body', () => {
  it('may be JSON or YAML, and is JSON when nothing is said', async () => {
    const yaml = `apiVersion: ${GROUP}/v1\nkind: Widget\nmetadata:\n  name: yaml\nspec:\n  size: 0x10\n  free: {on: yes}\n`
    const { status, body } = await server.post(WIDGETS, yaml, { type: 'application/yaml' })
    expect(status).toBe(201)
    expect(body.spec).toMatchObject({ size: 16 })
    const json = JSON.stringify(widget('json'))
    expect((await server.post(WIDGETS, json, { type: 'application/json; charset=utf-8' })).status).toBe(201)
    expect((await server.post(WIDGETS, json.replace('json', 'jaml'), { type: 'application/yaml' })).status).toBe(201)
    const head = `POST ${WIDGETS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${json.length}\r\n\r\n`
    expect(await server.raw(head + json.replace('json', 'none'))).toMatch(/^HTTP\/1.1 201/)
  })

  it('is refused by 415 in other forms, with those that are known', async () => {
    const types = ['application/vnd.kubernetes.protobuf', 'application/cbor', 'text/plain', 'multipart/form-data']
    for (const type of types) {
      const { status, body } = await server.post(WIDGETS, 'x', { type })
      expect(status, type).toBe(415)
      expect(body).toMatchObject({
        reason: 'UnsupportedMediaType',
        message: expect.stringContaining('application/json'),
      })
    }
  })

  it('holds one YAML document', async () => {
    const { status, body } = await server.post(WIDGETS, 'a: 1\n---\nb: 2\n', { type: 'application/yaml' })
    expect(status).toBe(400)
    expect(body.message).toContain('one document')
  })
})

describe('a request', () => {
  it('for nothing that is served gets 404', async () => {
    for (const path of [
      '/nothing',
      '/apis/none.example',
      '/apis/none.example/v1',
      `/apis/${GROUP}/v9/widgets`,
      '/api/v2',
    ])
      expect((await server.get(path)).status, path).toBe(404)
    for (const path of [
      '//api',
      '/metrics/x',
      '/version/x',
      '/watch/x',
      '/events/x',
      '/crd/x',
      '/healthz/x',
      '/openapi/v4',
    ])
      expect((await server.get(path)).status, path).toBe(404)
    const { body } = await server.get('/api/v1/nothings')
    expect(body).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404 })
    expect((await server.get(`/apis/${GROUP}/v1/nothings`)).text).toBe('404 page not found\n')
  })

  it('may carry a timeout, which must be a duration', async () => {
    expect((await server.get(`${WIDGETS}?timeout=32s`)).status).toBe(200)
    expect((await server.get(`${WIDGETS}?timeout=soon`)).body).toMatchObject({
      code: 400,
      message: expect.stringContaining('invalid timeout specified in the request URL'),
    })
  })

  it('by an unknown method gets 405', async () => {
    for (const method of ['OPTIONS', 'PROPFIND']) {
      const answer = await server.raw(`${method} ${WIDGETS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      expect(answer, method).toMatch(/^HTTP\/1.1 405 /)
    }
    for (const method of ['PATCH', 'PUT']) {
      expect((await server.send(method, WIDGETS, { body: {} })).body.message).toBe('resource name may not be empty')
      const { status, body } = await server.send(method, CONFIG_MAPS, { body: {} })
      expect(status).toBe(405)
      expect(body.message).toBe('the server does not allow this method on the requested resource')
    }
    expect((await server.post(`${CONFIG_MAPS}/a`, {})).status).toBe(405)
    expect((await server.send('POST', '/apis')).status).toBe(405)
  })
})
