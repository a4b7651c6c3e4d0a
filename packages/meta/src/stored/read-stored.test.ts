import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldMemory } from '../managed-fields/field-memory.ts'
import type { KubeObject } from '../object/object.ts'
import { encodeObject, spliceRevision } from './encode-object.ts'
import { readStored, storedMetadata } from './read-stored.ts'

const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:a': {} } }

function stored(object: KubeObject) {
  const encoded = encodeObject(object)
  const bytes = spliceRevision(encoded, 42)
  return { bytes, metaEnd: encoded.metaEnd + 2, metaStart: encoded.gap - '{"resourceVersion":"'.length }
}

describe('readStored', () => {
  it('keeps keys with escapes apart, which JSON.parse mixes up', () => {
    const read = (key: string) => {
      const { bytes, metaEnd } = stored({ apiVersion: 'v1', kind: 'Thing', metadata: {}, spec: { a: {}, [key]: 1 } })
      return Object.keys(readStored(bytes, metaEnd).spec as object)
    }
    for (let i = 0; i < 3; i++) expect(read('\\"')).toEqual(['a', '\\"'])
    for (let i = 0; i < 3; i++) expect(read('"o')).toEqual(['a', '"o'])
  })

  it('reads what encodeObject wrote, whatever the object holds', () => {
    // The key __proto__ is refused, which has a test of its own.
    const key = fc.string().filter((text) => text !== '__proto__')
    const objects = fc.record({
      labels: fc.option(fc.dictionary(key, fc.string()), { nil: undefined }),
      annotations: fc.option(fc.dictionary(key, fc.string({ unit: 'grapheme' })), { nil: undefined }),
      managedFields: fc.option(fc.constantFrom([entry], [{ ...entry, manager: 'n' }], [entry, entry]), {
        nil: undefined,
      }),
      // Longer numbers have a test of their own.
      spec: fc.jsonValue().filter((value) => !/[0-9]{16}|__proto__/.test(JSON.stringify(value))),
    })
    fc.assert(
      fc.property(objects, ({ spec, ...metadata }) => {
        const plain = JSON.parse(JSON.stringify({ metadata, spec }))
        const object = { apiVersion: 'v1', kind: 'Thing', ...plain }
        const { bytes, metaEnd } = stored(object)
        expect(readStored(bytes, metaEnd)).toEqual({
          ...object,
          metadata: { ...plain.metadata, resourceVersion: '42' },
        })
      }),
    )
  })

  it('is not misled by a text that looks like managed fields', () => {
    const annotations = { note: ',"managedFields":[]' }
    const { bytes, metaEnd } = stored({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', annotations } })
    expect(readStored(bytes, metaEnd).metadata).toEqual({ name: 'a', annotations, resourceVersion: '42' })
  })

  it('shares the managed fields of objects that were written alike', () => {
    const one = stored({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', managedFields: [entry] } })
    const two = stored({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'b', managedFields: [entry] } })
    const memory = new FieldMemory()
    const { managedFields } = readStored(one.bytes, one.metaEnd, memory).metadata
    expect(managedFields).toEqual([entry])
    expect(readStored(two.bytes, two.metaEnd, memory).metadata.managedFields).toBe(managedFields)
    expect(readStored(two.bytes, two.metaEnd).metadata.managedFields).not.toBe(managedFields)
  })

  it('keeps every digit of a long number', () => {
    const { bytes, metaEnd } = stored({ apiVersion: 'v1', kind: 'Thing', metadata: {}, spec: 9007199254740993n })
    expect(readStored(bytes, metaEnd).spec).toBe(9007199254740993n)
  })
})

describe('storedMetadata', () => {
  it('is the metadata as JSON, without the managed fields', () => {
    const labels = { a: 'b' }
    const { bytes, metaStart, metaEnd } = stored({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { managedFields: [entry], labels },
    })
    expect(JSON.parse(storedMetadata(bytes, metaStart, metaEnd))).toEqual({ resourceVersion: '42', labels })
  })
})
