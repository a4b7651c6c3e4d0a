import type { ApiObject } from '@homeostat/client'
import { expect, it } from 'vitest'
import { nameOf, objectLine } from './object-lines.ts'

const blog = (status: string | undefined, metadata: object = {}, message = ''): ApiObject =>
  ({
    apiVersion: 'ex.io/v1',
    kind: 'Site',
    metadata: { name: 'blog', namespace: 'default', generation: 1, ...metadata },
    status: status && {
      conditions: [{ type: 'Ready', status, reason: status === 'True' ? 'Reconciled' : 'ChildrenNotReady', message }],
    },
  }) as ApiObject

const text = (previous: ApiObject | undefined, object: ApiObject, initial = false) =>
  objectLine({ type: previous === undefined ? 'added' : 'updated', object, previous, initial })?.text

it.each<[string, string | undefined, string | undefined]>([
  ['an object that was there and is ready', text(undefined, blog('True'), true), undefined],
  ['an object that was there and is not', text(undefined, blog('False'), true), 'not ready, ChildrenNotReady'],
  ['a new object', text(undefined, blog(undefined)), 'created'],
  ['a new object seen late', text(undefined, blog('True')), 'ready'],
  ['what it waits for', text(blog(undefined), blog('False', {}, 'no image')), 'not ready, ChildrenNotReady: no image'],
  ['another reason', text(blog('False', {}, 'a'), blog('False', {}, 'b')), 'not ready, ChildrenNotReady: b'],
  ['ready at last', text(blog('False'), blog('True')), 'ready'],
  ['a person changes the spec', text(blog('True'), blog('True', { generation: 2 })), 'changed'],
  ['its status changes elsewhere', text(blog('True'), blog('True', {}, 'all there')), undefined],
  ['a deletion', text(blog('True'), blog('True', { deletionTimestamp: 'now' })), 'being deleted'],
])('%s', (_, shown, expected) => {
  expect(shown).toBe(expected)
})

it('its end, and its name', () => {
  expect(objectLine({ type: 'deleted', object: blog('True'), previous: undefined, initial: false })?.text).toBe('gone')
  expect(nameOf(blog('True'))).toBe('Site default/blog')
})
