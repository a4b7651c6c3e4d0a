// The definition of the example's Application, for tests.

export const applicationDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'applications.cloudnative.elide.dev' },
  spec: {
    group: 'cloudnative.elide.dev',
    scope: 'Namespaced',
    names: {
      plural: 'applications',
      singular: 'application',
      kind: 'Application',
      listKind: 'ApplicationList',
      shortNames: ['app'],
      categories: ['all'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A program that should run in a number of copies.',
            required: ['spec'],
            properties: { spec: specSchema(), status: statusSchema() },
          },
        },
      },
    ],
  },
}

function specSchema() {
  return {
    type: 'object',
    description: 'What should run.',
    required: ['image'],
    properties: {
      replicas: {
        type: 'integer',
        format: 'int32',
        minimum: 0,
        maximum: 1000,
        default: 1,
        description: 'How many copies.',
      },
      image: { type: 'string', minLength: 1, description: 'The container image.' },
      strategy: {
        type: 'string',
        enum: ['RollingUpdate', 'Recreate'],
        default: 'RollingUpdate',
        description: 'How copies are replaced when the image changes.',
      },
      config: { type: 'object', additionalProperties: { type: 'string' }, description: 'Settings for the program.' },
    },
  }
}

/** Until an operator writes the status, its default says truly that nobody has looked at the object. */
function statusSchema() {
  return {
    type: 'object',
    description: 'What was last seen running. Written by an operator.',
    default: {
      phase: 'Pending',
      conditions: [
        {
          type: 'Ready',
          status: 'Unknown',
          reason: 'NoOperator',
          message: 'No operator has reported on this Application yet.',
        },
      ],
    },
    properties: {
      observedGeneration: { type: 'integer', format: 'int64', description: 'The generation this status speaks of.' },
      replicas: { type: 'integer', format: 'int32', minimum: 0 },
      readyReplicas: { type: 'integer', format: 'int32', minimum: 0 },
      phase: { type: 'string', enum: ['Pending', 'Running', 'Failed', 'Succeeded'] },
      conditions: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        items: {
          type: 'object',
          required: ['type', 'status'],
          properties: {
            type: { type: 'string', minLength: 1 },
            status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
            reason: { type: 'string' },
            message: { type: 'string' },
            lastTransitionTime: { type: 'string', format: 'date-time' },
            observedGeneration: { type: 'integer', format: 'int64' },
          },
        },
      },
    },
  }
}
