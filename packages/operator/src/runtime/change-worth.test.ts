import type { ApiObject, InformerEvent } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { isDifferentSpec, isOwnConcern, isSameState, isWorthARun, PAUSED } from './change-worth.ts'

const OWN = 'example.com/own'
const widget = (more: object = {}, metadata: object = {}): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', uid: 'u', generation: 1, resourceVersion: '1', ...metadata },
  ...more,
})
const map = (data: object, metadata: object = {}) => {
  const { generation: _, ...rest } = widget({}, metadata).metadata
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: rest, data }
}
const updated = (previous: ApiObject, object: ApiObject): InformerEvent<ApiObject> => ({
  type: 'updated',
  previous,
  object,
  initial: false,
})

describe('a change', () => {
  it.each<[string, boolean, ApiObject, ApiObject]>([
    [
      'of the status alone',
      false,
      widget({ status: { a: 1 } }),
      widget({ status: { a: 2 } }, { resourceVersion: '2' }),
    ],
    ['of the generation', true, widget({ spec: { a: 1 } }), widget({ spec: { a: 2 } }, { generation: 2 })],
    ['of labels', true, widget(), widget({}, { labels: { a: 'b' } })],
    ['of annotations', true, widget({}, { annotations: { a: 'b' } }), widget()],
    ['of owners', true, widget(), widget({}, { ownerReferences: [{ uid: 'x' }] })],
    ['of finalizers', true, widget(), widget({}, { finalizers: ['x/y'] })],
    [
      'that adds our own finalizer',
      false,
      widget({}, { finalizers: ['x/y'] }),
      widget({}, { finalizers: ['x/y', OWN] }),
    ],
    ['that adds our own finalizer and another', true, widget(), widget({}, { finalizers: ['x/y', OWN] })],
    ['that takes our own finalizer away', true, widget({}, { finalizers: [OWN] }), widget()],
    ['to being deleted', true, widget(), widget({}, { deletionTimestamp: 'now' })],
    ['to another object of that name', true, widget(), widget({}, { uid: 'v' })],
    [
      'of the generation by a status without subresource',
      false,
      widget({ status: 1 }),
      widget({ status: 2 }, { generation: 2 }),
    ],
    ['of data, in a kind without generations', true, map({ a: '1' }), map({ a: '2' })],
    ['of the revision alone', false, map({ a: '1' }), map({ a: '1' }, { resourceVersion: '2' })],
  ])('%s is worth a run: %s', (_, worth, before, after) => {
    expect(isWorthARun(updated(before, after), OWN)).toBe(worth)
  })

  it('that brings or takes the object is worth a run', () => {
    const object = widget()
    expect(isWorthARun({ type: 'added', object, previous: undefined, initial: true })).toBe(true)
    expect(isWorthARun({ type: 'deleted', object, previous: object, initial: false })).toBe(true)
  })

  it('that starts or ends a pause or begins the deletion is not for predicates', () => {
    const paused = widget({}, { annotations: { [PAUSED]: 'true' } })
    expect(isOwnConcern(updated(widget(), paused))).toBe(true)
    expect(isOwnConcern(updated(paused, widget()))).toBe(true)
    expect(isOwnConcern(updated(widget(), widget({}, { deletionTimestamp: 'now' })))).toBe(true)
    expect(isOwnConcern(updated(widget(), widget({ spec: 1 }, { generation: 2 })))).toBe(false)
  })

  it('of a spec is recognised by the generation where there is one', () => {
    expect(isDifferentSpec(widget({ spec: 1 }), widget({ spec: 2 }))).toBe(false)
    expect(isDifferentSpec(widget({ spec: 1 }), widget({ spec: 2 }, { generation: 2 }))).toBe(true)
    expect(isDifferentSpec(map({ a: '1' }), map({ a: '2' }))).toBe(true)
  })

  it('of the revision alone leaves the same state', () => {
    expect(isSameState(widget(), widget({}, { resourceVersion: '9' }))).toBe(true)
    expect(isSameState(widget(), widget({ status: {} }))).toBe(false)
  })
})
