import { describe, expect, it } from 'vitest'
import { isStatusError } from '../status/status-error.ts'
import { decodeObjectMeta } from './decode-object-meta.ts'

function refusal(meta: unknown): string {
  try {
    decodeObjectMeta(meta)
  } catch (error) {
    if (isStatusError(error, 'BadRequest')) return error.message
    throw error
  }
  return ''
}

describe('decodeObjectMeta', () => {
  it('takes all fields of metadata', () => {
    const meta = {
      name: 'a',
      generateName: 'a-',
      namespace: 'n',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionTimestamp: '2026-01-02T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      labels: { a: 'b' },
      annotations: { c: '' },
      finalizers: ['example.com/x'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'o', uid: 'v', controller: false }],
      managedFields: [{ manager: 'm' }],
      selfLink: '/x',
    }
    expect(decodeObjectMeta(meta)).toEqual({ meta, unknown: [] })
  })

  it('drops nulls and what Kubernetes never writes', () => {
    const empty = {
      name: '',
      creationTimestamp: null,
      labels: {},
      annotations: { a: null },
      finalizers: [],
      ownerReferences: [],
      generation: 0,
      uid: undefined,
    }
    expect(decodeObjectMeta(empty)).toEqual({ meta: {}, unknown: [] })
    expect(decodeObjectMeta({ labels: { a: null, b: 'c' } }).meta).toEqual({ labels: { b: 'c' } })
    expect(decodeObjectMeta(null)).toEqual({ meta: {}, unknown: [] })
    expect(decodeObjectMeta(undefined)).toEqual({ meta: {}, unknown: [] })
  })

  it('keeps an empty list of managed fields, which asks to forget all managers', () => {
    expect(decodeObjectMeta({ managedFields: [] }).meta).toEqual({ managedFields: [] })
  })

  it('reports unknown fields and drops them', () => {
    const meta = { name: 'a', foo: 1, ownerReferences: [{ bar: 2, uid: 'u' }] }
    expect(decodeObjectMeta(meta)).toEqual({
      meta: { name: 'a', ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: 'u' }] },
      unknown: ['metadata.foo', 'metadata.ownerReferences[0].bar'],
    })
  })

  it('writes times in UTC and whole seconds', () => {
    const { meta } = decodeObjectMeta({ creationTimestamp: '2026-01-01T02:00:00.5+02:00' })
    expect(meta.creationTimestamp).toBe('2026-01-01T00:00:00Z')
  })

  it('shares nothing with its input', () => {
    const source = { labels: { a: 'b' }, finalizers: ['x/y'], managedFields: [{ fieldsV1: { a: {} } }] }
    const { meta } = decodeObjectMeta(source)
    expect(meta.labels).not.toBe(source.labels)
    expect(meta.finalizers).not.toBe(source.finalizers)
    expect(meta.managedFields?.[0]).not.toBe(source.managedFields[0])
  })

  it.each([
    [[], 'metadata must be an object, not an array'],
    ['text', 'metadata must be an object, not a string'],
    [{ name: 5 }, 'metadata.name must be a string, not a number'],
    [{ resourceVersion: 5n }, 'metadata.resourceVersion must be a string, not an integer'],
    [{ generation: 1.5 }, 'metadata.generation must be an integer, not a number'],
    [{ generation: '1' }, 'metadata.generation must be an integer, not a string'],
    [{ labels: { ok: 5 } }, 'metadata.labels["ok"] must be a string, not a number'],
    [{ labels: [] }, 'metadata.labels must be an object, not an array'],
    [{ annotations: { a: {} } }, 'metadata.annotations["a"] must be a string, not an object'],
    [{ finalizers: 'x' }, 'metadata.finalizers must be an array, not a string'],
    [{ finalizers: [null] }, 'metadata.finalizers[0] must be a string, not null'],
    [{ ownerReferences: [1] }, 'metadata.ownerReferences[0] must be an object, not a number'],
    [
      { ownerReferences: [{ controller: 'yes' }] },
      'metadata.ownerReferences[0].controller must be a boolean, not a string',
    ],
    [{ managedFields: {} }, 'metadata.managedFields must be an array, not an object'],
    [
      { creationTimestamp: 'yesterday' },
      'metadata.creationTimestamp must be a time such as 2006-01-02T15:04:05Z, got "yesterday"',
    ],
  ])('refuses %o', (meta, message) => {
    expect(refusal(meta)).toBe(message)
  })
})
