// A custom kind for tests of code inside the server.

import type { KubeObject } from '@homeostat/meta'

export const JOBS = { group: 'ex.io', resource: 'jobs' }

const FREE = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** `status` is added to the schema of the status, which allows any field. Stored as v1, also served as v2. */
export const jobDefinition = (status: object = {}): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'jobs.ex.io' },
  spec: {
    group: 'ex.io',
    names: { kind: 'Job', plural: 'jobs' },
    scope: 'Namespaced',
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: FREE, status: { ...FREE, ...status } } } },
    })),
  },
})

export const job = (name: string, spec: object = {}): KubeObject => ({
  apiVersion: 'ex.io/v1',
  kind: 'Job',
  metadata: { name, namespace: 'default' },
  spec,
})
