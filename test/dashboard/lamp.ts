// A kind for tests of an object's screen, whose controller is the test.

import type { LooseObject } from '@homeostat/client'
import type { Stage } from './stage.ts'

export const LAMP = { apiVersion: 'past.io/v1', kind: 'Lamp' }
export const DESK = '/objects/past.io/v1/lamps/default/desk'

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.past.io' },
  spec: {
    group: 'past.io',
    scope: 'Namespaced',
    names: { plural: 'lamps', singular: 'lamp', kind: 'Lamp' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
        additionalPrinterColumns: [
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                description: 'What the lamp shall be.',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 0, maximum: 9, description: 'How many bulbs it has.' },
                  colour: { type: 'string', enum: ['red', 'green'], description: 'The colour of its light.' },
                  notes: { type: 'string' },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}

export async function defineLamp({ apply, client }: Stage): Promise<void> {
  await apply(definition)
  while ((await client.discover(LAMP.apiVersion, LAMP.kind)) === undefined) await new Promise(setImmediate)
}

export function lamp(name: string, spec: Record<string, unknown>, metadata: object = {}): LooseObject {
  return { ...LAMP, metadata: { name, namespace: 'default', ...metadata }, spec }
}

export async function setStatus({ client }: Stage, name: string, status: object): Promise<void> {
  const lamps = client.resourceOf(LAMP.apiVersion, LAMP.kind)
  await lamps.status.patch({ name, namespace: 'default' }, { status }, { fieldManager: 'lamp-controller' })
}

export const BROKEN = {
  observedGeneration: 2,
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      reason: 'BulbMissing',
      message: 'Socket 2 of 3 has no bulb: order one, or set spec.size to 2.',
      lastTransitionTime: '2026-01-31T10:00:00Z',
    },
    { type: 'Powered', status: 'True', reason: 'Plugged', message: '', lastTransitionTime: '2026-01-31T09:00:00Z' },
  ],
}
