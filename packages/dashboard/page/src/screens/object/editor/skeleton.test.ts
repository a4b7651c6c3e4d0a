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
        required: ['size', 'colour', 'inner', 'self', 'filled', 'missing'],
        properties: {
          size: { type: 'integer', minimum: 2 },
          colour: { type: 'string', enum: ['red'] },
          inner: { type: 'object', required: ['on'], properties: { on: { type: 'boolean', default: true } } },
          self: { $ref: '#/components/schemas/Self' },
          // As Kubernetes publishes references to its own types.
          filled: { default: {}, allOf: [{ $ref: '#/components/schemas/Filled' }] },
          optional: { type: 'string' },
        },
      },
    },
  }
  const self = { type: 'object', required: ['self'], properties: { self: { $ref: '#/components/schemas/Self' } } }
  const filled = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  const schema = KindSchema.of({ components: { schemas: { Lamp: lamp, Self: self, Filled: filled } } }, gvk)
  expect(skeleton(kind, schema, 'team')).toMatchObject({
    apiVersion: 'a.io/v1',
    kind: 'Lamp',
    metadata: { name: '', namespace: 'team' },
    spec: { size: 2, colour: 'red', inner: { on: true }, filled: { name: '' } },
  })
})

test('fields that may be columns are paths to single values, those at the top first', () => {
  const root = {
    properties: {
      spec: {
        properties: {
          vents: { type: 'array', items: { properties: { name: { type: 'string' } } } },
          size: { type: 'integer' },
          'a.b': { type: 'string' },
          self: { $ref: '#/components/schemas/Self' },
        },
      },
      kind: { type: 'string' },
    },
  }
  const self = { properties: { self: { $ref: '#/components/schemas/Self' }, on: { type: 'boolean' } } }
  const schema = new KindSchema({ components: { schemas: { Self: self } } }, root)
  expect(schema.paths().slice(0, 4)).toEqual(['.kind', '.spec.size', '.spec.self.on', '.spec.vents[*].name'])
  expect(schema.paths().length).toBeLessThan(20)
  expect(schema.paths(2)).toHaveLength(2)
})

test('without a schema there is a name to fill in', () => {
  expect(skeleton({ ...kind, namespaced: false }, undefined, undefined)).toEqual({
    apiVersion: 'a.io/v1',
    kind: 'Lamp',
    metadata: { name: '' },
  })
})
