import type { KubeObject } from '@homeostat/meta'
import { encodeObject } from '@homeostat/meta/server'
import { describe, expect, it } from 'vitest'
import { CachedObject } from '../cache/cached-object.ts'
import { isAlikeToGarbage } from './garbage-metadata.ts'

let revision = 10
function cached(metadata: object, status: object = {}): CachedObject {
  const object: KubeObject = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, status }
  revision *= 7
  return CachedObject.fromValue('example.com/things/n/a', 'n/a', revision, encodeObject(object))
}

const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1' }]
const base = { name: 'a', uid: 'u', ownerReferences }
const fields = (time: string) => ({ managedFields: [{ manager: 'm', time }] })
const alike = (before: object, after: object) => isAlikeToGarbage(cached(after), cached(before))

describe('two states of an object', () => {
  it('are alike when only the revision, the status and managed fields differ', () => {
    expect(isAlikeToGarbage(cached(base, { phase: 'a' }), cached(base, { phase: 'b' }))).toBe(true)
    expect(alike({ ...base, ...fields('1') }, { ...base, ...fields('2') })).toBe(true)
  })

  it.each([
    ['another owner', { ...base, ownerReferences: [{ ...ownerReferences[0], uid: 'u2' }] }],
    ['no owner', { name: 'a', uid: 'u' }],
    ['one that blocks', { ...base, ownerReferences: [{ ...ownerReferences[0], blockOwnerDeletion: true }] }],
    ['a finalizer', { ...base, finalizers: ['x/y'] }],
    ['a deletion', { ...base, deletionTimestamp: '2026-01-01T00:00:00Z' }],
    ['another uid', { ...base, uid: 'v' }],
  ])('differ with %s', (_, after) => {
    expect(alike(base, after)).toBe(false)
    expect(alike({ ...base, ...fields('1') }, { ...after, ...fields('1') })).toBe(false)
  })

  it('are looked at in full while they are deleted', () => {
    const deleted = { ...base, deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect(alike(deleted, deleted)).toBe(false)
  })
})
