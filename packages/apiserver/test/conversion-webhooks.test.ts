// Definitions with several versions that only a webhook can convert: v1 has `spec.address`, v2 has `spec.host` and `spec.port`.

import { expect, it } from 'vitest'
import type { Body } from './body.ts'
import { definition, GROUP, version } from './definitions.ts'
import { DEFINITIONS, serveForTest, type TestServer } from './server.ts'
import { type Answer, type Call, type TestWebhook, webhookServer } from './webhook-server.ts'

const text = { type: 'string' }
const number = { type: 'integer' }

interface Converted extends Body {
  spec: { address?: string; host?: string; port?: number; extra?: string }
}

/** What an honest webhook makes of an object. */
function convert(object: Converted, desired: string): Converted {
  const { address = '', host = '', port = 0, ...rest } = object.spec ?? {}
  const [first, second] = address.split(':')
  const spec = desired.endsWith('v2') ? { host: first ?? '', port: Number(second) } : { address: `${host}:${port}` }
  return { ...object, apiVersion: desired, spec: { ...rest, ...spec } }
}

function review(call: Call, change: (object: Converted) => unknown = (object) => object) {
  const { uid, desiredAPIVersion, objects } = call.request as unknown as {
    uid: string
    desiredAPIVersion: string
    objects: Converted[]
  }
  const convertedObjects = objects.map((object) => change(convert(object, desiredAPIVersion)))
  return {
    apiVersion: call.body.apiVersion,
    kind: 'ConversionReview',
    response: { uid, result: { status: 'Success' }, convertedObjects },
  }
}

const objectsOf = ({ request }: Call) => (request as unknown as { objects: Body[] }).objects

/** Stored as v2, also served as v1. */
function hosts(hook: TestWebhook, more: { v1?: object; v2?: object; reviews?: string[] } = {}) {
  const v1 = version('v1', { spec: { address: text, extra: text }, ...more.v1 })
  const v2 = version('v2', {
    spec: { host: text, port: number, extra: { ...text, default: 'given' } },
    storage: true,
    ...more.v2,
  })
  const made = definition({ plural: 'hosts', versions: [v1, v2] }) as { spec: object }
  const webhook = {
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    conversionReviewVersions: more.reviews ?? ['v1'],
  }
  return { ...made, spec: { ...made.spec, conversion: { strategy: 'Webhook', webhook } } }
}

async function start(answer: Answer = (call) => review(call), more: Parameters<typeof hosts>[1] = {}) {
  const server = await serveForTest()
  const hook = await webhookServer(answer)
  await server.define(hosts(hook, more))
  return { server, hook }
}

const at = (name: string) => `/apis/${GROUP}/${name}/namespaces/default/hosts`
const old = (name: string, address: string, metadata: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Host',
  metadata: { name, ...metadata },
  spec: { address },
})
const now = (name: string, host: string, port: number) => ({
  apiVersion: `${GROUP}/v2`,
  kind: 'Host',
  metadata: { name },
  spec: { host, port },
})

