import { afterAll, expect, it } from 'vitest'
import { GROUP, PLANETS, planet, planets, SECRETS, secret, WIDGETS, widget, widgets } from './definitions.ts'
import { serve } from './server.ts'
import { story } from './watching.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(planets)
const held = { finalizers: ['example.com/hold'] }

it('answers with a Status that names what is gone', async () => {
  const { body } = await server.post(WIDGETS, widget('gone'))
  const { status, body: answer } = await server.delete(`${WIDGETS}/gone`)
  expect(status).toBe(200)
  expect(answer).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'gone', group: GROUP, kind: 'widgets', uid: body.metadata.uid },
  })
  expect((await server.get(`${WIDGETS}/gone`)).status).toBe(404)
  expect((await server.delete(`${WIDGETS}/gone`)).body).toMatchObject({ code: 404, reason: 'NotFound' })
})

it('takes options as JSON, as YAML, of any spelling of their version, or none', async () => {
  const bodies: [unknown, string?][] = [
    [undefined],
    [{ propagationPolicy: 'Background' }],
    [{ kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 }],
    [{ kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' }],
    [{ kind: 'DeleteOptions', apiVersion: `${GROUP}/v1` }],
    ['kind: DeleteOptions\napiVersion: v1\n', 'application/yaml'],
  ]
  for (const [body, type] of bodies) {
    await server.post(WIDGETS, widget('optional'))
    const { status } = await server.delete(`${WIDGETS}/optional`, body, type === undefined ? {} : { type })
    expect(status, JSON.stringify(body)).toBe(200)
  }
  await server.post(WIDGETS, widget('optional'))
  expect((await server.delete(`${WIDGETS}/optional`, '7')).status).toBe(400)
  expect((await server.delete(`${WIDGETS}/optional?propagationPolicy=Sideways`)).status).toBe(422)
  expect(
    (await server.delete(`${WIDGETS}/optional`, { propagationPolicy: 'Orphan', orphanDependents: true })).body,
  ).toMatchObject({ code: 422, details: { causes: [{ field: 'propagationPolicy' }] } })
})

it('deletes only what the preconditions say', async () => {
  const { body } = await server.post(WIDGETS, widget('guarded'))
  const { uid, resourceVersion } = body.metadata
  const attempt = (preconditions: object) => server.delete(`${WIDGETS}/guarded`, { preconditions })
  expect((await attempt({ uid: 'other' })).body).toMatchObject({ code: 409, reason: 'Conflict' })
  expect((await attempt({ resourceVersion: '1' })).body).toMatchObject({ code: 409, reason: 'Conflict' })
  expect((await attempt({ uid, resourceVersion })).status).toBe(200)
})

it('keeps what finalizers hold until the last is gone', async () => {
  const { body } = await server.post(WIDGETS, widget('held', {}, held))
  const changes = await server.watch(`${WIDGETS}?resourceVersion=${body.metadata.resourceVersion}`)
  const { status, body: marked } = await server.delete(`${WIDGETS}/held`)
  expect(status).toBe(200)
  expect(marked).toMatchObject({
    kind: 'Widget',
    metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0, generation: 2 },
  })
  expect((await server.delete(`${WIDGETS}/held`)).body).toEqual(marked)
  const { status: freed, body: last } = await server.patch(`${WIDGETS}/held`, { metadata: { finalizers: null } })
  expect(freed).toBe(200)
  expect(last).toMatchObject({ kind: 'Widget', metadata: { name: 'held' } })
  const events = await changes.until(({ type }) => type === 'DELETED')
  expect(story(events)).toBe('MODIFIED held, DELETED held')
  expect(events[1]?.object.metadata.resourceVersion).toBe(last.metadata.resourceVersion)
  expect((await server.get(`${WIDGETS}/held`)).status).toBe(404)
})

it('takes no new finalizers and no new life once an object is being deleted', async () => {
  await server.post(WIDGETS, widget('dying', {}, held))
  const { body } = await server.delete(`${WIDGETS}/dying`)
  const added = await server.patch(`${WIDGETS}/dying`, {
    metadata: { finalizers: ['example.com/hold', 'example.com/more'] },
  })
  expect(added.status).toBe(422)
  expect(added.body.details.causes[0]).toMatchObject({ reason: 'FieldValueForbidden', field: 'metadata.finalizers' })
  const revived = await server.patch(`${WIDGETS}/dying`, { metadata: { deletionTimestamp: null } })
  expect(revived.body.metadata.deletionTimestamp).toBe(body.metadata.deletionTimestamp)
  expect((await server.patch(`${WIDGETS}/dying`, { spec: { size: 4 } })).body.spec).toMatchObject({ size: 4 })
})

it('gives a deleted name to a new object with a new uid', async () => {
  const { body: first } = await server.post(WIDGETS, widget('again'))
  await server.delete(`${WIDGETS}/again`)
  const { body: second } = await server.post(WIDGETS, widget('again'))
  expect(second.metadata.uid).not.toBe(first.metadata.uid)
})

it('does all but delete in a dry run, asked for in the query or in the body', async () => {
  await server.post(WIDGETS, widget('dry'))
  expect((await server.delete(`${WIDGETS}/dry?dryRun=All`)).body).toMatchObject({ status: 'Success' })
  expect((await server.delete(`${WIDGETS}/dry`, { dryRun: ['All'] })).body).toMatchObject({ status: 'Success' })
  expect((await server.delete(`${WIDGETS}/dry`, { dryRun: ['Some'] })).status).toBe(422)
  expect((await server.get(`${WIDGETS}/dry`)).status).toBe(200)
})

it('deletes a collection by selector and answers with what it deleted', async () => {
  for (const name of ['a', 'b', 'c'])
    await server.post(SECRETS, secret(name, {}, { labels: { set: name === 'c' ? 'two' : 'one' } }))
  const { status, body } = await server.delete(`${SECRETS}?labelSelector=set%3Done`)
  expect(status).toBe(200)
  expect(body.kind).toBe('SecretList')
  expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  expect((await server.get(SECRETS)).body.items.map(({ metadata }) => metadata.name)).toEqual(['c'])
  expect((await server.delete(`${SECRETS}?fieldSelector=metadata.name%3Dc`)).body.items).toHaveLength(1)
})

it('deletes a collection of a namespace or of a cluster, in a dry run, and past finalizers', async () => {
  await server.delete(WIDGETS)
  await server.post(WIDGETS, widget('one'))
  await server.post(WIDGETS, widget('two', {}, held))
  expect((await server.delete(`${WIDGETS}?dryRun=All`)).body.items).toHaveLength(3)
  expect((await server.get(WIDGETS)).body.items).toHaveLength(3)
  await server.delete(WIDGETS)
  const left = (await server.get(WIDGETS)).body.items
  expect(left.map(({ metadata }) => metadata.name)).toEqual(['dying', 'two'])
  expect(left.every(({ metadata }) => metadata.deletionTimestamp !== undefined)).toBe(true)
  await server.post(PLANETS, planet('mars'))
  expect((await server.delete(PLANETS)).body).toMatchObject({ kind: 'PlanetList', items: [{}] })
})

it('does not delete over all namespaces at once', async () => {
  expect((await server.delete(`/apis/${GROUP}/v1/widgets`)).status).toBe(404)
  expect((await server.delete('/api/v1/secrets')).body).toMatchObject({ code: 405, reason: 'MethodNotAllowed' })
})

it('deletes no more of a collection than the limit says', async () => {
  for (const name of ['p', 'q', 'r']) await server.post(PLANETS, planet(name))
  expect((await server.delete(`${PLANETS}?limit=2`)).body.items).toHaveLength(2)
  expect((await server.get(PLANETS)).body.items.map(({ metadata }) => metadata.name)).toEqual(['r'])
})

it('does not delete all namespaces at once', async () => {
  const { status, body } = await server.delete('/api/v1/namespaces')
  expect(status).toBe(405)
  expect(body).toMatchObject({ reason: 'MethodNotAllowed' })
})

it.each([
  ['a text', { gracePeriodSeconds: 'soon' }, ''],
  ['a fraction', { gracePeriodSeconds: 0.5 }, ''],
  ['a text in the query', undefined, '?gracePeriodSeconds=soon'],
])('a grace that is %s is refused, and the object stays', async (_, options, query) => {
  await server.post('/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'graceful' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  })
  const { status } = await server.delete(`/api/v1/namespaces/default/pods/graceful${query}`, options)
  expect(status).toBe(400)
  expect((await server.get('/api/v1/namespaces/default/pods/graceful')).status).toBe(200)
})
