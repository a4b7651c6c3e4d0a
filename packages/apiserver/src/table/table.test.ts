import type { KubeObject } from '@homeostat/meta'
import { encodeObject, spliceRevision } from '@homeostat/meta/server'
import { describe, expect, it } from 'vitest'
import { customColumns } from './custom-columns.ts'
import { partialMetadata } from './partial-metadata.ts'
import { renderTable } from './table.ts'

const NOW = Date.parse('2030-01-01T00:00:05Z')
const type = {
  columns: customColumns([
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ]),
}
const object: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'App',
  metadata: { name: 'a', namespace: 'n', resourceVersion: '7', creationTimestamp: '2030-01-01T00:00:00Z' },
  spec: { replicas: 1, note: 'grün' },
}
const options = { includeObject: 'Metadata', now: NOW, withColumns: true, listMeta: { resourceVersion: '9' } } as const

describe('a table', () => {
  it('has column definitions, cells, and the metadata of each object', () => {
    expect(renderTable(type, [object], options)).toStrictEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9' },
      columnDefinitions: type.columns.map(({ cell: _, ...definition }) => definition),
      rows: [
        {
          cells: ['a', 1, '5s'],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
        },
      ],
    })
  })

  it('carries the whole object or none when asked to', () => {
    expect(renderTable(type, [object], { ...options, includeObject: 'Object' }).rows[0]?.object).toBe(object)
    expect(renderTable(type, [object], { ...options, includeObject: 'None' }).rows[0]?.object).toBeNull()
  })

  it('has no column definitions after the first event of a watch', () => {
    expect(renderTable(type, [object], { ...options, withColumns: false }).columnDefinitions).toBeNull()
  })

  it('says how a list goes on, and leaves out what is not known', () => {
    const listMeta = { resourceVersion: '9', continue: 'token', remainingItemCount: 0 }
    expect(renderTable(type, [], { ...options, listMeta })).toMatchObject({ metadata: listMeta, rows: [] })
    expect(renderTable(type, [], { ...options, listMeta: { resourceVersion: '9', continue: '' } }).metadata).toEqual({
      resourceVersion: '9',
    })
  })

  it('uses the older version of the meta group on request', () => {
    const table = renderTable(type, [object], { ...options, apiVersion: 'meta.k8s.io/v1beta1' })
    expect(table.apiVersion).toBe('meta.k8s.io/v1beta1')
    expect(table.rows[0]?.object).toMatchObject({ apiVersion: 'meta.k8s.io/v1beta1' })
  })
})

describe('partial metadata', () => {
  it('is cut out of the bytes of the object', () => {
    const named = { ...object, metadata: { ...object.metadata, labels: { größe: 'groß}' } } }
    const encoded = encodeObject(named)
    const whole = spliceRevision(encoded, 1234)
    const metaStart = encoded.gap - '{"resourceVersion":"'.length
    const metaEnd = encoded.metaEnd + '1234'.length
    expect(JSON.parse(partialMetadata(whole, metaStart, metaEnd).toString())).toStrictEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { ...named.metadata, resourceVersion: '1234' },
    })
  })
})
