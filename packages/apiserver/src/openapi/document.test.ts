import { describe, expect, it } from 'vitest'
import { builtinGadget, gadgetType } from '../discovery/gadget.fixture.ts'
import { buildDocument } from './document.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.'
const ITEM = '/apis/facts.example.com/v1/namespaces/{namespace}/gadgets/{name}'
const build = async (...types: Parameters<typeof buildDocument>[0]) => JSON.parse(await buildDocument(types))
const names = (parameters: { in: string; name: string }[]) => parameters.map((p) => `${p.in}:${p.name}`)
const methods = (path: object) => Object.keys(path).filter((key) => key !== 'parameters')

describe('paths', async () => {
  const { paths } = await build(gadgetType())

  it('are those of the collection everywhere and in one namespace, the object, scale and status', () => {
    expect(Object.keys(paths)).toEqual([
      '/apis/facts.example.com/v1/gadgets',
      '/apis/facts.example.com/v1/namespaces/{namespace}/gadgets',
      ITEM,
      `${ITEM}/scale`,
      `${ITEM}/status`,
    ])
    expect(Object.values<object>(paths).map(methods)).toEqual([
      ['get'],
      ['get', 'post', 'delete'],
      ['get', 'put', 'delete', 'patch'],
      ['get', 'put', 'patch'],
      ['get', 'put', 'patch'],
    ])
  })

  it('have a PATCH by which kubectl knows that it may send fieldValidation and dryRun', () => {
    const { patch, parameters } = paths[ITEM]
    expect(patch).toMatchObject({
      tags: ['factsExampleCom_v1'],
      operationId: 'patchFactsExampleComV1NamespacedGadget',
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'facts.example.com', version: 'v1', kind: 'Gadget' },
    })
    expect(names(patch.parameters)).toEqual(
      ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => `query:${name}`),
    )
    expect(names(parameters)).toEqual(['path:name', 'path:namespace', 'query:pretty'])
    expect(Object.keys(patch.requestBody.content)).toContain('application/merge-patch+json')
  })

  it('put parameters that all operations share beside them', () => {
    const all = paths['/apis/facts.example.com/v1/gadgets']
    expect(all.get.parameters).toBeUndefined()
    expect(names(all.parameters)).toEqual(
      'allowWatchBookmarks continue fieldSelector labelSelector limit pretty resourceVersion resourceVersionMatch sendInitialEvents timeoutSeconds watch'
        .split(' ')
        .map((name) => `query:${name}`),
    )
  })

  it('name every operation once', () => {
    const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((path) =>
      methods(path).map((method) => path[method]?.operationId),
    )
    expect(ids).toContain('listFactsExampleComV1GadgetForAllNamespaces')
    expect(ids).toContain('deleteFactsExampleComV1CollectionNamespacedGadget')
    expect(ids).toContain('readFactsExampleComV1NamespacedGadgetScale')
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('answer with what the operation answers with', () => {
    const of = (operation: { responses: Record<string, { content?: Record<string, { schema: { $ref: string } }> }> }) =>
      Object.entries(operation.responses).map(([code, { content }]) => [
        code,
        content?.['application/json']?.schema.$ref.replace('#/components/schemas/', ''),
      ])
    expect(of(paths[ITEM].put)).toEqual([
      ['200', 'com.example.facts.v1.Gadget'],
      ['201', 'com.example.facts.v1.Gadget'],
      ['401', undefined],
    ])
    expect(of(paths[ITEM].delete)[0]).toEqual(['200', `${META}Status`])
    expect(of(paths[`${ITEM}/scale`].get)[0]).toEqual(['200', 'io.k8s.api.autoscaling.v1.Scale'])
  })

  it('leave out what a built-in kind does not offer', async () => {
    const namespaces = builtinGadget({
      group: '',
      kind: 'Namespace',
      resource: 'namespaces',
      namespaced: false,
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: { status: true, others: { finalize: { verbs: ['update'] } } },
    })
    const built = (await build(namespaces)).paths
    expect(Object.keys(built)).toEqual([
      '/api/v1/namespaces',
      '/api/v1/namespaces/{name}',
      '/api/v1/namespaces/{name}/finalize',
      '/api/v1/namespaces/{name}/status',
    ])
    expect(methods(built['/api/v1/namespaces'])).toEqual(['get', 'post'])
    expect(built['/api/v1/namespaces/{name}/finalize'].put.operationId).toBe('replaceCoreV1NamespaceFinalize')
  })
})

describe('schemas', () => {
  it('are the kind, its list, and all that they and the paths refer to', async () => {
    const { schemas } = (await build(gadgetType())).components
    const text = JSON.stringify(await build(gadgetType()))
    for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/([^"]+)/g))
      expect(schemas).toHaveProperty([name])
    expect(Object.keys(schemas)).toEqual([
      'com.example.facts.v1.Gadget',
      'com.example.facts.v1.GadgetList',
      'io.k8s.api.autoscaling.v1.Scale',
      'io.k8s.api.autoscaling.v1.ScaleSpec',
      'io.k8s.api.autoscaling.v1.ScaleStatus',
      ...'DeleteOptions FieldsV1 ListMeta ManagedFieldsEntry ObjectMeta OwnerReference Patch Preconditions Status StatusCause StatusDetails Time'
        .split(' ')
        .map((name) => META + name),
    ])
  })

  it('have apiVersion, kind and metadata, and name their kind', async () => {
    const { schemas } = (await build(gadgetType({ selectableFields: { 'spec.mode': () => '' } }))).components
    const gadget = schemas['com.example.facts.v1.Gadget']
    expect(Object.keys(gadget.properties)).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status'])
    expect(gadget.properties.metadata.allOf).toEqual([{ $ref: `#/components/schemas/${META}ObjectMeta` }])
    expect(gadgetType().openapi).toMatchObject({ properties: { spec: gadget.properties.spec } })
    expect(gadget['x-kubernetes-group-version-kind']).toEqual([
      { group: 'facts.example.com', kind: 'Gadget', version: 'v1' },
    ])
    expect(gadget['x-kubernetes-selectable-fields']).toEqual([{ fieldPath: 'spec.mode' }])
    expect(schemas['com.example.facts.v1.GadgetList']).toMatchObject({
      required: ['items'],
      properties: { items: { items: { $ref: '#/components/schemas/com.example.facts.v1.Gadget' } } },
      'x-kubernetes-group-version-kind': [{ group: 'facts.example.com', kind: 'GadgetList', version: 'v1' }],
    })
  })

  it('describe resources that are embedded in others', async () => {
    const template = { type: 'object', 'x-kubernetes-embedded-resource': true, required: ['spec', 'kind'] }
    const openapi = {
      type: 'object',
      properties: { list: { type: 'array', items: template }, plain: { type: 'string' } },
    }
    const { properties } = (await build(gadgetType({ openapi }))).components.schemas['com.example.facts.v1.Gadget']
    expect(Object.keys(properties.list.items.properties)).toEqual(['apiVersion', 'kind', 'metadata'])
    expect(properties.list.items.required).toEqual(['spec', 'kind', 'apiVersion'])
    expect(properties.plain).toEqual({ type: 'string' })
    expect(template).not.toHaveProperty('properties')
  })

  it('never refer to a schema that is not there', async () => {
    const openapi = {
      type: 'object',
      properties: { spec: { $ref: '#/components/schemas/io.k8s.api.core.v1.Unheard' } },
    }
    expect((await build(gadgetType({ openapi }))).components.schemas).toHaveProperty(['io.k8s.api.core.v1.Unheard'])
  })
})
