import { afterAll, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { CONFIG_MAPS, configMap, GROUP, PLANETS, planet, planets, WIDGETS, widget, widgets } from './definitions.ts'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(planets)

it('keeps no managed fields that a client made up and nobody can read, then or later', async () => {
  const managedFields = [{ manager: 'me', operation: 'Update', apiVersion: `${GROUP}/v1` }]
  const { body } = await server.post(WIDGETS, widget('unmanaged', { size: 1 }, { managedFields }))
  expect(managers(body)).toEqual(['node'])
  const patched = await server.patch(`${WIDGETS}/unmanaged`, { metadata: { managedFields }, spec: { size: 2 } })
  expect(patched.status).toBe(200)
  expect(managers(patched.body)).toEqual(['node'])
})

function managers(object: Body): string[] {
  return (object.metadata.managedFields ?? []).map(({ manager }) => manager)
}

it('answers 201 with what the server filled in', async () => {
  const before = Math.floor(Date.now() / 1000) * 1000
  const { status, body } = await server.post(WIDGETS, widget('filled', { size: 2 }))
  expect(status).toBe(201)
  expect(body).toEqual({
    apiVersion: `${GROUP}/v1`,
    kind: 'Widget',
    metadata: {
      name: 'filled',
      namespace: 'default',
      uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      resourceVersion: expect.stringMatching(/^[1-9][0-9]*$/),
      generation: 1,
      creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      managedFields: [
        {
          manager: 'node',
          operation: 'Update',
          apiVersion: `${GROUP}/v1`,
          time: body.metadata.creationTimestamp,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { '.': {}, 'f:replicas': {}, 'f:size': {} } },
        },
      ],
    },
    spec: { size: 2, replicas: 1 },
  })
  expect(Date.parse(body.metadata.creationTimestamp)).toBeGreaterThanOrEqual(before)
  expect((await server.get(`${WIDGETS}/filled`)).body).toEqual(body)
})

it('takes nothing from the client that only the server may set', async () => {
  const { body } = await server.post(
    WIDGETS,
    widget(
      'modest',
      {},
      {
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 5,
        generation: 77,
        selfLink: '/nowhere',
      },
    ),
  )
  expect(body.metadata.uid).not.toBe('mine')
  expect(body.metadata.creationTimestamp).not.toMatch(/^2001/)
  expect(body.metadata).toMatchObject({ generation: 1 })
  expect(Object.keys(body.metadata)).not.toContain('deletionTimestamp')
  expect(Object.keys(body.metadata)).not.toContain('deletionGracePeriodSeconds')
  expect(Object.keys(body.metadata)).not.toContain('selfLink')
})

it('counts no generations for kinds of plain data', async () => {
  expect((await server.post(CONFIG_MAPS, configMap('plain'))).body.metadata).not.toHaveProperty('generation')
  expect((await server.get('/api/v1/namespaces/default')).body.metadata).not.toHaveProperty('generation')
})

it('refuses a resourceVersion on a new object', async () => {
  const { status, body } = await server.post(WIDGETS, widget('versioned', {}, { resourceVersion: '5' }))
  expect(status).toBe(500)
  expect(body.message).toContain('resourceVersion should not be set on objects to be created')
})

it('answers AlreadyExists for a name that is taken', async () => {
  await server.post(WIDGETS, widget('twice'))
  const { status, body } = await server.post(WIDGETS, widget('twice'))
  expect(status).toBe(409)
  expect(body).toMatchObject({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'AlreadyExists',
    message: 'widgets.example.com "twice" already exists',
    details: { name: 'twice', group: GROUP, kind: 'widgets' },
    code: 409,
  })
})

it('says so when the taken name belongs to an object that is being deleted', async () => {
  await server.post(WIDGETS, widget('leaving', {}, { finalizers: ['example.com/hold'] }))
  await server.delete(`${WIDGETS}/leaving`)
  const { body } = await server.post(WIDGETS, widget('leaving'))
  expect(body).toMatchObject({ reason: 'AlreadyExists', message: expect.stringMatching(/^object is being deleted: /) })
})

it('fills in the namespace of the URL and refuses another', async () => {
  expect((await server.post(WIDGETS, widget('here'))).body.metadata.namespace).toBe('default')
  const { status, body } = await server.post(WIDGETS, widget('there', {}, { namespace: 'kube-system' }))
  expect(status).toBe(400)
  expect(body).toMatchObject({
    reason: 'BadRequest',
    message: expect.stringContaining('does not match the namespace sent on the request'),
  })
})

