import { afterAll, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { definition, GROUP, version } from './definitions.ts'
import { DEFINITIONS, serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

const PICKS = `/apis/${GROUP}/v1/namespaces/default/picks`
const spec = { color: { type: 'string' }, size: { type: 'integer' }, on: { type: 'boolean' } }
const selectableFields = ['.spec.color', '.spec.size', '.spec.on'].map((jsonPath) => ({ jsonPath }))
await server.define(
  definition({ plural: 'picks', versions: [version('v1', { storage: true, spec, selectableFields })] }),
)
const pick = (name: string, given: string) =>
  server.post(PICKS, `{"apiVersion":"${GROUP}/v1","kind":"Pick","metadata":{"name":"${name}"},"spec":${given}}`)
const selected = (selector: string) => server.get(`${PICKS}?fieldSelector=${encodeURIComponent(selector)}`)
const names = async (selector: string) =>
  ((await selected(selector)).body.items as Body[]).map(({ metadata }) => metadata.name)

await pick('a', '{"color":"red","size":9007199254740993,"on":true}')
await pick('b', '{"color":"","size":0,"on":false}')
await pick('c', '{}')
await pick('d', '{"color":"red","size":-5}')

it('narrows lists to strings, integers of all sizes and booleans; what is absent is empty', async () => {
  expect(await names('spec.color=red')).toEqual(['a', 'd'])
  expect(await names('spec.color=')).toEqual(['b', 'c'])
  expect(await names('spec.color!=red')).toEqual(['b', 'c'])
  expect(await names('spec.size=9007199254740993')).toEqual(['a'])
  expect(await names('spec.size=0')).toEqual(['b'])
  expect(await names('spec.on=true,metadata.name!=z')).toEqual(['a'])
  expect((await selected('spec.other=1')).body).toMatchObject({ code: 400, reason: 'BadRequest' })
  expect((await selected('.spec.color=red')).status).toBe(400)
})

it('tells a watch of objects that come to match or stop to', async () => {
  const watch = await server.watch(`${PICKS}?fieldSelector=spec.color%3Dblue`)
  await pick('w', '{"color":"blue"}')
  await server.patch(`${PICKS}/w`, { spec: { color: 'green' } })
  await server.patch(`${PICKS}/w`, { spec: { color: 'blue' } })
  let seen = 0
  const events = await watch.until(() => ++seen === 3)
  expect(events.map(({ type }) => type)).toEqual(['ADDED', 'DELETED', 'ADDED'])
})

it('sees a default that came after the object was written', async () => {
  const url = `${DEFINITIONS}/picks.${GROUP}`
  const { body } = await server.get(url)
  const { versions } = body.spec as unknown as { versions: { schema: { openAPIV3Schema: Body } }[] }
  for (const { schema } of versions) {
    const { properties } = schema.openAPIV3Schema as unknown as { properties: { spec: { properties: object } } }
    Object.assign(properties.spec.properties, { color: { type: 'string', default: 'white' } })
  }
  expect((await server.put(url, body)).status).toBe(200)
  expect(await names('spec.color=white')).toEqual(['c'])
})

it('publishes the fields with the schema of the kind and of its list', async () => {
  const { schemas } = (await server.get(`/openapi/v3/apis/${GROUP}/v1`)).body.components as {
    schemas: Record<string, Record<string, unknown>>
  }
  for (const name of ['Pick', 'PickList']) {
    expect(schemas[`com.example.v1.${name}`]?.['x-kubernetes-selectable-fields']).toEqual([
      { fieldPath: 'spec.color' },
      { fieldPath: 'spec.size' },
      { fieldPath: 'spec.on' },
    ])
  }
})

it('empties a collection of what matches', async () => {
  expect((await server.delete(`${PICKS}?fieldSelector=spec.color%3Dred`)).status).toBe(200)
  expect(await names('metadata.name!=w')).toEqual(['b', 'c'])
})
