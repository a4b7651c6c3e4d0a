import { describe, expect, it } from 'vitest'
import { manifestFor } from './manifest.ts'

const ref = { apiVersion: 'v1', kind: 'Service', name: 'a', namespace: 'shop' }

describe('manifestFor', () => {
  it('fills in what names the object', () => {
    expect(manifestFor(ref, { spec: { ports: [] } } as object)).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'shop' },
      spec: { ports: [] },
    })
  })

  it('leaves out the namespace of an object that has none', () => {
    expect(manifestFor({ ...ref, namespace: undefined }, {}).metadata).toEqual({ name: 'a' })
  })

  it.each([
    [{ apiVersion: 'v2' }, 'apiVersion "v2"'],
    [{ kind: 'Secret' }, 'kind "Secret"'],
    [{ metadata: { name: 'b' } }, 'metadata.name "b"'],
    [{ metadata: { namespace: 'other' } }, 'metadata.namespace "other"'],
  ])('refuses %o, which is for another object', (body, text) => {
    expect(() => manifestFor(ref, body)).toThrow(`The manifest has ${text}, but the handle is for Service shop/a`)
  })
})
