import { describe, expect, it } from 'vitest'
import { dns1123Subdomain } from '../names/names.ts'
import type { Cause } from '../status/field-causes.ts'
import type { ObjectMeta } from './object.ts'
import { validateObjectMeta, validateObjectMetaUpdate } from './validate-object-meta.ts'

const namespaced = { namespaced: true, nameErrors: dns1123Subdomain }
const good: ObjectMeta = { name: 'a', namespace: 'n', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' }
const brief = (causes: Cause[]) => causes.map(({ field, reason }) => [field, reason])
const check = (more: ObjectMeta) => brief(validateObjectMeta({ ...good, ...more }, namespaced))

describe('validateObjectMeta', () => {
  it('accepts good metadata', () => {
    const meta: ObjectMeta = {
      ...good,
      generateName: 'a-',
      generation: 1,
      labels: { app: 'x', 'example.com/tier': '' },
      annotations: { 'Example.com/Note': 'any text: ✓' },
      finalizers: ['example.com/hold', 'orphan'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', controller: true }],
    }
    expect(validateObjectMeta(meta, namespaced)).toEqual([])
  })

  it.each<[string, ObjectMeta, string[][]]>([
    ['a bad name', { name: 'Bad_Name' }, [['metadata.name', 'FieldValueInvalid']]],
    ['a long name', { name: 'a'.repeat(254) }, [['metadata.name', 'FieldValueInvalid']]],
    ['no name', { name: '' }, [['metadata.name', 'FieldValueRequired']]],
    ['a bad generateName', { generateName: 'Ab-' }, [['metadata.generateName', 'FieldValueInvalid']]],
    ['no namespace', { namespace: '' }, [['metadata.namespace', 'FieldValueRequired']]],
    ['a bad namespace', { namespace: 'a.b' }, [['metadata.namespace', 'FieldValueInvalid']]],
    ['a negative generation', { generation: -1 }, [['metadata.generation', 'FieldValueInvalid']]],
    ['a bad label key', { labels: { 'bad key!': 'x' } }, [['metadata.labels', 'FieldValueInvalid']]],
    ['a bad label value', { labels: { ok: 'bad value!' } }, [['metadata.labels', 'FieldValueInvalid']]],
    ['a bad annotation key', { annotations: { 'Bad Key': 'x' } }, [['metadata.annotations', 'FieldValueInvalid']]],
    ['a bad finalizer', { finalizers: ['a/b/c'] }, [['metadata.finalizers', 'FieldValueInvalid']]],
    [
      'finalizers that exclude each other',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      [['metadata.finalizers', 'FieldValueInvalid']],
    ],
    [
      'an empty owner reference',
      { ownerReferences: [{ apiVersion: '', kind: 'X', name: '', uid: '' }] },
      [
        ['metadata.ownerReferences.apiVersion', 'FieldValueInvalid'],
        ['metadata.ownerReferences.name', 'FieldValueInvalid'],
        ['metadata.ownerReferences.uid', 'FieldValueInvalid'],
      ],
    ],
    [
      'an event as owner',
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }] },
      [['metadata.ownerReferences', 'FieldValueInvalid']],
    ],
    [
      'two controllers',
      {
        ownerReferences: ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'X', name, uid: name, controller: true })),
      },
      [['metadata.ownerReferences', 'FieldValueInvalid']],
    ],
  ])('refuses %s', (_, meta, expected) => {
    expect(check(meta)).toEqual(expected)
  })

  it('limits annotations to 256 KiB in all, counted in bytes', () => {
    const half = 'a'.repeat(131_071)
    expect(check({ annotations: { a: half, b: half } })).toEqual([])
    expect(check({ annotations: { a: half, b: `${half}a` } })).toEqual([['metadata.annotations', 'FieldValueTooLong']])
    expect(check({ annotations: { a: 'é'.repeat(131_072) } })).toEqual([['metadata.annotations', 'FieldValueTooLong']])
  })

  it('refuses a namespace on a cluster-wide kind', () => {
    const causes = validateObjectMeta(good, { ...namespaced, namespaced: false })
    expect(causes).toEqual([
      { reason: 'FieldValueForbidden', field: 'metadata.namespace', message: 'Forbidden: not allowed on this type' },
    ])
  })
})

describe('validateObjectMetaUpdate', () => {
  const update = (next: ObjectMeta, old: ObjectMeta = {}) =>
    brief(validateObjectMetaUpdate({ ...good, ...next }, { ...good, ...old }))

  it('accepts changes of labels, annotations, owners and finalizers', () => {
    expect(update({ labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['example.com/x'] })).toEqual([])
  })

  it('treats an absent and a null timestamp alike', () => {
    expect(validateObjectMetaUpdate({ name: 'a', creationTimestamp: null }, { name: 'a' })).toEqual([])
  })

  it.each<[keyof ObjectMeta, ObjectMeta]>([
    ['name', { name: 'b' }],
    ['namespace', { namespace: 'other' }],
    ['uid', { uid: 'other' }],
    ['creationTimestamp', { creationTimestamp: '2001-01-01T00:00:00Z' }],
    ['deletionTimestamp', { deletionTimestamp: '2001-01-01T00:00:00Z' }],
    ['deletionGracePeriodSeconds', { deletionGracePeriodSeconds: 5 }],
  ])('refuses to change %s', (field, next) => {
    // Twice, as Kubernetes reports it.
    expect(update(next)).toEqual(Array(2).fill([`metadata.${field}`, 'FieldValueInvalid']))
  })

  it('refuses to lower the generation', () => {
    expect(update({ generation: 1 }, { generation: 2 })[0]).toEqual(['metadata.generation', 'FieldValueInvalid'])
  })

  it('refuses new finalizers once the object is being deleted, and lets old ones go', () => {
    const deletionTimestamp = '2026-01-02T00:00:00Z'
    const old: ObjectMeta = { ...good, deletionTimestamp, finalizers: ['a.io/x', 'a.io/y'] }
    expect(validateObjectMetaUpdate({ ...old, finalizers: ['a.io/y'] }, old)).toEqual([])
    const causes = validateObjectMetaUpdate({ ...old, finalizers: ['a.io/x', 'a.io/z'] }, old)
    expect(causes).toHaveLength(2)
    expect(causes[0]).toEqual({
      reason: 'FieldValueForbidden',
      field: 'metadata.finalizers',
      message:
        'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.io/z"}',
    })
  })

  it('checks labels again', () => {
    expect(update({ labels: { a: '!' } })[0]).toEqual(['metadata.labels', 'FieldValueInvalid'])
  })
})
