import { createHash } from 'node:crypto'
import { encodeOpenApiV2 } from '@homeostat/protobuf'
import { describe, expect, it } from 'vitest'
import { builtinGadget, gadgetType, tableOf } from '../discovery/gadget.fixture.ts'
import { swaggerForm } from './accepts.ts'
import { Swagger } from './swagger.ts'

const ITEM = '/apis/facts.example.com/v1/namespaces/{namespace}/gadgets/{name}'
const configMaps = builtinGadget({ group: '', kind: 'ConfigMap', resource: 'configmaps', openapi: { type: 'object' } })

const read = async (swagger: Swagger) => JSON.parse((await swagger.document('json')).body.toString())

describe('the document', () => {
  it('has every type that is served, and all that they refer to', async () => {
    const document = await read(new Swagger(tableOf(gadgetType(), configMaps)))
    expect(document.swagger).toBe('2.0')
    expect(Object.keys(document.paths)).toContain(ITEM)
    expect(Object.keys(document.paths)).toContain('/api/v1/configmaps')
    const text = JSON.stringify(document)
    expect(text).not.toContain('#/components')
    for (const [, section = '', name = ''] of text.matchAll(/"#\/(definitions|parameters)\/([^"]+)"/g))
      expect(document[section]).toHaveProperty([name])
    expect(document.definitions['com.example.facts.v1.Gadget']).toMatchObject({
      type: 'object',
      properties: {
        metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
        spec: { properties: { mode: { type: 'string' } } },
      },
      'x-kubernetes-group-version-kind': [{ group: 'facts.example.com', kind: 'Gadget', version: 'v1' }],
    })
  })

  it('has a PATCH in whose own parameters kubectl finds dryRun and fieldValidation', async () => {
    const { paths, parameters } = await read(new Swagger(tableOf(gadgetType())))
    const { patch, parameters: common } = paths[ITEM]
    expect(patch).toMatchObject({
      consumes: ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'],
      operationId: 'patchFactsExampleComV1NamespacedGadget',
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'facts.example.com', version: 'v1', kind: 'Gadget' },
      responses: { 200: { schema: { $ref: '#/definitions/com.example.facts.v1.Gadget' } } },
    })
    const own = patch.parameters.map((parameter: { name?: string; $ref?: string }) => parameter.name ?? parameter.$ref)
    expect(own).toEqual([
      '#/parameters/body-Patch',
      'dryRun',
      '#/parameters/fieldManager',
      'fieldValidation',
      '#/parameters/force',
    ])
    expect(common[0]).toMatchObject({ name: 'name', in: 'path', required: true, type: 'string' })
    expect(parameters['body-Patch']).toMatchObject({ in: 'body', required: true })
    expect(parameters.namespace).toMatchObject({ in: 'path', required: true, type: 'string' })
  })

  it('changes with the types, and shows every change that was made before it was asked for', async () => {
    const types = tableOf(gadgetType(), configMaps)
    const swagger = new Swagger(types)
    const before = swagger.document('json')
    types.set('facts.example.com', 'gadgets', [gadgetType({ kind: 'Widget', listKind: 'WidgetList' })])
    const [old, current] = await Promise.all([before, swagger.document('json')])
    expect(old.etag).not.toBe(current.etag)
    const { definitions } = JSON.parse(current.body.toString())
    expect(definitions).toHaveProperty(['com.example.facts.v1.Widget'])
    expect(definitions).not.toHaveProperty(['com.example.facts.v1.Gadget'])
    expect(await swagger.document('json')).toBe(current)
    expect(current.etag).toBe(`"${createHash('sha512').update(current.body).digest('hex').toUpperCase()}"`)
  })

  it('builds only what changed', async () => {
    let built = 0
    const counted = gadgetType()
    Object.defineProperty(counted, 'openapi', {
      get() {
        built++
        return { type: 'object' }
      },
    })
    const types = tableOf(counted, configMaps)
    const swagger = new Swagger(types)
    await swagger.document('json')
    types.set('', 'secrets', [builtinGadget({ group: '', kind: 'Secret', resource: 'secrets' })])
    expect(Object.keys((await read(swagger)).paths)).toContain('/api/v1/secrets')
    expect(built).toBe(1)
  })

  it('has in protobuf the messages of all its parts, one after the other', async () => {
    const swagger = new Swagger(tableOf(gadgetType()))
    const { body } = await swagger.document('protobuf')
    const { definitions, paths } = await read(swagger)
    for (const [name, schema] of Object.entries(definitions)) {
      expect(body.includes(inside(encodeOpenApiV2({ definitions: { [name]: schema } })))).toBe(true)
    }
    for (const [path, item] of Object.entries(paths)) {
      expect(body.includes(inside(encodeOpenApiV2({ paths: { [path]: item } })))).toBe(true)
    }
  })
})

describe('a client that accepts', () => {
  it.each([
    ['application/json', 'json'],
    ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', 'protobuf'],
    ['application/com.github.proto-openapi.spec.v2.v1.0+protobuf', 'protobuf'],
    ['application/json, application/com.github.proto-openapi.spec.v2.v1.0+protobuf', 'json'],
    ['application/com.github.proto-openapi.spec.v2.v1.0+protobuf;q=0.9, */*;q=0.1', 'protobuf'],
    ['*/*', 'json'],
    ['text/html', undefined],
    [undefined, 'json'],
  ])('%s gets %s', (accept, form) => {
    expect(swaggerForm(accept)).toBe(form)
  })
})

/** The content of a message with one field, without its tag and length. */
function inside(message: Buffer): Buffer {
  let at = 1
  while ((message[at] ?? 0) >= 0x80) at++
  return message.subarray(at + 1)
}
