// POSTs to an action (pods/eviction, pods/binding, serviceaccounts/token): policies and webhooks see a CREATE of the body.

import { expect, it } from 'vitest'
import { ADMISSION, configure, serve } from './hooked.ts'
import type { TestServer } from './server.ts'
import { patching, verdict, webhookServer } from './webhook-server.ts'

const PODS = '/api/v1/namespaces/default/pods'
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
const RULE = { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'] }

const pod = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: 'a', image: 'i' }] } })
const eviction = (name: string) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } })
const binding = (node: string) => ({ apiVersion: 'v1', kind: 'Binding', target: { kind: 'Node', name: node } })
const on = (...resources: string[]) => ({ ...RULE, resources })

async function policy(server: TestServer, resource: string, expression: string): Promise<void> {
  const metadata = { name: 'guard' }
  const spec = { matchConstraints: { resourceRules: [on(resource)] }, validations: [{ expression }] }
  expect((await server.post(`${ADMISSION}/validatingadmissionpolicies`, { metadata, spec })).status).toBe(201)
  const bound = { metadata, spec: { policyName: 'guard', validationActions: ['Deny'] } }
  expect((await server.post(`${ADMISSION}/validatingadmissionpolicybindings`, bound)).status).toBe(201)
}

it('a policy on pods/eviction keeps a pod that it names, and lets others be evicted', async () => {
  const server = await serve()
  await policy(
    server,
    'pods/eviction',
    "object.kind == 'Eviction' && request.kind.kind == 'Eviction' && request.resource.resource == 'pods' && request.subResource == 'eviction' && oldObject == null && request.name != 'kept'",
  )
  for (const name of ['kept', 'gone']) await server.post(PODS, pod(name))
  const refused = await server.post(`${PODS}/kept/eviction`, eviction('kept'))
  expect([refused.status, refused.body.message]).toEqual([
    422,
    expect.stringContaining("ValidatingAdmissionPolicy 'guard'"),
  ])
  expect((await server.post(`${PODS}/gone/eviction`, eviction('gone'))).status).toBe(201)
  expect((await server.get(`${PODS}/kept`)).body.metadata.deletionTimestamp).toBeUndefined()
  expect((await server.get(`${PODS}/gone`)).status).toBe(404)
})

it('the deletion by which an eviction is carried out is not asked about again', async () => {
  const server = await serve()
  const hook = await webhookServer((call) => verdict(call, { allowed: false, status: { message: 'no deletions' } }))
  const rule = { ...RULE, operations: ['DELETE', 'UPDATE'], resources: ['pods', 'pods/eviction'] }
  await configure(server, 'validating', hook, { rules: [rule] })
  await server.post(PODS, pod('a'))
  expect((await server.post(`${PODS}/a/eviction`, eviction('a'))).status).toBe(201)
  expect((await server.get(`${PODS}/a`)).status).toBe(404)
  expect(hook.calls).toEqual([])
  await server.post(PODS, pod('b'))
  expect((await server.delete(`${PODS}/b`)).body.message).toContain('no deletions')
})

it('an eviction names its pod, and its deletion may ask for what every DELETE may', async () => {
  const server = await serve()
  await server.post(PODS, { ...pod('a'), metadata: { name: 'a', finalizers: ['ex.io/held'] } })
  const unnamed = await server.post(`${PODS}/a/eviction`, { ...eviction('a'), metadata: {} })
  expect([unnamed.status, unnamed.body.message]).toEqual([400, 'name in URL does not match name in Eviction object'])
  const other = { preconditions: { uid: 'another' } }
  expect((await server.post(`${PODS}/a/eviction`, { ...eviction('a'), deleteOptions: other })).status).toBe(409)
  const old = { preconditions: { resourceVersion: '1' } }
  expect((await server.post(`${PODS}/a/eviction`, { ...eviction('a'), deleteOptions: old })).status).toBe(409)
  expect((await server.get(`${PODS}/a`)).body.status).not.toHaveProperty('conditions')
  expect((await server.post(`${PODS}/a/eviction`, eviction('a'))).status).toBe(201)
  const { metadata, status } = (await server.get(`${PODS}/a`)).body
  expect(metadata.deletionTimestamp).toBeDefined()
  const why = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' }
  expect(status).toMatchObject({ conditions: [{ type: 'DisruptionTarget', status: 'True', ...why }] })
})

