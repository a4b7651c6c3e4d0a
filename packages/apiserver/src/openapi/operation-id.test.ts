import { expect, it } from 'vitest'
import { componentName } from './component-name.ts'
import { operationId, tag } from './operation-id.ts'

it.each([
  ['facts.example.com', 'v1', 'list', 'NamespacedGadget', 'listFactsExampleComV1NamespacedGadget'],
  ['', 'v1', 'patch', 'NamespacedConfigMap', 'patchCoreV1NamespacedConfigMap'],
  ['coordination.k8s.io', 'v1', 'read', 'NamespacedLease', 'readCoordinationV1NamespacedLease'],
  ['rbac.authorization.k8s.io', 'v1', 'create', 'ClusterRole', 'createRbacAuthorizationV1ClusterRole'],
  ['my-group.io', 'v1beta1', 'delete', 'CollectionThing', 'deleteMyGroupIoV1beta1CollectionThing'],
])('in group "%s" %s, %s of %s is %4$s', (group, version, verb, rest, id) => {
  expect(operationId(group, version, verb, rest)).toBe(id)
})

it('tags operations with their group and version', () => {
  expect(tag('facts.example.com', 'v1')).toBe('factsExampleCom_v1')
  expect(tag('', 'v1')).toBe('core_v1')
  expect(tag('apiextensions.k8s.io', 'v1')).toBe('apiextensions_v1')
})

it.each([
  ['facts.example.com', 'Gadget', true, 'com.example.facts.v1.Gadget'],
  ['', 'ConfigMap', false, 'io.k8s.api.core.v1.ConfigMap'],
  ['coordination.k8s.io', 'Lease', false, 'io.k8s.api.coordination.v1.Lease'],
  ['rbac.authorization.k8s.io', 'Role', false, 'io.k8s.api.rbac.v1.Role'],
  ['apps', 'Deployment', false, 'io.k8s.api.apps.v1.Deployment'],
  [
    'apiextensions.k8s.io',
    'CustomResourceDefinition',
    false,
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  ],
])('in group "%s" the schema of %s (custom: %s) is called %s', (group, kind, custom, name) => {
  expect(componentName(group, 'v1', kind, custom)).toBe(name)
})