it('writes in another version are stored in the stored one, with its defaults, and read in both', async () => {
  const { server, hook } = await start()
  const made = await server.post(`${at('v1')}?fieldManager=me`, old('a', 'here:1'))
  expect(made).toMatchObject({
    status: 201,
    body: { apiVersion: `${GROUP}/v1`, spec: { address: 'here:1', extra: 'given' } },
  })
  expect(hook.calls[0]).toMatchObject({
    path: '/hook?timeout=30s',
    body: {
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: {
        uid: expect.any(String),
        desiredAPIVersion: `${GROUP}/v2`,
        objects: [{ apiVersion: `${GROUP}/v1`, kind: 'Host', spec: { address: 'here:1' } }],
      },
    },
  })
  expect((await server.get(`${at('v2')}/a`)).body).toMatchObject({
    apiVersion: `${GROUP}/v2`,
    metadata: { uid: made.body.metadata.uid, resourceVersion: made.body.metadata.resourceVersion },
    spec: { host: 'here', port: 1, extra: 'given' },
  })
  const patched = await server.patch(`${at('v1')}/a`, { spec: { address: 'there:2' } })
  expect(patched.body).toMatchObject({ spec: { address: 'there:2' }, metadata: { generation: 2 } })
  const put = await server.put(`${at('v1')}/a`, { ...patched.body, spec: { address: 'put:3' } })
  expect(put).toMatchObject({ status: 200, body: { spec: { address: 'put:3' } } })
  const apply = { type: 'application/apply-patch+yaml' }
  const applied = await server.patch(`${at('v1')}/a?fieldManager=ap&force=true`, old('a', 'applied:4'), apply)
  expect(applied).toMatchObject({ status: 200, body: { apiVersion: `${GROUP}/v1`, spec: { address: 'applied:4' } } })
  expect((await server.get(`${at('v2')}/a`)).body.spec).toMatchObject({ host: 'applied', port: 4 })
  const same = await server.patch(`${at('v1')}/a`, {})
  expect(same.body.metadata.resourceVersion).toBe(applied.body.metadata.resourceVersion)
})

it('the stored version needs no webhook, whatever becomes of it', async () => {
  const { server, hook } = await start()
  await hook.close()
  expect((await server.post(at('v2'), now('a', 'h', 1))).status).toBe(201)
  expect((await server.patch(`${at('v2')}/a`, { spec: { port: 2 } })).status).toBe(200)
  expect((await server.get(at('v2'))).body.items.length).toBe(1)
  const failed = await server.get(`${at('v1')}/a`)
  expect(failed).toMatchObject({ status: 500, body: { reason: 'InternalError' } })
  expect(failed.body.message).toContain(
    `conversion webhook for ${GROUP}/v2, Kind=Host failed: Post "${hook.url}?timeout=30s": dial tcp`,
  )
  expect((await server.get(at('v1'))).status).toBe(500)
  expect((await server.post(at('v1'), old('b', 'x:1'))).status).toBe(500)
  expect((await server.get(`${at('v2')}/b`)).status).toBe(404)
  // A DELETE needs no conversion.
  expect((await server.delete(`${at('v1')}/a`)).status).toBe(200)
  expect((await server.get(`${at('v2')}/a`)).status).toBe(404)
})

it('a revision is converted once, for however many readers, and a list in one batch', async () => {
  const { server, hook } = await start()
  for (let i = 0; i < 20; i++) await server.post(at('v2'), now(`h-${i}`, 'h', i))
  expect(hook.calls.length).toBe(0)
  const lists = await Promise.all([1, 2, 3].map(() => server.get(at('v1'))))
  for (const { body } of lists) expect(body.items.map(({ spec }) => spec.address)).toContain('h:7')
  expect(hook.calls.map((call) => objectsOf(call).length)).toEqual([20])
  for (const form of ['Table', 'PartialObjectMetadataList'])
    await server.get(at('v1'), { accept: `application/json;as=${form};v=v1;g=meta.k8s.io` })
  await Promise.all([0, 1, 2].map((i) => server.get(`${at('v1')}/h-${i}`)))
  expect(hook.calls.length).toBe(1)
  await server.patch(`${at('v2')}/h-0`, { spec: { port: 99 } })
  expect((await server.get(at('v1'))).body.items[0]?.spec.address).toBe('h:99')
  expect(hook.calls.map((call) => objectsOf(call).length)).toEqual([20, 1])
})

