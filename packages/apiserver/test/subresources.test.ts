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
