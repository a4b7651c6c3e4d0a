import { afterAll, expect, it } from 'vitest'
import { CONFIG_MAPS, configMap, GROUP, NOTES, note, notes, WIDGETS, widget, widgets } from './definitions.ts'
import { serve } from './server.ts'
import { story } from './watching.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(notes)

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'

it('answers 200 with a new version and a new generation', async () => {
  const { body } = await server.post(WIDGETS, widget('a', { size: 1 }))
  const { status, body: updated } = await server.put(`${WIDGETS}/a`, { ...body, spec: { size: 2 } })
  expect(status).toBe(200)
  expect(updated).toMatchObject({ metadata: { uid: body.metadata.uid, generation: 2 }, spec: { size: 2, replicas: 1 } })
  expect(Number(updated.metadata.resourceVersion)).toBeGreaterThan(Number(body.metadata.resourceVersion))
})

it('refuses a write that is based on an older version', async () => {
  const { body } = await server.post(WIDGETS, widget('locked'))
  await server.put(`${WIDGETS}/locked`, { ...body, spec: { size: 1 } })
  const { status, body: answer } = await server.put(`${WIDGETS}/locked`, { ...body, spec: { size: 2 } })
  expect(status).toBe(409)
  expect(answer).toMatchObject({
    reason: 'Conflict',
    details: { name: 'locked', group: GROUP, kind: 'widgets' },
    message:
      'Operation cannot be fulfilled on widgets.example.com "locked": the object has been modified; ' +
      'please apply your changes to the latest version and try again',
  })
})

it('lets exactly one of many writers win who read the same version', async () => {
  const { body } = await server.post(WIDGETS, widget('raced'))
  const writes = Array.from({ length: 20 }, (_, size) => server.put(`${WIDGETS}/raced`, { ...body, spec: { size } }))
  const codes = (await Promise.all(writes)).map(({ status }) => status).sort()
  expect(codes).toEqual([200, ...Array(19).fill(409)])
})

it('needs the version for custom resources and leases, and not for plain data', async () => {
  await server.post(WIDGETS, widget('strict'))
  const { status, body } = await server.put(`${WIDGETS}/strict`, widget('strict', { size: 2 }))
  expect(status).toBe(422)
  expect(body).toMatchObject({
    details: { kind: 'widgets', causes: [{ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion' }] },
    message: expect.stringContaining('must be specified for an update'),
  })
  await server.post(CONFIG_MAPS, configMap('loose'))
  expect((await server.put(`${CONFIG_MAPS}/loose`, configMap('loose', { a: 'b' }))).status).toBe(200)
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: {} }
  expect((await server.put(`${LEASES}/l`, lease)).status).toBe(201)
  expect((await server.put(`${LEASES}/l`, lease)).status).toBe(422)
})

it('answers 404 for what does not exist, except for kinds that a PUT may create', async () => {
  expect((await server.put(`${WIDGETS}/none`, widget('none'))).body).toMatchObject({
    code: 404,
    reason: 'NotFound',
    message: 'widgets.example.com "none" not found',
    details: { name: 'none', group: GROUP, kind: 'widgets' },
  })
  expect((await server.put(`${CONFIG_MAPS}/none`, configMap('none'))).status).toBe(404)
})

it('refuses another name, another namespace and another uid', async () => {
  const { body } = await server.post(WIDGETS, widget('named'))
  const change = (metadata: object) =>
    server.put(`${WIDGETS}/named`, { ...body, metadata: { ...body.metadata, ...metadata } })
  expect((await change({ name: 'other' })).body).toMatchObject({
    code: 400,
    message: 'the name of the object (other) does not match the name on the URL (named)',
  })
  expect((await change({ namespace: 'other' })).status).toBe(400)
  expect((await change({ uid: 'other' })).body).toMatchObject({
    code: 409,
    reason: 'Conflict',
    message: expect.stringContaining('Precondition failed: UID in precondition: other'),
  })
})

it('keeps the version and sends no event when nothing changes', async () => {
  const { body } = await server.post(WIDGETS, widget('same', { size: 1 }, { labels: { a: 'b' } }))
  const changes = await server.watch(`${WIDGETS}?resourceVersion=${body.metadata.resourceVersion}`)
  expect((await server.put(`${WIDGETS}/same`, body)).body).toEqual(body)
  expect((await server.put(`${WIDGETS}/same`, { ...body, spec: { size: 1, unknown: 5 } })).body).toEqual(body)
  expect((await server.patch(`${WIDGETS}/same`, { spec: { size: 1 } })).body).toEqual(body)
  expect((await server.patch(`${WIDGETS}/same`, [{ op: 'replace', path: '/spec/size', value: 1 }])).body).toEqual(body)
  expect((await server.patch(`${WIDGETS}/same/status`, {})).body).toEqual(body)
  await server.post(WIDGETS, widget('after'))
  expect(story([await changes.next()])).toBe('ADDED after')
})

it('ignores what a client says about server fields', async () => {
  const { body } = await server.post(WIDGETS, widget('kept'))
  const metadata = { ...body.metadata, generation: 9, creationTimestamp: '2001-01-01T00:00:00Z', selfLink: '/x' }
  expect((await server.put(`${WIDGETS}/kept`, { ...body, metadata })).body).toEqual(body)
})

it('counts a generation for spec, not for metadata, and not for status where that is a subresource', async () => {
  const { body } = await server.post(WIDGETS, widget('counted', { size: 1 }))
  const generation = async (change: object) =>
    (await server.patch(`${WIDGETS}/counted`, change)).body.metadata.generation
  expect(body.metadata.generation).toBe(1)
  expect(await generation({ metadata: { labels: { a: 'b' } } })).toBe(1)
  expect(await generation({ spec: { size: 2 } })).toBe(2)
  expect(await generation({ status: { phase: 'x' } })).toBe(2)
  expect((await server.patch(`${WIDGETS}/counted/status`, { status: { phase: 'x' } })).body.metadata.generation).toBe(2)
})

it('counts status as part of the object where it is no subresource', async () => {
  await server.post(NOTES, { ...note('whole'), spec: {} })
  const { body } = await server.patch(`${NOTES}/whole`, { spec: { more: 1 } })
  expect(body.metadata.generation).toBe(2)
  expect((await server.get(`${NOTES}/whole/status`)).status).toBe(404)
})

it('does all but store in a dry run', async () => {
  const { body } = await server.post(WIDGETS, widget('dry', { size: 1 }))
  const { status, body: would } = await server.put(`${WIDGETS}/dry?dryRun=All`, { ...body, spec: { size: 2 } })
  expect(status).toBe(200)
  expect(would).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 } })
  expect((await server.get(`${WIDGETS}/dry`)).body).toEqual(body)
})

it('cannot change immutable data', async () => {
  await server.post(CONFIG_MAPS, { ...configMap('frozen', { a: 'b' }), immutable: true })
  const { status, body } = await server.put(`${CONFIG_MAPS}/frozen`, configMap('frozen', { a: 'c' }))
  expect(status).toBe(422)
  expect(body.details.causes.map(({ field }) => field)).toContain('immutable')
})

it('does not hold an object to rules that it broke before and that this write leaves alone', async () => {
  const { body } = await server.post(NOTES, note('old', { any: 'thing' }))
  expect((await server.put(`${NOTES}/old`, { ...body, spec: { any: 'other' } })).status).toBe(200)
})