it('a policy on pods/binding sees the Binding, and not the change of the Pod that it makes', async () => {
  const server = await serve()
  await server.post(PODS, pod('a'))
  await policy(server, 'pods/binding', "object.kind == 'Binding' && object.target.name != 'full'")
  expect((await server.post(`${PODS}/a/binding`, binding('full'))).status).toBe(422)
  expect((await server.post(`${PODS}/a/binding`, binding('empty'))).status).toBe(201)
  expect((await server.get(`${PODS}/a`)).body.spec.nodeName).toBe('empty')
})

it('a dry run is admitted and changes nothing, whether the URL or the body asks for it', async () => {
  const server = await serve()
  await server.post(PODS, pod('a'))
  await policy(server, 'pods/eviction', 'object.metadata.name == "a" && !request.dryRun')
  expect((await server.post(`${PODS}/a/eviction?dryRun=All`, eviction('a'))).status).toBe(422)
  await server.delete(`${ADMISSION}/validatingadmissionpolicybindings/guard`)
  const answers = [
    await server.post(`${PODS}/a/eviction?dryRun=All`, eviction('a')),
    await server.post(`${PODS}/a/eviction`, { ...eviction('a'), deleteOptions: { dryRun: ['All'] } }),
    await server.post(`${PODS}/a/binding?dryRun=All`, binding('one')),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const { metadata, spec } = (await server.get(`${PODS}/a`)).body
  expect([metadata.deletionTimestamp, spec.nodeName]).toEqual([undefined, undefined])
})

it('a mutating webhook may change the body, and is asked once', async () => {
  const server = await serve()
  const hook = await webhookServer((call) => patching(call, [{ op: 'replace', path: '/target/name', value: 'other' }]))
  await configure(server, 'mutating', hook, { rules: [on('pods/binding')] })
  await server.post(PODS, pod('a'))
  expect((await server.post(`${PODS}/a/binding`, binding('one'))).status).toBe(201)
  expect((await server.get(`${PODS}/a`)).body.spec.nodeName).toBe('other')
  expect(hook.calls).toHaveLength(1)
  expect(hook.calls[0]?.request).toMatchObject({
    kind: { group: '', version: 'v1', kind: 'Binding' },
    requestKind: { group: '', version: 'v1', kind: 'Binding' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    subResource: 'binding',
    operation: 'CREATE',
    name: 'a',
    namespace: 'default',
    object: { kind: 'Binding', target: { name: 'one' } },
    oldObject: null,
  })
})

it('a validating webhook may refuse a token, and one that is down refuses an eviction', async () => {
  const server = await serve()
  const hook = await webhookServer((call) => verdict(call, { allowed: false, status: { message: 'no tokens' } }))
  await configure(server, 'validating', hook, { rules: [on('serviceaccounts/token', 'pods/eviction')] })
  await server.until(`${ACCOUNTS}/default`, () => true)
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const refused = await server.post(`${ACCOUNTS}/default/token`, request)
  expect([refused.status, refused.body.message, refused.body.status]).toEqual([
    400,
    'admission webhook "validating.hooks.test" denied the request: no tokens',
    'Failure',
  ])
  expect(hook.calls[0]?.request).toMatchObject({ kind: { group: 'authentication.k8s.io', kind: 'TokenRequest' } })
  await server.post(PODS, pod('a'))
  await hook.close()
  expect((await server.post(`${PODS}/a/eviction`, eviction('a'))).status).toBe(500)
  expect((await server.get(`${PODS}/a`)).status).toBe(200)
})
