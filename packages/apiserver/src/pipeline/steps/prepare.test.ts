import { expect, test } from 'vitest'
import type { Write } from '../write.ts'
import { prepare } from './prepare.ts'

test('an update fills in no defaults: an earlier step did, and the rest comes from the stored object', () => {
  const old = { apiVersion: 'v1', kind: 'Gadget', metadata: { name: 'a', uid: 'u' }, spec: { size: 1 } }
  const strategy = {
    generation: true,
    prepareForUpdate: () => {},
    applyDefaults: () => expect.fail('defaults were filled in'),
  }
  const object = { apiVersion: 'v1', kind: 'Gadget', metadata: { name: 'a' }, spec: { size: 2 } }
  const type = { custom: false, strategy, subresources: { status: false } }
  prepare({ type, request: {}, object, old, fields: undefined } as unknown as Write)
  expect(object.metadata).toEqual({ name: 'a', uid: 'u', generation: 1 })
})