it('columns and field selectors are those of the version', async () => {
  const { server } = await start(undefined, {
    v1: {
      additionalPrinterColumns: [{ name: 'Address', type: 'string', jsonPath: '.spec.address' }],
      selectableFields: [{ jsonPath: '.spec.address' }],
    },
  })
  for (let i = 0; i < 3; i++) await server.post(at('v2'), now(`h-${i}`, 'h', i))
  const table = await server.get(at('v1'), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })
  expect((table.body.rows as { cells: string[] }[]).map(({ cells }) => cells)).toEqual([
    ['h-0', 'h:0'],
    ['h-1', 'h:1'],
    ['h-2', 'h:2'],
  ])
  const selected = await server.get(`${at('v1')}?fieldSelector=spec.address%3Dh:1`)
  expect(selected.body.items.map(({ metadata }) => metadata.name)).toEqual(['h-1'])
  await server.delete(`${at('v1')}?fieldSelector=spec.address%3Dh:1`)
  expect((await server.get(at('v2'))).body.items.map(({ metadata }) => metadata.name)).toEqual(['h-0', 'h-2'])
})

it('watchers of another version get their events in order; a failure ends only theirs', async () => {
  let isBroken = false
  const { server } = await start((call, response) =>
    isBroken ? void response.writeHead(500).end('broken') : review(call),
  )
  await server.post(at('v2'), now('a', 'h', 0))
  const [before, after] = [await server.watch(at('v1')), await server.watch(at('v2'))]
  expect(await before.next()).toMatchObject({
    type: 'ADDED',
    object: { apiVersion: `${GROUP}/v1`, spec: { address: 'h:0' } },
  })
  await after.next()
  for (let port = 1; port <= 5; port++) {
    await server.patch(`${at('v2')}/a`, { spec: { port } })
  }
  for (let port = 1; port <= 5; port++) {
    expect(await before.next()).toMatchObject({ type: 'MODIFIED', object: { spec: { address: `h:${port}` } } })
    expect(await after.next()).toMatchObject({ type: 'MODIFIED', object: { spec: { port } } })
  }
  const { resourceVersion } = (await server.get(at('v1'))).body.metadata
  await server.post(at('v2'), now('b', 'h', 9))
  await server.delete(`${at('v2')}/b`)
  expect(await before.next()).toMatchObject({ type: 'ADDED', object: { spec: { address: 'h:9' } } })
  expect(await before.next()).toMatchObject({
    type: 'DELETED',
    object: { apiVersion: `${GROUP}/v1`, spec: { address: 'h:9' } },
  })
  for (let i = 0; i < 2; i++) await after.next()
  // One that resumes gets the same.
  const resumed = await server.watch(`${at('v1')}?resourceVersion=${resourceVersion}`)
  expect([(await resumed.next())?.type, (await resumed.next())?.type]).toEqual(['ADDED', 'DELETED'])
  isBroken = true
  await server.patch(`${at('v2')}/a`, { spec: { port: 6 } })
  expect(await before.next()).toMatchObject({
    type: 'ERROR',
    object: { reason: 'InternalError', message: expect.stringContaining('broken') },
  })
  expect(await after.next()).toMatchObject({ type: 'MODIFIED', object: { spec: { port: 6 } } })
})

it('a slow webhook keeps nobody else waiting', async () => {
  const { server, hook } = await start(() => undefined)
  await server.post(at('v2'), now('a', 'h', 0))
  const watch = await server.watch(`${at('v2')}?resourceVersion=0`)
  await watch.next()
  const reading = server.get(`${at('v1')}/a`)
  const writing = server.patch(`${at('v1')}/a`, { spec: { address: 'x:1' } })
  await hook.called(1)
  expect((await server.patch(`${at('v2')}/a`, { spec: { port: 1 } })).status).toBe(200)
  expect(await watch.next()).toMatchObject({ object: { spec: { port: 1 } } })
  await hook.close()
  expect([(await reading).status, (await writing).status]).toEqual([500, 500])
  expect((await server.get(`${at('v2')}/a`)).body.spec).toMatchObject({ host: 'h', port: 1 })
})

