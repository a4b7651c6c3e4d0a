import type { KubeObject } from '@homeostat/meta'
import { encodeObject } from '@homeostat/meta/server'
import { describe, expect, it } from 'vitest'
import { CachedObject } from '../cache/cached-object.ts'
import { kindOf, MetadataSearch, metadataOf, metadataText, uidsIn } from './metadata-bytes.ts'

function cached(metadata: object, more: object = {}): CachedObject {
  const object: KubeObject = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, ...more }
  return CachedObject.fromValue('example.com/things/n/a', 'n/a', 1234, encodeObject(object))
}

/** Encodes the objects into one buffer, like objects that are loaded or listed. */
function neighbours(...objects: CachedObject[]): CachedObject[] {
  const joined = Buffer.concat(objects.flatMap(({ bytes }) => [Buffer.from(','), bytes]))
  let at = 0
  for (const object of objects) {
    object.movedTo(joined, at + 1)
    at += 1 + object.size
  }
  return objects
}

const TEXT = 'ownerReferences":['
const owned = { name: 'a', ownerReferences: [{ uid: 'u' }] }

describe('text in metadata', () => {
  it('is found there and nowhere else', () => {
    expect(metadataText(cached(owned)).includes(TEXT)).toBe(true)
    expect(metadataText(cached({ name: 'a' }, { spec: owned })).includes(TEXT)).toBe(false)
    expect(metadataText(cached({ annotations: { last: JSON.stringify(owned) } })).includes(TEXT)).toBe(false)
    expect(metadataText(cached({ managedFields: [{ fieldsV1: { 'f:ownerReferences': {} } }] })).includes(TEXT)).toBe(
      false,
    )
    const broken = CachedObject.damaged('example.com/things/a', 'a', 1, 'torn')
    expect(metadataText(broken).includes(TEXT)).toBe(false)
    expect(new MetadataSearch(TEXT).has(broken)).toBe(false)
  })

  it('is found in each of many that share a buffer', () => {
    const shapes = [{}, owned, {}, {}, owned, owned, {}]
    const objects = neighbours(...shapes.map((shape) => cached(shape, { spec: owned })))
    const search = new MetadataSearch(TEXT)
    const found = () => objects.map((object) => search.has(object))
    expect(found()).toEqual(shapes.map((shape) => shape === owned))
    expect(found()).toEqual(shapes.map((shape) => shape === owned))
    for (const [i, object] of objects.entries()) {
      expect(metadataText(object).includes(TEXT)).toBe(shapes[i] === owned)
      expect(kindOf(object)).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing' })
      expect(metadataOf(object)).toEqual({ resourceVersion: '1234', ...shapes[i] })
    }
  })

  it('shows the uids of the object and its owners, whatever else looks like one', () => {
    const metadata = { labels: { uid: 'label' }, ownerReferences: [{ uid: 'owner' }], uid: 'own' }
    expect([...uidsIn(cached(metadata, { spec: { uid: 'no' } }))]).toEqual(['label', 'owner', 'own'])
  })
})
