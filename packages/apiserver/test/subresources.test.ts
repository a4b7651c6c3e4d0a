import { afterAll, expect, it } from 'vitest'
import { definition, GROUP, NOTES, note, notes, version, WIDGETS, widget, widgets } from './definitions.ts'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(notes)

it('drops status on create and keeps it apart from the rest afterwards', async () => {
  const { body } = await server.post(WIDGETS, { ...widget('a', { size: 1 }), status: { phase: 'mine' } })
  expect(body).not.toHaveProperty('status')
  const { status, body: told } = await server.put(`${WIDGETS}/a/status`, {
    ...body,
    metadata: { ...body.metadata, labels: { no: 'no' } },
    spec: { size: 99 },
    status: { phase: 'Ready' },
  })
  expect(status).toBe(200)
  expect(told).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' }, metadata: { generation: 1 } })
  expect(told.metadata).not.toHaveProperty('labels')
  const { body: changed } = await server.put(`${WIDGETS}/a`, { ...told, spec: { size: 2 }, status: { phase: 'x' } })
  expect(changed).toMatchObject({ spec: { size: 2 }, status: { phase: 'Ready' }, metadata: { generation: 2 } })
  expect((await server.get(`${WIDGETS}/a/status`)).body).toEqual(changed)
})

it('patches status by merge and by operations', async () => {
  await server.post(WIDGETS, widget('b'))
  expect((await server.patch(`${WIDGETS}/b/status`, { status: { replicas: 2 } })).body.status).toEqual({ replicas: 2 })
  expect(
    (await server.patch(`${WIDGETS}/b/status`, [{ op: 'add', path: '/status/phase', value: 'x' }])).body.status,
  ).toEqual({ replicas: 2, phase: 'x' })
  expect((await server.patch(`${WIDGETS}/b`, { status: null })).body.status).toEqual({ replicas: 2, phase: 'x' })
})

it('tells what is wrong with a status by names that begin there', async () => {
  const status = { type: 'object', properties: { size: { type: 'integer', maximum: 10 } } }
  const rules = { storage: true, spec: { size: { type: 'integer' } }, root: { status }, subresources: { status: {} } }
  await server.define(definition({ plural: 'tellings', versions: [version('v1', rules)] }))
  const path = `/apis/${GROUP}/v1/namespaces/default/tellings`
  await server.post(path, { apiVersion: `${GROUP}/v1`, kind: 'Telling', metadata: { name: 'a' } })
  const { body } = await server.patch(`${path}/a/status`, { spec: { size: 'no' }, status: { size: 11 } })
  expect(body.details.causes).toEqual([
    {
      reason: 'FieldValueInvalid',
      field: 'status.size',
      message: 'Invalid value: 11: size in body should be less than or equal to 10',
    },
  ])
})

it('checks the version of a status write too', async () => {
  const { body } = await server.post(WIDGETS, widget('c'))
  await server.patch(`${WIDGETS}/c`, { spec: { size: 1 } })
  expect((await server.put(`${WIDGETS}/c/status`, { ...body, status: { phase: 'late' } })).status).toBe(409)
  const { resourceVersion: _, ...metadata } = body.metadata
  expect((await server.put(`${WIDGETS}/c/status`, { ...body, metadata })).status).toBe(422)
})

it('has no subresource that its definition does not have, and no other verbs on those it has', async () => {
  await server.post(NOTES, note('plain'))
  for (const subresource of ['status', 'scale', 'exec'])
    expect((await server.get(`${NOTES}/plain/${subresource}`)).status, subresource).toBe(404)
  expect((await server.put(`${NOTES}/plain/status`, note('plain'))).status).toBe(404)
  expect((await server.delete(`${WIDGETS}/a/status`)).body).toMatchObject({ code: 405, reason: 'MethodNotAllowed' })
  expect((await server.post(`${WIDGETS}/a/status`, {})).status).toBe(405)
})

it('shows and changes the scale of an object', async () => {
  const { body } = await server.post(WIDGETS, widget('scaled', { replicas: 3 }))
  await server.patch(`${WIDGETS}/scaled/status`, { status: { replicas: 2, selector: 'app=x' } })
  const { body: scale } = await server.get(`${WIDGETS}/scaled/scale`)
  expect(scale).toEqual({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: {
      name: 'scaled',
      namespace: 'default',
      uid: body.metadata.uid,
      resourceVersion: expect.any(String),
      creationTimestamp: body.metadata.creationTimestamp,
    },
    spec: { replicas: 3 },
    status: { replicas: 2, selector: 'app=x' },
  })
  const { status, body: put } = await server.put(`${WIDGETS}/scaled/scale`, { ...scale, spec: { replicas: 5 } })
  expect(status).toBe(200)
  expect(put).toMatchObject({ kind: 'Scale', spec: { replicas: 5 }, status: { replicas: 2 } })
  expect((await server.put(`${WIDGETS}/scaled/scale`, { ...scale, spec: { replicas: 6 } })).status).toBe(409)
  const { resourceVersion: _, ...metadata } = scale.metadata
  expect((await server.put(`${WIDGETS}/scaled/scale`, { ...scale, metadata, spec: { replicas: 6 } })).status).toBe(200)
  expect((await server.patch(`${WIDGETS}/scaled/scale`, { spec: { replicas: 7 } })).body.spec).toEqual({ replicas: 7 })
  expect((await server.get(`${WIDGETS}/scaled`)).body).toMatchObject({
    spec: { replicas: 7 },
    metadata: { generation: 4 },
  })
})