it('refuses a body of another version, another kind, or none', async () => {
  const wrong = async (change: object) => (await server.post(WIDGETS, { ...widget('wrong'), ...change })).body
  expect(await wrong({ apiVersion: `${GROUP}/v2` })).toMatchObject({
    code: 400,
    message: expect.stringContaining(`(${GROUP}/v2) does not match the expected API version (${GROUP}/v1)`),
  })
  expect((await wrong({ kind: 'Gadget' })).code).toBe(422)
  expect((await wrong({ kind: undefined })).code).toBe(400)
  expect((await wrong({ apiVersion: undefined })).code).toBe(400)
  for (const body of ['[]', '7', 'null', '"text"', '', '{']) {
    expect((await server.post(WIDGETS, body)).status, body).toBe(400)
  }
})

it('makes names from generateName', async () => {
  const make = () => server.post(WIDGETS, { ...widget(''), metadata: { generateName: 'made-' } })
  const made = await Promise.all(Array.from({ length: 20 }, make))
  const names = made.map(({ body }) => body.metadata.name)
  for (const name of names) expect(name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  expect(new Set(names).size).toBe(20)
  expect(made[0]?.body.metadata).toMatchObject({ generateName: 'made-' })
})

it('shortens a long generateName so that the name fits', async () => {
  const long = 'x'.repeat(100)
  const { body } = await server.post(WIDGETS, { ...widget(''), metadata: { generateName: long } })
  expect(body.metadata.name).toHaveLength(63)
})

it('needs a name or a generateName', async () => {
  const { status, body } = await server.post(WIDGETS, { ...widget(''), metadata: {} })
  expect(status).toBe(422)
  expect(body.details.causes).toMatchObject([{ reason: 'FieldValueRequired', field: 'metadata.name' }])
})

it('checks names, labels, annotations and owners', async () => {
  const causes = async (metadata: object) => {
    const { status, body } = await server.post(WIDGETS, widget('fine', {}, metadata))
    expect(status, JSON.stringify(metadata)).toBe(422)
    return body.details.causes.map(({ field }) => field)
  }
  expect(await causes({ name: 'Upper_Case' })).toEqual(['metadata.name'])
  expect(await causes({ labels: { 'bad key!': 'x' } })).toEqual(['metadata.labels'])
  expect(await causes({ labels: { key: 'bad value!' } })).toEqual(['metadata.labels'])
  expect(await causes({ annotations: { 'bad key!': 'x' } })).toEqual(['metadata.annotations'])
  expect(await causes({ annotations: { big: 'x'.repeat(262_145) } })).toEqual(['metadata.annotations'])
  expect(await causes({ finalizers: ['no slash'] })).toContain('metadata.finalizers')
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: '', uid: '' }
  expect(await causes({ ownerReferences: [owner] })).toEqual([
    'metadata.ownerReferences.name',
    'metadata.ownerReferences.uid',
  ])
})

it('refuses metadata of the wrong type', async () => {
  for (const metadata of [{ labels: { a: 1 } }, { finalizers: 'x' }, { annotations: [] }, 'text'])
    expect((await server.post(WIDGETS, { ...widget('typed'), metadata })).status, JSON.stringify(metadata)).toBe(400)
})

