import { describe, expect, it } from 'vitest'
import { isAsWanted, wantedOf } from './apply-plan.ts'
import { SentManifests } from './sent-manifests.ts'

const manifest = (more: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b', ...metadata },
  ...more,
})

describe('what a manifest wants', () => {
  it('is all but what names the object', () => {
    expect(wantedOf(manifest({ data: { a: 'b' } }))).toEqual({ data: { a: 'b' } })
    const metadata = { uid: 'u', resourceVersion: '1', labels: { a: 'b' } }
    expect(wantedOf(manifest({}, metadata))).toEqual({ metadata: { labels: { a: 'b' } } })
    expect(wantedOf(manifest({ data: {}, status: {} }, { creationTimestamp: null }))).toEqual({ data: {} })
    expect(wantedOf(manifest({ status: { a: 1 } }))).toEqual({ status: { a: 1 } })
  })

  it.each<[string, boolean, object, Record<string, object> | undefined]>([
    ['the same', true, { data: { a: 'b' } }, { data: { a: 'b' } }],
    ['the same, with fields that are undefined', true, { data: { a: 'b', c: undefined } }, { data: { a: 'b' } }],
    ['something else', false, { data: { a: 'b' } }, { data: { a: 'c' } }],
    ['less', false, { data: { a: 'b' } }, {}],
    ['more, which has to go', false, { data: { a: 'b' } }, { data: { a: 'b', c: 'd' } }],
    ['nothing', false, { data: { a: 'b' } }, undefined],
    ['nothing, as nothing is wanted', true, {}, undefined],
  ])('is there already when we own %s: %s', (_, wanted, more, owned) => {
    expect(isAsWanted(manifest(more), owned)).toBe(wanted)
  })
})

describe('an empty map of labels or annotations', () => {
  it('is there already, whatever others put into it', () => {
    const theirs = { metadata: { labels: { theirs: 'x' }, annotations: {} }, data: { a: 'b' } }
    expect(isAsWanted(manifest({ data: { a: 'b' } }, { labels: {}, annotations: {} }), theirs)).toBe(true)
    expect(isAsWanted(manifest({ data: { a: 'b' } }, { labels: {} }), { data: { a: 'b' } })).toBe(true)
    expect(isAsWanted(manifest({ data: { a: 'b' } }), theirs)).toBe(false)
  })
})

describe('sent manifests', () => {
  it('hold while the same is sent and what we own is as it was after that', () => {
    const sent = new SentManifests()
    const one = manifest({ stringData: { a: 'b' } })
    expect(sent.holds('u', one, undefined)).toBe(false)
    sent.record('u', one, { data: { a: 'x' } })
    expect(sent.holds('u', structuredClone(one), { data: { a: 'x' } })).toBe(true)
    expect(sent.holds('u', one, { data: { a: 'y' } })).toBe(false)
    expect(sent.holds('v', one, { data: { a: 'x' } })).toBe(false)
    expect(sent.holds('u', manifest({ stringData: { a: 'c' } }), { data: { a: 'x' } })).toBe(false)
    expect([sent.isLast('u', one), sent.isLast('u', manifest({}))]).toEqual([true, false])
    sent.forget('u')
    expect(sent.holds('u', one, { data: { a: 'x' } })).toBe(false)
  })

  it('are no more than a limit; the oldest go first', () => {
    const sent = new SentManifests(3)
    for (const id of ['a', 'b', 'c', 'a', 'd']) sent.record(id, manifest({}), undefined)
    expect(sent.size).toBe(3)
    expect(['a', 'b', 'c', 'd'].map((id) => sent.isLast(id, manifest({})))).toEqual([true, false, true, true])
  })
})
