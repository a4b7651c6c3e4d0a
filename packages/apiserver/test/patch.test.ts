import { afterAll, expect, it } from 'vitest'
import { CONFIG_MAPS, configMap, GROUP, WIDGETS, widget, widgets } from './definitions.ts'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)

it('merges: what is given replaces, null removes, the rest stays', async () => {
  await server.post(WIDGETS, widget('merged', { size: 1, color: 'red', parts: [{ name: 'a' }] }))
  const { status, body } = await server.patch(`${WIDGETS}/merged`, {
    spec: { size: 2, color: null, parts: [{ name: 'b' }] },
    metadata: { labels: { a: 'b' } },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ metadata: { labels: { a: 'b' }, generation: 2 } })
  expect(body.spec).toEqual({ size: 2, replicas: 1, parts: [{ name: 'b' }] })
})

it('applies JSON patch operations in order, all or none', async () => {
  await server.post(WIDGETS, widget('operated', { size: 1, parts: [{ name: 'a' }] }))
  const { body } = await server.patch(`${WIDGETS}/operated`, [
    { op: 'test', path: '/spec/size', value: 1 },
    { op: 'replace', path: '/spec/size', value: 2 },
    { op: 'add', path: '/spec/parts/-', value: { name: 'b' } },
    { op: 'add', path: '/metadata/labels', value: { 'a/b': 'c' } },
    { op: 'copy', from: '/spec/size', path: '/spec/big' },
    { op: 'remove', path: '/spec/parts/0' },
  ])
  expect(body.spec).toEqual({ size: 2, big: 2, replicas: 1, parts: [{ name: 'b' }] })
  const half = await server.patch(`${WIDGETS}/operated`, [
    { op: 'replace', path: '/spec/size', value: 3 },
    { op: 'test', path: '/spec/big', value: 99 },
  ])
  expect(half.status).toBe(422)
  expect((await server.get(`${WIDGETS}/operated`)).body).toEqual(body)
})

it('tells a patch that cannot be read from one that cannot be applied', async () => {
  await server.post(WIDGETS, widget('picky'))
  const code = async (body: unknown, type: string) =>
    (await server.patch(`${WIDGETS}/picky`, body, { type: `application/${type}+json` })).status
  expect(await code('{', 'merge-patch')).toBe(400)
  expect(await code('[]', 'merge-patch')).toBe(400)
  expect(await code('7', 'merge-patch')).toBe(400)
  expect(await code('{}', 'json-patch')).toBe(400)
  expect(await code([{ op: 'dance', path: '/spec' }], 'json-patch')).toBe(422)
  expect(await code([{ op: 'remove', path: '/spec/absent' }], 'json-patch')).toBe(422)
  expect(await code([{ op: 'replace', path: '', value: 7 }], 'json-patch')).toBe(422)
})

it('answers 415 to patches it does not know, and names those it does', async () => {
  await server.post(WIDGETS, widget('typed'))
  await server.post(CONFIG_MAPS, configMap('typed'))
  for (const type of ['application/strategic-merge-patch+json', 'application/json', 'text/plain']) {
    const { status, body } = await server.patch(`${WIDGETS}/typed`, '{}', { type })
    expect(status).toBe(415)
    expect(body).toMatchObject({ reason: 'UnsupportedMediaType', message: expect.stringContaining('merge-patch+json') })
  }
  const merge = { type: 'application/merge-patch+json; charset=utf-8' }
  expect((await server.patch(`${CONFIG_MAPS}/typed`, '{"data":{"a":"b"}}', merge)).status).toBe(200)
})

it('merges lists of built-in kinds by their keys, as strategic patches do', async () => {
  await server.post(CONFIG_MAPS, configMap('strategic', {}, { finalizers: ['x.y/a', 'x.y/b'] }))
  const change = (body: unknown, query = '') =>
    server.patch(`${CONFIG_MAPS}/strategic${query}`, body, { type: 'application/strategic-merge-patch+json' })
  const added = await change({ metadata: { finalizers: ['x.y/c'] }, data: { a: '1', b: '2' } })
  expect(added.body).toMatchObject({ metadata: { finalizers: ['x.y/c', 'x.y/a', 'x.y/b'] }, data: { a: '1', b: '2' } })
  const taken = await change({
    metadata: { '$deleteFromPrimitiveList/finalizers': ['x.y/c'], '$setElementOrder/finalizers': ['x.y/b', 'x.y/a'] },
    data: { $retainKeys: ['b'] },
  })
  expect(taken.body).toMatchObject({ metadata: { finalizers: ['x.y/b', 'x.y/a'] }, data: { b: '2' } })
  const { resourceVersion } = taken.body.metadata
  expect((await change('null')).body).toMatchObject({ metadata: { resourceVersion } })
  expect((await change({ data: { $patch: 'dance' } })).body).toMatchObject({ code: 500 })
  expect((await change([])).body).toMatchObject({ code: 400, reason: 'BadRequest' })
  expect((await change({ metadata: { name: 'other' } })).status).toBe(400)
  expect((await change({ $patch: 'delete' })).body.message).toContain('name must be provided')
  expect((await change({ metadata: { namespace: null } })).body).toMatchObject({ metadata: { namespace: 'default' } })
  await change({ metadata: { finalizers: null } })
})

