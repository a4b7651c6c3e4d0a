import { afterAll, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { definition, GROUP, widgets } from './definitions.ts'
import { DEFINITIONS, serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)

const PATH = '/openapi/v2'
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
const definitions = async () => (await server.get(PATH)).body.definitions as Record<string, Body>

it('has custom and built-in kinds in one document', async () => {
  const { status, headers, body } = await server.get(PATH)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('content-encoding')).toBe('gzip')
  expect(headers.get('vary')).toBe('Accept-Encoding, Accept')
  const kinds = body.definitions as Record<string, { properties: Record<string, { $ref?: string }> }>
  expect(kinds).toHaveProperty(['com.example.v1.Widget'])
  expect(kinds['io.k8s.api.apps.v1.DeploymentSpec']?.properties.template?.$ref).toBe(
    '#/definitions/io.k8s.api.core.v1.PodTemplateSpec',
  )
  // Of another group than the kind it is in, and yet a whole object.
  expect(kinds['io.k8s.api.core.v1.PersistentVolumeClaim']?.properties).toHaveProperty('metadata')
  for (const [, name = ''] of JSON.stringify(body).matchAll(/"#\/definitions\/([^"]+)"/g))
    expect(kinds).toHaveProperty([name])
})

it.each(['application/json', PROTOBUF, PROTOBUF.replace('@', '.')])(
  'as %s is 304 to those who have it',
  async (accept) => {
    const { headers, text } = await server.get(PATH, { accept })
    expect(headers.get('content-type')).toBe(accept.replace('@', '.'))
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/)
    const again = await server.get(PATH, { accept, headers: { 'if-none-match': etag } })
    expect(again).toMatchObject({ status: 304, text: '' })
    const head = await server.send('HEAD', `${PATH}/`, { accept, headers: { 'accept-encoding': 'identity' } })
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('etag')).toBe(etag)
    expect(Number(head.headers.get('content-length'))).toBeGreaterThanOrEqual(text.length)
  },
)

it('is 406 to those who take neither form, and so is v3 to those who take no JSON', async () => {
  expect(await server.get(PATH, { accept: 'text/html' })).toMatchObject({ status: 406, text: '' })
  const v3 = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'
  expect((await server.get('/openapi/v3/api/v1', { accept: v3 })).status).toBe(406)
  expect((await server.get('/openapi/v3/api/v1', { accept: `${v3}, application/json;q=0.5` })).status).toBe(200)
})

it('follows definitions as they come, change and go', async () => {
  const name = 'com.example.v1.Fly'
  expect(await definitions()).not.toHaveProperty([name])
  await server.define(definition({ plural: 'flies', kind: 'Fly', spec: { wings: { type: 'integer' } } }))
  await expect.poll(definitions).toHaveProperty([name])
  const { body } = await server.get(`${DEFINITIONS}/flies.${GROUP}`)
  const [only] = body.spec.versions as { schema: { openAPIV3Schema: { description?: string } } }[]
  if (only) only.schema.openAPIV3Schema.description = 'It flies'
  await server.put(`${DEFINITIONS}/flies.${GROUP}`, body)
  await expect.poll(async () => (await definitions())[name]?.description).toBe('It flies')
  await server.delete(`${DEFINITIONS}/flies.${GROUP}`)
  await expect.poll(definitions).not.toHaveProperty([name])
})
