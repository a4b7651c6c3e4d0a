import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { builtinNamed } from './builtin-named.fixture.ts'
import { MAX_DATA_BYTES } from './data-keys.ts'

const { strategy, columns } = builtinNamed('configmaps')

function configMap(fields: object): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' }, ...fields }
}

describe('ConfigMap', () => {
  it.each([
    [{ data: { 'bad key': '1' } }, ['data[bad key]']],
    [{ binaryData: { '..': 'aGk=' } }, ['binaryData[..]']],
    [{ data: { a: '1' }, binaryData: { a: 'aGk=' } }, ['data[a]']],
    [{ data: { a: '1' }, binaryData: { b: 'aGk=' } }, []],
  ])('%o has wrong %o', (fields, wrong) => {
    expect(strategy.validate(configMap(fields)).map((cause) => cause.field)).toEqual(wrong)
  })

  it('holds at most a mebibyte, counted in bytes', () => {
    expect(strategy.validate(configMap({ data: { a: 'x'.repeat(MAX_DATA_BYTES) } }))).toEqual([])
    const umlauts = 'ä'.repeat(MAX_DATA_BYTES / 2)
    expect(strategy.validate(configMap({ data: { a: umlauts, b: 'x' } }))).toMatchObject([
      { reason: 'FieldValueTooLong' },
    ])
  })

  it.each([
    [{ data: { a: '2' }, immutable: true }, ['data']],
    [{ data: { a: '1' } }, ['immutable']],
    [{ data: { a: '1' }, binaryData: { b: 'aGk=' }, immutable: true }, ['binaryData']],
    [{ data: { a: '1' }, immutable: true }, []],
  ])('once immutable, becoming %o changes %o', (fields, wrong) => {
    const old = configMap({ data: { a: '1' }, immutable: true })
    const causes = strategy.validateUpdate(configMap(fields), old)
    expect(causes.map((cause) => cause.field)).toEqual(wrong)
    for (const cause of causes) expect(cause.reason).toBe('FieldValueForbidden')
  })

  it('reads a null value as empty text', () => {
    const object = configMap({ data: { a: null, b: '1' } })
    strategy.applyDefaults(object)
    expect(object.data).toEqual({ a: '', b: '1' })
  })

  it('counts both kinds of data', () => {
    expect(columns[1]?.cell(configMap({ data: { a: '' }, binaryData: { b: '' } }), 0)).toBe(2)
  })
})
