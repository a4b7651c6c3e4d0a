// A valid definition that tests modify.

import type { ObjectMeta } from '@homeostat/meta'
import type { Definition, DefinitionSpec, DefinitionVersion } from './definition.ts'

export function sampleVersion(name: string, more: Partial<DefinitionVersion> = {}): DefinitionVersion {
  const spec = { type: 'object', properties: { replicas: { type: 'integer' }, size: { type: 'string', default: 'S' } } }
  const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const openAPIV3Schema = { type: 'object', properties: { spec, status } }
  return { name, served: true, storage: true, schema: { openAPIV3Schema }, ...more }
}

export function sampleDefinition(spec: Partial<DefinitionSpec> = {}, metadata: ObjectMeta = {}): Definition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'apps.example.com', generation: 1, resourceVersion: '5', uid: 'u1', ...metadata },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'apps', singular: 'app', kind: 'App', listKind: 'AppList' },
      versions: [sampleVersion('v1')],
      conversion: { strategy: 'None' },
      ...spec,
    },
    status: { acceptedNames: { plural: '', kind: '' }, conditions: null, storedVersions: ['v1'] },
  }
}
