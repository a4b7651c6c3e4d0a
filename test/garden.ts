// A definition and an event for the tests with real kubectl, as JSON that it reads from its standard input.

/** Something that happened to the tree called `described`. */
export function event(namespace: string, group: string, uid: string): string {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'described.1', namespace },
    involvedObject: { apiVersion: `${group}/v1`, kind: 'Tree', name: 'described', namespace, uid },
    type: 'Normal',
    reason: 'Grown',
    message: 'It has grown',
    source: { component: 'gardener' },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  })
}

/** Trees: with columns, descriptions, status and scale. */
export function definition(group: string): string {
  const columns = [
    { name: 'Height', type: 'integer', jsonPath: '.spec.height' },
    { name: 'Kind', type: 'string', jsonPath: '.spec.kind', priority: 1 },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ]
  const spec = {
    type: 'object',
    description: 'What the tree shall be like.',
    required: ['height'],
    properties: {
      height: { type: 'integer', description: 'How many metres high.' },
      replicas: { type: 'integer', default: 1 },
      kind: { type: 'string', enum: ['oak', 'beech'] },
    },
  }
  const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `trees.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'trees', kind: 'Tree', shortNames: ['tr'], categories: ['all'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          schema: {
            openAPIV3Schema: { type: 'object', description: 'A tree in a garden.', properties: { spec, status } },
          },
        },
      ],
    },
  })
}