it('names every field that breaks the schema', async () => {
  const { status, body } = await server.post(
    WIDGETS,
    widget('broken', { size: 'big', color: 'pink', parts: [{ count: 1 }] }),
  )
  expect(status).toBe(422)
  expect(body).toMatchObject({
    reason: 'Invalid',
    message: expect.stringMatching(/^Widget\.example\.com "broken" is invalid: \[/),
    details: { name: 'broken', group: GROUP, kind: 'Widget' },
  })
  expect(body.details.causes.map(({ reason, field }) => `${field} ${reason}`).sort()).toEqual([
    'spec.color FieldValueNotSupported',
    'spec.parts[0].name FieldValueRequired',
    'spec.size FieldValueTypeInvalid',
  ])
})

it('defaults, prunes and drops nulls before it stores', async () => {
  const { body } = await server.post(
    WIDGETS,
    widget('shaped', {
      gone: 1,
      size: null,
      replicas: null,
      note: null,
      free: { kept: { deep: null } },
      either: '50%',
    }),
  )
  expect(body.spec).toEqual({ replicas: 1, note: null, free: { kept: { deep: null } }, either: '50%' })
})

it('needs a namespace that exists', async () => {
  const { status, body } = await server.post(`/apis/${GROUP}/v1/namespaces/nowhere/widgets`, widget('lost'))
  expect(status).toBe(404)
  expect(body).toMatchObject({ reason: 'NotFound', message: 'namespaces "nowhere" not found' })
})

it('serves each scope at its own paths alone', async () => {
  expect((await server.post(PLANETS, planet('earth'))).status).toBe(201)
  expect((await server.get(`${PLANETS}/earth`)).body.metadata).not.toHaveProperty('namespace')
  expect((await server.get(`/apis/${GROUP}/v1/namespaces/default/planets/earth`)).status).toBe(404)
  expect((await server.post(`/apis/${GROUP}/v1/widgets`, widget('wide'))).status).toBe(404)
  expect((await server.get(`/apis/${GROUP}/v1/widgets/filled`)).status).toBe(404)
  expect((await server.get(`/apis/${GROUP}/v1/widgets`)).status).toBe(200)
})

it('does all but store in a dry run', async () => {
  const changes = await server.watch(WIDGETS)
  const { status, body } = await server.post(`${WIDGETS}?dryRun=All`, widget('dry', { size: 1 }))
  expect(status).toBe(201)
  expect(body).toMatchObject({ metadata: { name: 'dry', uid: expect.any(String) }, spec: { replicas: 1 } })
  expect(body.metadata).not.toHaveProperty('resourceVersion')
  expect((await server.get(`${WIDGETS}/dry`)).status).toBe(404)
  expect((await server.post(`${WIDGETS}?dryRun=All`, widget('filled'))).status).toBe(409)
  expect((await server.post(`${WIDGETS}?dryRun=All`, widget('dry', { size: 'x' }))).status).toBe(422)
  await server.post(WIDGETS, widget('wet'))
  const seen = await changes.until(({ object }) => object.metadata.name === 'wet')
  expect(seen.map(({ object }) => object.metadata.name)).not.toContain('dry')
  expect((await server.post(`${WIDGETS}?dryRun=Some`, widget('dry'))).body).toMatchObject({
    code: 422,
    details: { causes: [{ field: 'dryRun', reason: 'FieldValueNotSupported' }] },
  })
})

it('keeps secrets as bytes and fills stringData in', async () => {
  const { body } = await server.post('/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'secret' },
    data: { a: 'YQ==' },
    stringData: { b: 'b' },
  })
  expect(body).toMatchObject({ type: 'Opaque', data: { a: 'YQ==', b: 'Yg==' } })
  expect(body).not.toHaveProperty('stringData')
})

it.each(['0', '000', 'abc', '-1'])('drops the resourceVersion %j, which names no version', async (resourceVersion) => {
  const made = await server.post(WIDGETS, { ...widget('', {}, { generateName: 'versioned-', resourceVersion }) })
  expect(made.status).toBe(201)
  expect(made.body.metadata.resourceVersion).not.toBe(resourceVersion)
})

it('takes the core group with a slash before its version', async () => {
  expect((await server.post(CONFIG_MAPS, { ...configMap('slash'), apiVersion: '/v1' })).body.apiVersion).toBe('v1')
})

it('makes one of two equal owner references, with a warning, and leaves those that differ', async () => {
  const { uid } = (await server.post(WIDGETS, widget('owner'))).body.metadata
  const owner = { apiVersion: `${GROUP}/v1`, kind: 'Widget', name: 'owner', uid }
  const made = await server.post(CONFIG_MAPS, configMap('owned', {}, { ownerReferences: [owner, owner] }))
  expect(made.body.metadata).toMatchObject({ ownerReferences: [owner] })
  expect(made.headers.get('warning')).toContain(`duplicate UID(s) observed: ${uid}`)
  const other = { ...owner, controller: true }
  const two = await server.patch(`${CONFIG_MAPS}/owned`, { metadata: { ownerReferences: [owner, other] } })
  expect(two.body.metadata).toMatchObject({ ownerReferences: [owner, other] })
  expect(two.headers.get('warning')).toBeNull()
})
