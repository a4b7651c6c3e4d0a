// The content of a Secret does not reach somebody without the right to it, by any way that shows objects, kinds or activity.

import { silentLog } from '@homeostat/base'
import { afterAll, expect, it } from 'vitest'
import { widgets } from './definitions.ts'
import { serve } from './server.ts'

const VALUE = 'c2hpYm9sZXRo'
const PLAIN = 'shiboleth'
const logged: string[] = []
const note = (...parts: unknown[]) => void logged.push(JSON.stringify(parts))
const server = await serve({ logger: { ...silentLog, debug: note, info: note, warn: note, error: note } })
afterAll(() => server.close())

const SECRETS = '/api/v1/namespaces/default/secrets'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
/** Reads everything that the role `view` shows, and metrics. */
const snoop = { 'impersonate-user': 'snoop', 'impersonate-group': 'system:monitoring' }

await server.define(widgets)
await server.post(SECRETS, { metadata: { name: 'word', labels: { a: 'b' } }, data: { key: VALUE } })
await server.post(`${RBAC}/clusterrolebindings`, {
  metadata: { name: 'snoop' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects: [{ kind: 'User', name: 'snoop' }],
})

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const partial = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`

it.each<[string, string, string?]>([
  ['a get', `${SECRETS}/word`],
  ['a get as YAML', `${SECRETS}/word`, 'application/yaml'],
  ['a get as protobuf', `${SECRETS}/word`, 'application/vnd.kubernetes.protobuf'],
  ['a get as Table', `${SECRETS}/word?includeObject=Object`, table],
  ['a get of its metadata', `${SECRETS}/word`, partial('PartialObjectMetadata')],
  ['a list', SECRETS],
  ['a list of all namespaces', '/api/v1/secrets'],
  ['a list as Table', `${SECRETS}?includeObject=Object`, table],
  ['a list of metadata', SECRETS, partial('PartialObjectMetadataList')],
  ['a list of one name', `${SECRETS}?fieldSelector=metadata.name%3Dword`],
  ['a list by type', `${SECRETS}?fieldSelector=type%3DOpaque`],
  ['a list by label', `${SECRETS}?labelSelector=a%3Db`],
  ['a list of the past', `${SECRETS}?resourceVersion=1&resourceVersionMatch=NotOlderThan`],
  ['a page', `${SECRETS}?limit=1`],
  ['a watch', `${SECRETS}?watch=true`],
  ['a watch of one name', `${SECRETS}?watch=1&fieldSelector=metadata.name%3Dword`],
  ['a watch as Table', `${SECRETS}?watch=true&includeObject=Object`, table],
  ['a watch of metadata', `${SECRETS}?watch=true`, partial('PartialObjectMetadata')],
  ['a watch with first events', `${SECRETS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`],
  ['the old form of a watch', '/api/v1/watch/secrets'],
  ['the old form of a watch of one', '/api/v1/watch/namespaces/default/secrets/word'],
  ['an escaped path', '/api/v1/namespaces/default/%73ecrets/word'],
])('%s is refused', async (_, path, accept) => {
  const { status, text } = await server.get(path, { headers: snoop, ...(accept !== undefined && { accept }) })
  expect(status).toBe(403)
  expect(text).not.toContain(VALUE)
})

it('writes that would answer with it are refused: a conflict of an apply, a dry run, an update', async () => {
  const apply = { type: 'application/apply-patch+yaml', headers: snoop }
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'word' }, data: { key: 'eA==' } }
  const answers = [
    await server.send('PATCH', `${SECRETS}/word?fieldManager=snoop`, { ...apply, body }),
    await server.send('PATCH', `${SECRETS}/word?fieldManager=snoop&force=true&dryRun=All`, { ...apply, body }),
    await server.patch(`${SECRETS}/word?dryRun=All`, { metadata: { labels: { c: 'd' } } }, { headers: snoop }),
    await server.put(`${SECRETS}/word?dryRun=All`, body, { headers: snoop }),
    await server.delete(`${SECRETS}/word?dryRun=All`, undefined, { headers: snoop }),
    await server.delete(`${SECRETS}?dryRun=All`, undefined, { headers: snoop }),
  ]
  for (const { status, text } of answers) {
    expect(status).toBe(403)
    expect(text).not.toContain(VALUE)
  }
})

it('an apply that conflicts names the field and not its value, also to somebody who may patch', async () => {
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['patch'] }]
  await server.post(`${RBAC}/namespaces/default/roles`, { metadata: { name: 'patcher' }, rules })
  await server.post(`${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: 'patcher' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'patcher' },
    subjects: [{ kind: 'User', name: 'patcher' }],
  })
  const sent = { type: 'application/apply-patch+yaml', headers: { 'impersonate-user': 'patcher' } }
  const apply = (name: string) =>
    server.send('PATCH', `${SECRETS}/${name}?fieldManager=patcher`, {
      ...sent,
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { key: 'eA==' } },
    })
  const { status, text } = await apply('word')
  expect(status).toBe(409)
  expect(text).toContain('.data.key')
  expect(text).not.toContain(VALUE)
  // An apply that creates needs the right to create, too.
  expect((await apply('made')).status).toBe(403)
  expect((await server.get(`${SECRETS}/made`)).status).toBe(404)
})

it('what everybody may read does not hold it: event streams, OpenAPI, metrics, discovery, the log', async () => {
  for (const path of ['/events', '/openapi/v2', '/openapi/v3', '/metrics', '/api/v1', '/apis', '/version']) {
    const { status, text } = await server.get(path, { headers: snoop })
    expect([path, status]).toEqual([path, 200])
    expect(text).not.toContain(VALUE)
    expect(text).not.toContain(PLAIN)
  }
  expect(logged.join('')).not.toContain(VALUE)
})
