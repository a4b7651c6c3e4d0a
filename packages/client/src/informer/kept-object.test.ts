import { expect, it } from 'vitest'
import type { ApiObject } from '../api/kinds.ts'
import { safeKeep, withKind, withoutManagedFields } from './kept-object.ts'

const object: ApiObject & { spec: object } = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', managedFields: [{}] },
  spec: {},
}

it('keeps all but the managed fields, in another object', () => {
  const kept = withoutManagedFields(object)
  expect(kept).toEqual({ ...object, metadata: { name: 'a', uid: 'u', resourceVersion: '1' } })
  expect(object.metadata.managedFields).toEqual([{}])
})

it('gives a kind to items of lists, which have none', () => {
  const bare = { metadata: { name: 'a' } } as ApiObject
  expect(withKind(bare, 'v1', 'Thing')).toEqual({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } })
})

it('does without a keep function that throws, or that loses what objects are known by', () => {
  const errors: string[] = []
  const onError = ({ message }: Error) => errors.push(message)
  const throwing = safeKeep(() => {
    throw new Error('oh')
  }, onError)
  expect(throwing(object)).toEqual(withoutManagedFields(object))
  const losing = safeKeep(({ apiVersion, kind }) => ({ apiVersion, kind, metadata: {} }), onError)
  expect(losing(object)).toEqual(withoutManagedFields(object))
  expect(errors).toHaveLength(2)
})
