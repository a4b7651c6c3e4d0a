// What people are shown of an object, and what they edit.

import { expect, test } from 'vitest'
import { editable, HIDDEN, neat, withoutSecrets } from './neat.ts'

const object = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'a',
    uid: 'u',
    resourceVersion: '7',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [{}],
    labels: { a: 'b' },
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"key":"c2VjcmV0"}}' },
  },
  data: { key: 'c2VjcmV0' },
  status: { phase: 'x' },
}

test('neat leaves out what only machines read', () => {
  expect(neat(object).metadata).not.toHaveProperty('managedFields')
  expect(neat(object).metadata).not.toHaveProperty('annotations')
  expect(neat({ ...object, metadata: { annotations: { a: 'b' } } }).metadata.annotations).toEqual({ a: 'b' })
})

test('what people write comes first in metadata', () => {
  const { name, ...others } = object.metadata
  const shuffled = { ...object, metadata: { ...others, namespace: 'b', name } }
  expect(Object.keys(neat(shuffled).metadata).slice(0, 3)).toEqual(['name', 'namespace', 'labels'])
})

test('an editor has what people write, in the usual order', () => {
  expect(editable(object)).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a', labels: { a: 'b' } },
    data: { key: 'c2VjcmV0' },
  })
  expect(Object.keys(editable(object))).toEqual(['apiVersion', 'kind', 'metadata', 'data'])
})

test('no value of a Secret is left when they are hidden', () => {
  expect(JSON.stringify(withoutSecrets(object))).not.toContain('c2VjcmV0')
  expect(withoutSecrets(object)).toMatchObject({ data: { key: HIDDEN } })
  const map = { ...object, kind: 'ConfigMap' }
  expect(withoutSecrets(map)).toBe(map)
})
