import { afterAll, describe, expect, it } from 'vitest'
import { CONFIG_MAPS, configMap, GROUP, NOTES, notes, WIDGETS, widget, widgets } from './definitions.ts'
import { type Answer, serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(notes)

const warnings = ({ headers }: Answer) =>
  [...(headers.get('warning') ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll('\\"', '"'),
  )
const strange = { size: 1, extra: 1, parts: [{ name: 'a', odd: 2 }] }
const UNKNOWN = ['unknown field "spec.extra"', 'unknown field "spec.parts[0].odd"']

it('warns of unknown fields unless something else is asked for', async () => {
  for (const query of ['', '?fieldValidation=Warn', '?fieldValidation=']) {
    const answer = await server.post(`${WIDGETS}${query}`, widget(`warned${query.length}`, strange))
    expect(answer.status).toBe(201)
    expect(warnings(answer)).toEqual(UNKNOWN)
    expect(answer.body.spec).toEqual({ size: 1, replicas: 1, parts: [{ name: 'a' }] })
  }
})

it('ignores them in silence when asked to', async () => {
  const answer = await server.post(`${WIDGETS}?fieldValidation=Ignore`, widget('ignored', strange))
  expect(answer.status).toBe(201)
  expect(warnings(answer)).toEqual([])
})

it('refuses them when asked to be strict', async () => {
  const { status, body } = await server.post(`${WIDGETS}?fieldValidation=Strict`, widget('strict', strange))
  expect(status).toBe(400)
  expect(body).toMatchObject({
    reason: 'BadRequest',
    message: `Widget in version "v1" cannot be handled as a Widget: strict decoding error: ${UNKNOWN.join(', ')}`,
  })
})

it('refuses a mode that does not exist', async () => {
  expect((await server.post(`${WIDGETS}?fieldValidation=Maybe`, widget('x'))).body).toMatchObject({
    code: 422,
    details: { causes: [{ field: 'fieldValidation', reason: 'FieldValueNotSupported' }] },
  })
})

describe('strictness covers', () => {
  const strict = '?fieldValidation=Strict'

  it('metadata', async () => {
    const { body } = await server.post(`${WIDGETS}${strict}`, widget('meta', {}, { colour: 'x' }))
    expect(body).toMatchObject({ code: 400, message: expect.stringContaining('unknown field "metadata.colour"') })
  })

  it('updates and both kinds of patch', async () => {
    const { body } = await server.post(WIDGETS, widget('changed'))
    const update = await server.put(`${WIDGETS}/changed${strict}`, { ...body, spec: { extra: 1 } })
    const merge = await server.patch(`${WIDGETS}/changed${strict}`, { spec: { extra: 1 } })
    const operations = await server.patch(`${WIDGETS}/changed${strict}`, [{ op: 'add', path: '/spec/extra', value: 1 }])
    for (const { status, body: answer } of [update, merge, operations]) {
      expect(status).toBe(answer === update.body ? 400 : 422)
      expect(answer.message).toContain('unknown field "spec.extra"')
    }
    expect(warnings(await server.patch(`${WIDGETS}/changed`, { spec: { extra: 1 } }))).toEqual([
      'unknown field "spec.extra"',
    ])
  })

  it('built-in kinds', async () => {
    const { body } = await server.post(`${CONFIG_MAPS}${strict}`, { ...configMap('odd'), dta: {} })
    expect(body).toMatchObject({ code: 400, message: expect.stringContaining('unknown field "dta"') })
  })

  it('keys that come twice, also where unknown ones may stay', async () => {
    const twice = `{"apiVersion":"${GROUP}/v1","kind":"Note","metadata":{"name":"n","name":"n"},"spec":{"a":[{"b":1,"b":1}]}}`
    const { body } = await server.post(`${NOTES}${strict}`, twice)
    expect(body.message).toContain('duplicate field "metadata.name", duplicate field "spec.a[0].b"')
    const answer = await server.post(NOTES, twice)
    expect(answer.status).toBe(201)
    expect(warnings(answer)).toEqual(['duplicate field "metadata.name"', 'duplicate field "spec.a[0].b"'])
    const yaml = `apiVersion: ${GROUP}/v1\nkind: Note\nmetadata: {name: twice}\nspec:\n  a: 1\n  a: 2\n`
    const read = await server.post(`${NOTES}${strict}`, yaml, { type: 'application/yaml' })
    expect(read.body.message).toContain('line 6: key "a" already set in map')
    const merge = await server.patch(`${NOTES}/n${strict}`, '{"spec":{"a":1,"a":2}}')
    expect(merge.body.message).toContain('duplicate field "spec.a"')
  })
})

it('names are exact: another case is another field', async () => {
  const answer = await server.post(WIDGETS, widget('cased', { Size: 1 }))
  expect(warnings(answer)).toEqual(['unknown field "spec.Size"'])
  expect(answer.body.spec).toEqual({ replicas: 1 })
})

it('checks the field manager', async () => {
  const manager = (name: string) => server.post(`${WIDGETS}?dryRun=All&fieldManager=${name}`, widget('managed'))
  expect((await manager('me')).status).toBe(201)
  expect((await manager('x'.repeat(129))).body).toMatchObject({
    code: 422,
    details: { causes: [{ field: 'fieldManager', reason: 'FieldValueTooLong' }] },
  })
  expect((await manager('%07')).status).toBe(422)
})

it('says of metadata with a wrong type that it cannot be handled', async () => {
  const object = { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name: 'a', labels: { a: 1 } } }
  expect((await server.post(WIDGETS, object)).body).toMatchObject({
    code: 400,
    message:
      'Widget in version "v1" cannot be handled as a Widget: metadata.labels["a"] must be a string, not a number',
  })
})

it('tells keys that are twice in YAML by their lines', async () => {
  const text = `apiVersion: ${GROUP}/v1\nkind: Widget\nmetadata:\n  name: twice\nspec:\n  size: 1\n  size: 2\n`
  const told = 'line 7: key "size" already set in map'
  const strict = `Widget in version "v1" cannot be handled as a Widget: strict decoding error: yaml: unmarshal errors:\n  ${told}`
  const post = (level: string) =>
    server.post(`${WIDGETS}?dryRun=All&fieldValidation=${level}`, text, { type: 'application/yaml' })
  expect((await post('Strict')).body).toMatchObject({ code: 400, message: strict })
  expect(warnings(await post('Warn'))).toEqual([told])
  expect((await post('Ignore')).headers.get('warning')).toBeNull()
  const apply = { body: text, type: 'application/apply-patch+yaml' }
  const applied = await server.send('PATCH', `${WIDGETS}/twice?fieldManager=m&fieldValidation=Strict`, apply)
  expect(applied.body).toMatchObject({ code: 400, message: strict })
})

it('tells unknown and repeated fields of built-in kinds once each, in the order of the body', async () => {
  const text = `{"apiVersion":"v1","kind":"Service","metadata":{"name":"odd"},"spec":{"clusterIP":"None",
    "type":"ClusterIP","type":"ClusterIP","wat":1,"wat":2,"ports":[{"port":1,"huh":{"a":1,"a":2},"huh":2}],"z":1}}`
  const answer = await server.post('/api/v1/namespaces/default/services', text)
  expect(warnings(answer)).toEqual([
    'duplicate field "spec.type"',
    'unknown field "spec.wat"',
    'unknown field "spec.ports[0].huh"',
    'unknown field "spec.z"',
  ])
})

it('refuses an apply for what the schema does not know before it looks for what is there twice', async () => {
  const text = `apiVersion: ${GROUP}/v1\nkind: Widget\nmetadata:\n  name: first\nspec:\n  size: 1\n  size: 2\n  wat: 1\n`
  const apply = { body: text, type: 'application/apply-patch+yaml' }
  const { body } = await server.send('PATCH', `${WIDGETS}/first?fieldManager=m&fieldValidation=Strict`, apply)
  expect(body).toMatchObject({ code: 500, message: expect.stringContaining('.spec.wat') })
})
