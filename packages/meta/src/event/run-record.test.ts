import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventManifest } from './event-manifest.ts'
import { parseRun, RUN_ANNOTATION, type RunRecord, runNote, runText } from './run-record.ts'

const lamp = { apiVersion: 'ex.io/v1', kind: 'Lamp', namespace: 'home', name: 'desk' }
const map = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'home', name: 'desk' }
const run: RunRecord = {
  triggers: [{ text: 'changed', object: lamp, resourceVersion: '7', generation: 2, manager: 'kubectl' }],
  writes: [{ did: 'created', object: map, resourceVersion: '9' }],
}

describe('the record of a run', () => {
  it('is read as it was written', () => {
    expect(parseRun(runText(run))).toEqual(run)
  })

  it('is an annotation of its Event', () => {
    const facts = { regarding: { ...lamp, metadata: {} }, input: { reason: 'Reconciled', message: '', run } }
    const reporter = { controller: 'lamps', instance: 'a' }
    const { metadata } = eventManifest(facts, { first: 0, last: 0, count: 1 }, reporter, 'a')
    expect(parseRun(metadata.annotations?.[RUN_ANNOTATION])).toEqual(run)
  })

  it('is bounded, and says how much it leaves out', () => {
    const writes = Array.from({ length: 1000 }, (_, i) => ({
      did: 'created' as const,
      object: { ...map, name: `m${i}` },
    }))
    const triggers = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(10_000) }))
    const text = runText({ triggers, writes })
    expect(text.length).toBeLessThan(8 * 1024)
    const parsed = parseRun(text)
    expect(parsed).toMatchObject({ moreWrites: 980 })
    expect(parsed?.triggers).toHaveLength(8)
  })

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no lists', '{"triggers":{},"writes":1}'],
    ['too long', `{"triggers":[],"writes":[],"x":"${'y'.repeat(70_000)}"}`],
  ])('is refused when it is %s', (_, text) => expect(parseRun(text)).toBeUndefined())

  it('leaves out what has the wrong shape', () => {
    const text =
      '{"triggers":[1,{"text":5},{"text":"a","generation":-1}],"writes":[{"did":"toString","object":{}}],"moreWrites":"9"}'
    expect(parseRun(text)).toEqual({ triggers: [{ text: 'a' }], writes: [] })
  })

  it('is read from any text without an exception', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseRun(text)))
  })
})

describe('the note of a run', () => {
  it('names why and what, and no revisions, so that equal runs are one series', () => {
    expect(runNote(run)).toBe('changed by kubectl: created ConfigMap desk')
    const later = { triggers: run.triggers, writes: [{ did: 'created' as const, object: map, resourceVersion: '99' }] }
    expect(runNote(later)).toBe(runNote(run))
  })

  it('names four writes, and counts the rest', () => {
    const writes = Array.from({ length: 6 }, (_, i) => ({ did: 'deleted' as const, object: { ...map, name: `m${i}` } }))
    expect(runNote({ triggers: [], writes, moreWrites: 3 })).toMatch(/^it ran: .*deleted ConfigMap m3, 5 more$/)
  })
})
