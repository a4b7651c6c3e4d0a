import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { toOpenApiV3 } from './open-api.ts'

const withoutProse = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one) => (key === 'description' ? undefined : one)))
const metadata = { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] }
const anyOf = [{ type: 'integer' }, { type: 'string' }]

it('publishes a kind as a real server does', () => {
  const spec = {
    type: 'object',
    required: ['count'],
    properties: {
      count: { type: 'integer', minimum: 0 },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      mode: { type: 'string', default: 'slow' },
      ports: {
        type: 'array',
        items: { type: 'object', required: ['port'], properties: { port: { type: 'integer' } } },
        'x-kubernetes-list-map-keys': ['port'],
        'x-kubernetes-list-type': 'map',
      },
      size: { 'x-kubernetes-int-or-string': true },
    },
  }
  const status = { type: 'object', properties: { count: { type: 'integer' } } }
  expect(withoutProse(toOpenApiV3({ type: 'object', properties: { spec, status } }))).toEqual({
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata,
      spec: {
        ...spec,
        properties: { ...spec.properties, size: { anyOf, 'x-kubernetes-int-or-string': true } },
      },
      status,
    },
  })
})

describe('int-or-string is spelled out', () => {
  const published = (schema: JsonSchema) =>
    (toOpenApiV3({ type: 'object', properties: { f: schema } }).properties as JsonSchema).f
  const mark = { 'x-kubernetes-int-or-string': true }
  it.each<[JsonSchema, JsonSchema]>([
    [
      { ...mark, anyOf },
      { ...mark, anyOf },
    ],
    [
      { ...mark, allOf: [{ anyOf }, { minimum: 1 }] },
      { ...mark, allOf: [{ anyOf }, { minimum: 1 }] },
    ],
    [
      { ...mark, anyOf: [{ minimum: 1 }] },
      { ...mark, anyOf: [{ minimum: 1 }], allOf: [{ anyOf }] },
    ],
  ])('%j', (schema, expected) => {
    expect(published(schema)).toEqual(expected)
  })
})

it('shows the metadata of embedded resources and keeps the schema it was given', () => {
  const schema = {
    type: 'object',
    unknownKeyword: 1,
    properties: { template: { type: 'object', 'x-kubernetes-embedded-resource': true, nullable: false } },
  }
  const before = JSON.stringify(schema)
  const published = withoutProse(toOpenApiV3(schema)) as { properties: JsonSchema }
  expect(published.properties.template).toEqual({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata },
  })
  expect(published).not.toHaveProperty('unknownKeyword')
  expect(JSON.stringify(schema)).toBe(before)
})