it('only labels and annotations of the metadata are the webhook’s', async () => {
  const { server } = await start((call) =>
    review(call, (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        labels: { by: 'hook' },
        annotations: { 'a/b': 'c' },
        finalizers: ['hook/finalizer'],
        generation: 99,
        resourceVersion: '1',
      },
    })),
  )
  const made = await server.post(at('v1'), old('a', 'x:1'))
  expect(made.body.metadata).toMatchObject({ labels: { by: 'hook' }, annotations: { 'a/b': 'c' }, generation: 1 })
  expect(made.body.metadata.finalizers).toBeUndefined()
  const stored = await server.get(`${at('v2')}/a`)
  expect(stored.body.metadata.resourceVersion).toBe(made.body.metadata.resourceVersion)
})

it('what the version’s schema does not know is dropped', async () => {
  const { server } = await start((call) =>
    review(call, (object) => ({ ...object, spec: { ...object.spec, unknown: 1 }, more: 2 })),
  )
  const { body } = await server.post(at('v1'), old('a', 'x:1'))
  expect([body.spec, body.more]).toEqual([{ address: 'x:1', extra: 'given' }, undefined])
  expect((await server.get(`${at('v2')}/a`)).body.spec).toEqual({ host: 'x', port: 1, extra: 'given' })
})

const failing: [string, Answer, string][] = [
  [
    'another uid',
    (call) => ({ ...review(call), response: { ...review(call).response, uid: 'x' } }),
    'expected response.uid=',
  ],
  ['another kind of review', (call) => ({ ...review(call), kind: 'AdmissionReview' }), 'expected webhook response of'],
  ['no response', (call) => ({ ...review(call), response: undefined }), 'no response provided'],
  [
    'a failure',
    (call) => ({
      ...review(call),
      response: { ...review(call).response, result: { status: 'Failure', message: 'cannot' } },
    }),
    'cannot',
  ],
  [
    'too few objects',
    (call) => ({ ...review(call), response: { ...review(call).response, convertedObjects: [] } }),
    'expected 1 converted objects, got 0',
  ],
  [
    'another version',
    (call) => review(call, (object) => ({ ...object, apiVersion: `${GROUP}/v9` })),
    'invalid groupVersion',
  ],
  ['another object kind', (call) => review(call, (object) => ({ ...object, kind: 'Other' })), 'invalid kind'],
  [
    'another name',
    (call) => review(call, (object) => ({ ...object, metadata: { ...object.metadata, name: 'z' } })),
    'must have the same name: a != z',
  ],
  [
    'another uid of the object',
    (call) => review(call, (object) => ({ ...object, metadata: { ...object.metadata, uid: 'z' } })),
    'must have the same uid',
  ],
  ['no metadata', (call) => review(call, (object) => ({ ...object, metadata: 1 })), 'metadata is not an object'],
  [
    'bad labels',
    (call) => review(call, (object) => ({ ...object, metadata: { ...object.metadata, labels: { a: '?' } } })),
    'metadata.labels: a: ',
  ],
  ['no object', (call) => review(call, () => null), 'it is not an object'],
]

it.each(failing)('an answer with %s is an error that says so', async (_, answer, message) => {
  const { server } = await start(answer)
  await server.post(at('v2'), now('a', 'h', 1))
  const failed = await server.get(`${at('v1')}/a`)
  expect([failed.status, failed.body.message]).toEqual([500, expect.stringContaining(`failed: `)])
  expect(failed.body.message).toContain(message)
  expect((await server.get(`${at('v2')}/a`)).status).toBe(200)
})

it('an object that somebody else writes meanwhile is decided again', async () => {
  let isFirst = true
  let server: TestServer | undefined
  const started = await start(async (call) => {
    const [object] = objectsOf(call)
    if (isFirst && object?.apiVersion.endsWith('v1')) {
      isFirst = false
      await server?.patch(`${at('v2')}/a`, { spec: { extra: 'quick' } })
    }
    return review(call)
  })
  server = started.server
  await server.post(at('v2'), now('a', 'h', 1))
  const { body } = await server.patch(`${at('v1')}/a`, { spec: { address: 'x:2' } })
  expect(body.spec).toEqual({ address: 'x:2', extra: 'quick' })
})

