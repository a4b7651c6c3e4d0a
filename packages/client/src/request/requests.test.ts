import { expect, test } from 'vitest'
import type { ResourceInfo } from '../api/client.ts'
import { firstPage, getRequest, listRequest, watchRequest } from './read-requests.ts'
import {
  applyRequest,
  createRequest,
  deleteAllRequest,
  deleteRequest,
  patchRequest,
  updateRequest,
} from './write-requests.ts'

const names = { kind: 'Site', resource: 'sites', singular: 'site', shortNames: [], categories: [] }
const info = { ...names, version: 'v1', verbs: [], subresources: [] }
const site: ResourceInfo = { ...info, group: 'ex.io', namespaced: true }
const node: ResourceInfo = { ...info, kind: 'Node', group: '', resource: 'nodes', namespaced: false }
const name = { name: 'a', namespace: 'ns' }
const object = { metadata: name }

test.each([
  ['get', getRequest(site, name), 'GET /apis/ex.io/v1/namespaces/ns/sites/a'],
  ['get of a cluster-wide kind', getRequest(node, name), 'GET /api/v1/nodes/a'],
  ['get of a part', getRequest(site, name, 'scale'), 'GET /apis/ex.io/v1/namespaces/ns/sites/a/scale'],
  ['get of a name to be escaped', getRequest(node, { name: 'a/b?c:d' }), 'GET /api/v1/nodes/a%2Fb%3Fc%3Ad'],
  ['list', listRequest(site, {}, firstPage({})), 'GET /apis/ex.io/v1/sites?limit=500'],
  [
    'list of a selection',
    listRequest(site, { namespace: 'ns', labelSelector: 'a=b,c', fieldSelector: 'x!=y' }, { continue: 'z=' }),
    'GET /apis/ex.io/v1/namespaces/ns/sites?labelSelector=a%3Db%2Cc&fieldSelector=x!%3Dy&continue=z%3D',
  ],
  [
    'list at a revision',
    listRequest(node, {}, firstPage({ limit: 7, resourceVersion: '5', resourceVersionMatch: 'Exact' })),
    'GET /api/v1/nodes?limit=7&resourceVersion=5&resourceVersionMatch=Exact',
  ],
  [
    'watch',
    watchRequest(site, { resourceVersion: '5', allowBookmarks: true, timeoutSeconds: 9 }),
    'GET /apis/ex.io/v1/sites?watch=true&resourceVersion=5&allowWatchBookmarks=true&timeoutSeconds=9',
  ],
  [
    'watch from the beginning',
    watchRequest(node, { sendInitialEvents: true }),
    'GET /api/v1/nodes?watch=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true',
  ],
  [
    'create',
    createRequest(site, object, { fieldManager: 'me & you', dryRun: true, fieldValidation: 'Strict' }),
    'POST /apis/ex.io/v1/namespaces/ns/sites?fieldManager=me%20%26%20you&dryRun=All&fieldValidation=Strict',
  ],
  ['update', updateRequest(site, object, {}), 'PUT /apis/ex.io/v1/namespaces/ns/sites/a'],
  ['update of a part', updateRequest(site, object, {}, 'status'), 'PUT /apis/ex.io/v1/namespaces/ns/sites/a/status'],
  ['patch', patchRequest(site, name, {}, {}), 'PATCH /apis/ex.io/v1/namespaces/ns/sites/a'],
  [
    'apply',
    applyRequest(site, object, { fieldManager: 'me', force: true }, 'status'),
    'PATCH /apis/ex.io/v1/namespaces/ns/sites/a/status?fieldManager=me&force=true',
  ],
  ['delete', deleteRequest(site, name, {}), 'DELETE /apis/ex.io/v1/namespaces/ns/sites/a'],
  [
    'delete of a selection',
    deleteAllRequest(site, { namespace: 'ns', labelSelector: 'a' }),
    'DELETE /apis/ex.io/v1/namespaces/ns/sites?labelSelector=a',
  ],
])('%s', (_, { method, path }, expected) => {
  expect(`${method} ${path}`).toBe(expected)
})

test.each([
  ['create', createRequest(site, object, {}), 'application/json'],
  ['update', updateRequest(site, object, {}), 'application/json'],
  ['merge', patchRequest(site, name, {}, { type: 'merge' }), 'application/merge-patch+json'],
  ['json', patchRequest(site, name, [], { type: 'json' }), 'application/json-patch+json'],
  ['strategic', patchRequest(site, name, {}, { type: 'strategic' }), 'application/strategic-merge-patch+json'],
  ['apply', applyRequest(site, object, { fieldManager: 'me' }), 'application/apply-patch+yaml'],
])('the content type of %s', (_, { headers, body }, type) => {
  expect(headers?.['content-type']).toBe(type)
  expect(() => JSON.parse(`${body}`)).not.toThrow()
})

test('a delete says its options in a body, and sends none without', () => {
  expect(deleteRequest(site, name, {}).body).toBeUndefined()
  const { body } = deleteRequest(site, name, {
    propagationPolicy: 'Foreground',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u' },
    dryRun: true,
  })
  expect(JSON.parse(`${body}`)).toEqual({
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Foreground',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u' },
    dryRun: ['All'],
  })
})

test('metadata alone is asked for by the accepted type', () => {
  expect(watchRequest(site, { metadataOnly: true }).headers?.accept).toContain('as=PartialObjectMetadata')
  expect(watchRequest(site, { accept: 'application/json;as=Table' }).headers).toEqual({
    accept: 'application/json;as=Table',
  })
})

test('what would be another path is refused before it is sent', () => {
  for (const wrong of ['', '.', '..']) {
    expect(() => deleteRequest(node, { name: wrong }, {})).toThrow('is not the name of an object')
    expect(() => deleteRequest(site, { name: 'a', namespace: wrong }, {})).toThrow('is not the namespace of an object')
  }
})

test('a namespace that is missing is asked for', () => {
  const missing = { name: 'a' }
  expect(() => getRequest(site, missing)).toThrow('Site "a": objects of this kind are in namespaces; say which one')
  expect(() => createRequest(site, { metadata: { generateName: 'a-' } }, {})).toThrow('Site "a-"')
  expect(() => deleteAllRequest(site, {})).toThrow('say which one')
  expect(() => updateRequest(site, {}, {})).toThrow('has no metadata.name')
})