it('answers 422 to a patch after which the object cannot be read any more', async () => {
  await server.post(CONFIG_MAPS, configMap('torn', { a: '1' }))
  const change = (body: unknown, type: string) =>
    server.patch(`${CONFIG_MAPS}/torn?fieldValidation=Strict`, body, { type: `application/${type}+json` })
  expect((await change({ data: { a: 1 } }, 'merge-patch')).body).toMatchObject({ code: 422, reason: 'Invalid' })
  expect((await change({ data: { a: 1 } }, 'strategic-merge-patch')).body).toMatchObject({
    code: 422,
    message: expect.stringContaining(' "" is invalid: patch: Invalid value: "map[data:map[a:1]]": '),
  })
  expect((await change({ foo: 1 }, 'strategic-merge-patch')).body.message).toBe(
    ' "" is invalid: patch: Invalid value: "map[foo:1]": strict decoding error: unknown field "foo"',
  )
  expect((await change({ metadata: { labels: 'x' } }, 'strategic-merge-patch')).body.message).toBe(
    ' "" is invalid: patch: Invalid value: "map[metadata:map[labels:x]]": metadata.labels: cannot restore map from string',
  )
})

it('answers 404 for what does not exist', async () => {
  expect((await server.patch(`${WIDGETS}/none`, {})).body).toMatchObject({ code: 404, reason: 'NotFound' })
})

it('never conflicts without a version, however many write at once', async () => {
  await server.post(WIDGETS, widget('busy', {}, { labels: {} }))
  const writes = Array.from({ length: 50 }, (_, i) =>
    server.patch(`${WIDGETS}/busy`, { metadata: { labels: { [`l${i}`]: 'x' } } }),
  )
  for (const { status } of await Promise.all(writes)) expect(status).toBe(200)
  expect(Object.keys((await server.get(`${WIDGETS}/busy`)).body.metadata.labels ?? {})).toHaveLength(50)
})

it('takes a version in the patch as a precondition, and a uid for a field that cannot change', async () => {
  const { body } = await server.post(WIDGETS, widget('guarded'))
  const change = (metadata: object) => server.patch(`${WIDGETS}/guarded`, { metadata, spec: { size: 5 } })
  expect((await change({ resourceVersion: '1' })).body).toMatchObject({ code: 409, reason: 'Conflict' })
  expect((await change({ resourceVersion: '1', uid: 'other' })).body).toMatchObject({ code: 409 })
  expect((await change({ uid: 'other' })).body).toMatchObject({
    code: 422,
    reason: 'Invalid',
    details: { kind: 'Widget', causes: [{ field: 'metadata.uid' }, { field: 'metadata.uid' }] },
  })
  expect((await change({ resourceVersion: body.metadata.resourceVersion, uid: body.metadata.uid })).status).toBe(200)
})

it('cannot move an object or make it another kind', async () => {
  await server.post(WIDGETS, widget('fixed'))
  expect((await server.patch(`${WIDGETS}/fixed`, { metadata: { name: 'other' } })).status).toBe(400)
  expect((await server.patch(`${WIDGETS}/fixed`, { metadata: { namespace: 'other' } })).status).toBe(400)
  expect((await server.patch(`${WIDGETS}/fixed`, { kind: 'Other' })).status).toBeGreaterThanOrEqual(400)
  expect((await server.patch(`${WIDGETS}/fixed`, { apiVersion: `${GROUP}/v9` })).status).toBe(422)
})

it('validates the result and prunes it', async () => {
  await server.post(WIDGETS, widget('checked'))
  const { status, body } = await server.patch(`${WIDGETS}/checked`, { spec: { color: 'pink' } })
  expect(status).toBe(422)
  expect(body.details.causes).toMatchObject([{ field: 'spec.color', reason: 'FieldValueNotSupported' }])
  expect((await server.patch(`${WIDGETS}/checked`, { spec: { unknown: 1 } })).body.spec).toEqual({ replicas: 1 })
})

it('does all but store in a dry run', async () => {
  const { body } = await server.post(WIDGETS, widget('dry'))
  expect((await server.patch(`${WIDGETS}/dry?dryRun=All`, { spec: { size: 3 } })).body.spec).toMatchObject({ size: 3 })
  expect((await server.get(`${WIDGETS}/dry`)).body).toEqual(body)
})

it('answers with the metadata alone when asked to', async () => {
  await server.post(WIDGETS, widget('partial'))
  const { body } = await server.patch(
    `${WIDGETS}/partial`,
    { metadata: { labels: { a: 'b' } } },
    { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
  )
  expect(body).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' })
  expect(body).not.toHaveProperty('spec')
})

it('names members that no JSON Patch has, and members that are there twice', async () => {
  await server.post(WIDGETS, widget('members'))
  const patch = '[{"op":"add","op":"add","path":"/spec/size","value":2,"foo":"bar"}]'
  const send = (validation: string) =>
    server.send('PATCH', `${WIDGETS}/members?fieldValidation=${validation}`, {
      body: patch,
      type: 'application/json-patch+json',
    })
  expect((await send('Strict')).body).toMatchObject({
    code: 422,
    details: { causes: [{ field: 'patch', message: expect.stringContaining('json patch unknown field "[0].foo"') }] },
  })
  const warned = await send('Warn')
  expect(warned.status).toBe(200)
  expect(warned.headers.get('warning')).toBe(
    String.raw`299 - "json patch duplicate field \"[0].op\"", 299 - "json patch unknown field \"[0].foo\""`,
  )
  expect((await send('Ignore')).headers.get('warning')).toBeNull()
})

it('says which group a patch would move the object to', async () => {
  await server.post(WIDGETS, widget('moved'))
  const { body } = await server.patch(`${WIDGETS}/moved`, { apiVersion: 'x/v1' })
  expect(body).toMatchObject({ code: 422, details: { group: 'x', causes: [{ field: 'apiVersion' }] } })
})
