// The definition whose objects the bench writes and reads: a structural schema as real operators have, with enums,
// patterns, ranges, defaults, maps, list types and printer columns.

const text = (limits: object = {}) => ({ type: 'string', maxLength: 253, ...limits })
const integer = (minimum: number, maximum: number, more: object = {}) => ({
  type: 'integer',
  format: 'int32',
  minimum,
  maximum,
  ...more,
})
const quantities = {
  type: 'object',
  properties: { cpu: text({ pattern: '^[0-9]+m?$' }), memory: text({ pattern: '^[0-9]+(Ki|Mi|Gi)$' }) },
}

const spec = {
  type: 'object',
  required: ['image', 'replicas'],
  properties: {
    image: text({ minLength: 1 }),
    release: text(),
    replicas: integer(0, 1000, { default: 1 }),
    paused: { type: 'boolean', default: false },
    revisionHistoryLimit: integer(0, 100, { default: 10 }),
    strategy: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['RollingUpdate', 'Recreate'] },
        maxSurge: { 'x-kubernetes-int-or-string': true },
        maxUnavailable: { 'x-kubernetes-int-or-string': true },
      },
    },
    ports: {
      type: 'array',
      maxItems: 32,
      items: {
        type: 'object',
        required: ['name', 'port'],
        properties: {
          name: text({ pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' }),
          port: integer(1, 65535),
          protocol: { type: 'string', enum: ['TCP', 'UDP'], default: 'TCP' },
        },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    env: {
      type: 'array',
      items: { type: 'object', required: ['name'], properties: { name: text(), value: text({ maxLength: 4096 }) } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    resources: { type: 'object', properties: { requests: quantities, limits: quantities } },
    nodeSelector: { type: 'object', additionalProperties: text() },
    tags: { type: 'array', items: text(), 'x-kubernetes-list-type': 'set' },
    healthCheck: {
      type: 'object',
      properties: {
        path: text({ pattern: '^/' }),
        intervalSeconds: integer(1, 3600, { default: 10 }),
        timeoutSeconds: integer(1, 600, { default: 1 }),
        failureThreshold: integer(1, 100),
      },
    },
    owner: { type: 'object', properties: { team: text(), email: text({ format: 'email' }) } },
    description: { type: 'string', maxLength: 2000 },
  },
}

const status = {
  type: 'object',
  properties: {
    phase: { type: 'string', enum: ['Pending', 'Running', 'Failed'] },
    observedGeneration: { type: 'integer', format: 'int64' },
    readyReplicas: { type: 'integer', format: 'int32' },
  },
}

export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'items.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'items', singular: 'item', kind: 'Item', listKind: 'ItemList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Image', type: 'string', jsonPath: '.spec.image' },
          { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
}
