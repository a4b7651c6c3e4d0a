import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { builtinNamed } from './builtin-named.fixture.ts'
import { MAX_DATA_BYTES } from './data-keys.ts'

const { strategy, selectableFields, columns } = builtinNamed('secrets')

function secret(fields: object): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'n' }, ...fields }
}

function defaulted(fields: object): KubeObject {
  const object = secret(fields)
  strategy.applyDefaults(object)
  return object
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('Secret', () => {
  it('stores stringData as bytes, which win over data', () => {
    const object = defaulted({ stringData: { p: 'hello', q: 'new' }, data: { q: 'aGk=', r: 'cg==' } })
    expect(object).toEqual(secret({ data: { p: 'aGVsbG8=', q: 'bmV3', r: 'cg==' }, type: 'Opaque' }))
  })

  it('keeps a key called __proto__', () => {
    const object = defaulted(JSON.parse('{"stringData":{"__proto__":"x"}}'))
    expect(JSON.stringify(object.data)).toBe('{"__proto__":"eA=="}')
  })

  it('cannot be decoded with data that is not base64', () => {
    expect(strategy.decodeErrors(secret({ data: { q: '!!!' } }))).toHaveLength(1)
  })

  it.each([
    ['bad key', true],
    ['..data', true],
    ['.', true],
    ['a'.repeat(254), true],
    ['ok-key_1.txt', false],
    ['..'.slice(1), true],
  ])('checks the key "%s"', (key, refused) => {
    const causes = strategy.validate(secret({ data: { [key]: 'aGk=' } }))
    expect(causes.map((cause) => cause.field)).toEqual(refused ? [`data[${key}]`] : [])
  })

  it('holds at most a mebibyte', () => {
    const full = Buffer.alloc(MAX_DATA_BYTES).toString('base64')
    expect(strategy.validate(secret({ data: { a: full } }))).toEqual([])
    expect(strategy.validate(secret({ data: { a: full, b: 'AA==' } }))).toMatchObject([
      { field: 'data', reason: 'FieldValueTooLong' },
    ])
  })

  it.each([
    ['kubernetes.io/tls', {}, ['data[tls.crt]', 'data[tls.key]']],
    ['kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }, []],
    ['kubernetes.io/basic-auth', {}, ['data[username]', 'data[password]']],
    ['kubernetes.io/basic-auth', { password: '' }, []],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['data[ssh-privatekey]']],
    ['kubernetes.io/dockercfg', {}, ['data[.dockercfg]']],
    ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('{}') }, []],
    ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('secret words') }, ['data[.dockerconfigjson]']],
    ['kubernetes.io/service-account-token', {}, ['metadata.annotations[kubernetes.io/service-account.name]']],
    ['example.com/anything', {}, []],
  ])('of type %s with %o lacks %o', (type, data, fields) => {
    const causes = strategy.validate(secret({ type, data }))
    expect(causes.map((cause) => cause.field)).toEqual(fields)
    expect(JSON.stringify(causes)).not.toContain('secret words')
  })

  it('never changes its type', () => {
    const old = secret({ type: 'Opaque' })
    expect(strategy.validateUpdate(secret({ type: 'other/type' }), old)).toMatchObject([
      { field: 'type', reason: 'FieldValueInvalid' },
    ])
  })

  it('never changes again once it is immutable', () => {
    const old = secret({ type: 'Opaque', data: { a: 'aGk=' }, immutable: true })
    const changed = secret({ type: 'Opaque', data: { a: 'bm8=' } })
    expect(strategy.validateUpdate(changed, old).map((cause) => cause.field)).toEqual(['immutable', 'data'])
    expect(strategy.validateUpdate(structuredClone(old), old)).toEqual([])
  })

  it('is found by its type and shows how much it holds', () => {
    const object = secret({ type: 'Opaque', data: { a: '', b: '' } })
    expect(selectableFields.type?.(object)).toBe('Opaque')
    expect(columns.slice(0, 3).map((column) => column.cell(object, 0))).toEqual(['a', 'Opaque', 2])
  })
})
