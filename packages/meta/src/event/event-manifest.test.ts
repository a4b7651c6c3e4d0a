import { describe, expect, it } from 'vitest'
import { cutBytes, eventKey, eventManifest } from './event-manifest.ts'

const site = {
  apiVersion: 'ex.io/v1',
  kind: 'Site',
  metadata: { name: 'home', namespace: 'web', uid: 'u-1', resourceVersion: '17', labels: { a: 'b' } },
}
const reporter = { controller: 'ex.io/sites', instance: 'host_1' }
const once = { first: 0, last: 0, count: 1 }

describe('an event', () => {
  it('names the object as it was, with uid and resourceVersion', () => {
    const manifest = eventManifest({ regarding: site, input: { reason: 'Ready', message: 'up' } }, once, reporter, 'ff')
    expect(manifest).toEqual({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'home.ff', namespace: 'web' },
      eventTime: '1970-01-01T00:00:00.000000Z',
      type: 'Normal',
      reason: 'Ready',
      action: 'Reconcile',
      note: 'up',
      regarding: {
        apiVersion: 'ex.io/v1',
        kind: 'Site',
        name: 'home',
        namespace: 'web',
        uid: 'u-1',
        resourceVersion: '17',
      },
      reportingController: 'ex.io/sites',
      reportingInstance: 'host_1',
    })
  })

  it('of a cluster-scoped object is in the namespace default', () => {
    const regarding = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }
    const manifest = eventManifest({ regarding, input: { reason: 'R', message: '' } }, once, reporter, 'a')
    expect(manifest.metadata.namespace).toBe('default')
  })

  it('has a series when it happened before', () => {
    const facts = { regarding: site, input: { reason: 'R', message: '' } }
    const manifest = eventManifest(facts, { first: 0, last: 1500, count: 3 }, reporter, 'a')
    expect(manifest.series).toEqual({ count: 3, lastObservedTime: '1970-01-01T00:00:01.500000Z' })
  })

  it('is Normal or a Warning, whatever a caller without types says', () => {
    const input = { type: 'Error' as 'Warning', reason: 'R', message: '' }
    expect(eventManifest({ regarding: site, input }, once, reporter, 'a').type).toBe('Warning')
  })

  it('has a name that is allowed, however long that of its object is', () => {
    const regarding = { ...site, metadata: { name: `${'a'.repeat(235)}.${'b'.repeat(12)}` } }
    const { name } = eventManifest({ regarding, input: { reason: 'R', message: '' } }, once, reporter, 'a1').metadata
    expect(name).toBe(`${'a'.repeat(235)}.a1`)
  })
})

describe('two events', () => {
  const key = (input: { reason: string; message: string; type?: 'Warning'; action?: string }) =>
    eventKey({ regarding: site, input }).key
  const base = { reason: 'R', message: 'm' }
  it.each([
    ['all is equal', { ...base }, true],
    ['the reason differs', { ...base, reason: 'S' }, false],
    ['the message differs', { ...base, message: 'n' }, false],
    ['the type differs', { ...base, type: 'Warning' as const }, false],
    ['the action differs', { ...base, action: 'Delete' }, false],
    ['the action is the usual one', { ...base, action: 'Reconcile' }, true],
  ])('when %s', (_, other, same) => {
    expect(key(other) === key(base)).toBe(same)
  })
})

describe('cutting a message', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['more than that', 10, 'more th\u2026'],
    ['\u00e4\u00e4\u00e4\u00e4\u00e4', 9, '\u00e4\u00e4\u00e4\u2026'],
    ['\u{1f600}\u{1f600}\u{1f600}', 11, '\u{1f600}\u{1f600}\u2026'],
  ])('%s to %i bytes', (text, max, cut) => {
    expect(cutBytes(text, max)).toBe(cut)
    expect(Buffer.byteLength(cutBytes(text, max))).toBeLessThanOrEqual(max)
  })
})
