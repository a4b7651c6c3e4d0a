import { afterAll, expect, it } from 'vitest'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const subjects = [{ kind: 'User', name: 'ada', apiGroup: 'rbac.authorization.k8s.io' }]
const roleRef = { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' }
const metadata = { name: 'one' }

it.each<[string, object]>([
  ['/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', { spec: { podSelector: {} } }],
])('a write of %s warns that it is stored and not enforced', async (path, fields) => {
  const created = await server.post(path, { metadata, ...fields })
  expect([created.status, created.headers.get('warning')]).toEqual([201, expect.stringContaining('not enforced yet')])
  const changed = await server.patch(`${path}/one`, { metadata: { labels: { a: 'b' } } })
  expect([changed.status, changed.headers.get('warning')]).toEqual([200, expect.stringContaining('not enforced yet')])
  expect((await server.get(`${path}/one`)).headers.get('warning')).toBeNull()
})

it('warns of a Namespace that should refuse Pods, and of no other', async () => {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  const strict = await server.post('/api/v1/namespaces', { metadata: { name: 'strict', labels } })
  expect(strict.headers.get('warning')).toContain('no Pod is refused')
  expect((await server.post('/api/v1/namespaces', { metadata: { name: 'plain' } })).headers.get('warning')).toBeNull()
})

it('says nothing about policies and their bindings, which are enforced', async () => {
  const spec = { policyName: 'p', validationActions: ['Deny'] }
  const binding = await server.post(`${ADMISSION}/validatingadmissionpolicybindings`, { metadata, spec })
  expect([binding.status, binding.headers.get('warning')]).toEqual([201, null])
})

it('says nothing about roles and bindings, which are enforced', async () => {
  const role = await server.post(`${RBAC}/clusterroles`, { metadata, rules: [] })
  expect([role.status, role.headers.get('warning')]).toEqual([201, null])
  const binding = await server.post(`${RBAC}/clusterrolebindings`, { metadata, subjects, roleRef })
  expect([binding.status, binding.headers.get('warning')]).toEqual([201, null])
})