it('when the stored version is not served, deletions and the namespace’s end still need no webhook', async () => {
  const { server, hook } = await start(undefined, { v2: { served: false } })
  await server.post('/api/v1/namespaces', { metadata: { name: 'ends' } })
  const there = `/apis/${GROUP}/v1/namespaces/ends/hosts`
  expect((await server.post(there, old('a', 'x:1', { finalizers: ['x/y'] }))).status).toBe(201)
  expect((await server.post(there, old('b', 'x:1'))).status).toBe(201)
  expect((await server.get(`/apis/${GROUP}/v2`)).status).toBe(404)
  expect((await server.get(`${there.replace('v1', 'v2')}/a`)).status).toBe(404)
  const finalized = await server.patch(`${there}/a`, { metadata: { finalizers: null } })
  expect(finalized.status).toBe(200)
  await hook.close()
  await server.delete('/api/v1/namespaces/ends')
  await server.gone('/api/v1/namespaces/ends')
})

it('a v1beta1 webhook is asked in its version', async () => {
  const { server, hook } = await start(undefined, { reviews: ['v1beta1'] })
  await server.post(at('v1'), old('a', 'x:1'))
  expect(hook.calls[0]?.body.apiVersion).toBe('apiextensions.k8s.io/v1beta1')
})

it('another webhook for the same definition is used from then on, and watches begin anew', async () => {
  const { server } = await start()
  await server.post(at('v2'), now('a', 'h', 1))
  expect((await server.get(`${at('v1')}/a`)).body.spec.address).toBe('h:1')
  const watch = await server.watch(at('v1'))
  await watch.next()
  const other = await webhookServer((call) => review(call, (object) => ({ ...object, spec: { address: 'other' } })))
  const clientConfig = { url: other.url, caBundle: other.caBundle }
  await server.patch(`${DEFINITIONS}/hosts.${GROUP}`, { spec: { conversion: { webhook: { clientConfig } } } })
  await expect(watch.next()).rejects.toThrow('the watch has ended')
  expect((await server.get(`${at('v1')}/a`)).body.spec.address).toBe('other')
})

it('calls are counted, with the kind of failure', async () => {
  let answer: Answer = (call) => review(call)
  const { server } = await start((call, response) => answer(call, response))
  await server.post(at('v2'), now('a', 'here', 1))
  const read = () => server.get(`${at('v1')}/a`)
  const objects =
    (change: (all: unknown[]) => unknown[]): Answer =>
    (call) => {
      const good = review(call)
      return { ...good, response: { ...good.response, convertedObjects: change(good.response.convertedObjects) } }
    }
  const failures: [string, Answer][] = [
    ['conversion_webhook_call_failure', (_, response) => void response.writeHead(500).end()],
    ['conversion_webhook_malformed_response_failure', () => 'nonsense'],
    ['conversion_webhook_no_objects_returned_failure', objects(() => [])],
    ['conversion_webhook_partial_response_failure', objects((all) => [...all, ...all])],
    ['conversion_webhook_invalid_converted_object_failure', objects(() => ['text'])],
  ]
  for (const [, failing] of failures) {
    answer = failing
    expect((await read()).status).toBe(500)
  }
  answer = (call) => review(call)
  expect((await read()).status).toBe(200)
  const text = (await server.get('/metrics')).text
  const counts = new Map(text.split('\n').map((line) => line.split(/ (?=[^ ]*$)/) as [string, string]))
  for (const [failure] of failures) {
    const labels = `{result="failure",failure_type="${failure}"}`
    expect([failure, counts.get(`apiserver_conversion_webhook_request_total${labels}`)]).toEqual([failure, '1'])
    expect(counts.get(`apiserver_conversion_webhook_duration_seconds_count${labels}`)).toBe('1')
  }
  expect(counts.get('apiserver_conversion_webhook_request_total{result="success",failure_type=""}')).toBe('1')
})
