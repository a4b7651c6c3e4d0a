import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../object/object.ts'
import { encodeObject, spliceRevision } from './encode-object.ts'

const deployment: KubeObject = {
  spec: { replicas: 2 },
  kind: 'App',
  metadata: { name: 'a', resourceVersion: '7', labels: { app: 'x' } },
  apiVersion: 'example.com/v1',
  status: {},
}

describe('encodeObject', () => {
  it('puts apiVersion, kind and metadata first and leaves a gap for the resourceVersion', () => {
    const { bytes, gap, metaEnd } = encodeObject(deployment)
    expect(bytes.toString()).toBe(
      '{"apiVersion":"example.com/v1","kind":"App","metadata":{"resourceVersion":"","name":"a","labels":{"app":"x"}},"spec":{"replicas":2},"status":{}}',
    )
    expect(bytes.subarray(0, gap).toString()).toMatch(/"resourceVersion":"$/)
    expect(bytes.subarray(0, metaEnd).toString()).toMatch(/"app":"x"}}$/)
  })

  it('does not change the object', () => {
    const before = structuredClone(deployment)
    encodeObject(deployment)
    expect(deployment).toEqual(before)
  })

  it('encodes an object without further metadata or fields', () => {
    const { bytes, metaEnd } = encodeObject({ apiVersion: 'v1', kind: 'X', metadata: { resourceVersion: '1' } })
    expect(bytes.toString()).toBe('{"apiVersion":"v1","kind":"X","metadata":{"resourceVersion":""}}')
    expect(metaEnd).toBe(bytes.length - 1)
  })

  it('writes int64 digit for digit', () => {
    const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, spec: { n: 2n ** 62n } }
    expect(encodeObject(object).bytes.toString()).toContain('"n":4611686018427387904}')
  })
})

describe('spliceRevision', () => {
  const text = fc.string({ unit: 'binary' }).map((s) => s.toWellFormed())
  const object = fc.record({
    apiVersion: text,
    kind: text,
    metadata: fc.record({ name: text, annotations: fc.dictionary(text, text, { noNullPrototype: true }) }),
    spec: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value).toWellFormed())),
  })

  it('gives the JSON of the object with its revision, whatever characters it has', () => {
    fc.assert(
      fc.property(object, fc.nat(Number.MAX_SAFE_INTEGER), (value, revision) => {
        const encoded = encodeObject(value as KubeObject)
        const whole = JSON.parse(spliceRevision(encoded, revision).toString())
        expect(whole).toEqual(
          JSON.parse(JSON.stringify({ ...value, metadata: { ...value.metadata, resourceVersion: String(revision) } })),
        )
      }),
    )
  })

  it('ends metadata where metaEnd says, so that a slice of the bytes is an object of its own', () => {
    fc.assert(
      fc.property(object, (value) => {
        const { bytes, metaEnd } = encodeObject(value as KubeObject)
        const partial = JSON.parse(`${bytes.subarray(0, metaEnd).toString()}}`)
        expect(partial.metadata.name).toBe(value.metadata.name)
        expect(Object.keys(partial)).toEqual(['apiVersion', 'kind', 'metadata'])
      }),
    )
  })

  it('leaves the encoded bytes as they were', () => {
    const encoded = encodeObject(deployment)
    const before = Buffer.from(encoded.bytes)
    spliceRevision(encoded, 123)
    expect(encoded.bytes.equals(before)).toBe(true)
  })
})