it('refuses counts that cannot be', async () => {
  await server.post(WIDGETS, widget('counted', { replicas: 1 }))
  const { status, body } = await server.patch(`${WIDGETS}/counted/scale`, { spec: { replicas: -1 } })
  expect(status).toBe(422)
  expect(body.details.causes).toMatchObject([{ reason: 'FieldValueInvalid', field: '.spec.replicas' }])
  expect((await server.patch(`${WIDGETS}/counted/scale`, { spec: { replicas: 'many' } })).status).toBe(422)
  expect((await server.patch(`${WIDGETS}/counted`, { spec: { replicas: -2 } })).status).toBe(422)
  expect((await server.patch(`${WIDGETS}/counted/status`, { status: { replicas: -2 } })).body).toMatchObject({
    details: { causes: [{ field: '.status.replicas' }] },
  })
})

it('does not store a scale that was a dry run', async () => {
  await server.post(WIDGETS, widget('dry', { replicas: 1 }))
  const { body } = await server.patch(`${WIDGETS}/dry/scale?dryRun=All`, { spec: { replicas: 4 } })
  expect(body.spec).toEqual({ replicas: 4 })
  expect((await server.get(`${WIDGETS}/dry/scale`)).body.spec).toEqual({ replicas: 1 })
})

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const APPLY = { type: 'application/apply-patch+yaml' }

function deployment(name: string, replicas?: number): object {
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'x' }] } }
  const spec = { ...(replicas !== undefined && { replicas }), selector: { matchLabels: { app: name } }, template }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec }
}

/** The manager of the replicas, and its time. */
async function ownersOf(url: string): Promise<object[]> {
  const { body } = await server.get(url)
  const entries = (body.metadata.managedFields ?? []) as {
    fieldsV1?: { 'f:spec'?: object }
    [field: string]: unknown
  }[]
  return entries
    .filter(({ fieldsV1 }) => fieldsV1?.['f:spec'] && 'f:replicas' in fieldsV1['f:spec'])
    .map(({ manager, operation, apiVersion, subresource, time }) => ({
      manager,
      operation,
      apiVersion,
      subresource,
      time,
    }))
}

it('keeps who scaled an object, without a time', async () => {
  await server.post(`${DEPLOYMENTS}?fieldManager=maker`, deployment('kept', 2))
  const url = `${DEPLOYMENTS}/kept`
  expect(await ownersOf(url)).toMatchObject([{ manager: 'maker', time: expect.any(String) }])
  const scaler = { operation: 'Update', apiVersion: 'apps/v1', subresource: 'scale', time: undefined }
  for (const replicas of [3, 4]) {
    await server.patch(`${url}/scale?fieldManager=scaler`, { spec: { replicas } })
    expect(await ownersOf(url)).toEqual([{ manager: 'scaler', ...scaler }])
  }
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'kept' }, spec: { replicas: 5 } }
  await server.patch(`${url}/scale?fieldManager=applier&force=true`, scale, APPLY)
  expect(await ownersOf(url)).toEqual([{ manager: 'applier', ...scaler, operation: 'Apply' }])
})

it('keeps nobody who scaled an object whose replicas nobody owned; an apply meets whoever was before', async () => {
  const url = `${DEPLOYMENTS}/unowned`
  await server.patch(`${url}?fieldManager=applier`, deployment('unowned'), APPLY)
  const { body } = await server.patch(`${url}/scale?fieldManager=scaler`, { spec: { replicas: 3 } })
  expect(body.spec).toEqual({ replicas: 3 })
  expect(await ownersOf(url)).toEqual([])
  const scale = (replicas: number) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'unowned' },
    spec: { replicas },
  })
  const refused = await server.patch(`${url}/scale?fieldManager=other`, scale(4), APPLY)
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('before-first-apply') } })
  await server.patch(`${url}/scale?fieldManager=other`, scale(3), APPLY)
  expect(await ownersOf(url)).toMatchObject([{ manager: 'other' }, { manager: 'before-first-apply', time: undefined }])
})
