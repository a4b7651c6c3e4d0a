// What a new object begins with.

import { expect, test } from 'vitest'
import type { Kind } from '../../../kinds/kind.ts'
import { KindSchema } from '../../../kinds/schema.ts'
import { skeleton } from './skeleton.ts'

const kind = { group: 'a.io', version: 'v1', resource: 'lamps', kind: 'Lamp', namespaced: true } as Kind

test('required fields are there, with defaults, first allowed values and least numbers', () => {
  const gvk = { group: 'a.io', version: 'v1', kind: 'Lamp' }
  const lamp = {
    'x-kubernetes-group-version-kind': [gvk],
    properties: {
      spec: {
        type: 'object',
        required: ['size', 'colour', 'inner', 'self', 'missing'],
        properties: {
          size: { type: 'integer', minimum: 2 },
          colour: { type: 'string', enum: ['red'] },
          inner: { type: 'object', required: ['on'], properties: { on: { type: 'boolean', default: true } } },
          self: { $ref: '#/components/schemas/Self' },
          optional: { type: 'string' },
        },
      },
    },
  }
  const self = { type: 'object', required: ['self'], properties: { self: { $ref: '#/components/schemas/Self' } } }
  const schema = KindSchema.of({ components: { schemas: { Lamp: lamp, Self: self } } }, gvk)
  expect(skeleton(kind, schema, 'team')).toMatchObject({
    apiVersion: 'a.io/v1',
    kind: 'Lamp',
    metadata: { name: '', namespace: 'team' },
    spec: { size: 2, colour: 'red', inner: { on: true } },
  })
})

test('without a schema there is a name to fill in', () => {
  expect(skeleton({ ...kind, namespaced: false }, undefined, undefined)).toEqual({
    apiVersion: 'a.io/v1',
    kind: 'Lamp',
    metadata: { name: '' },
  })
})
