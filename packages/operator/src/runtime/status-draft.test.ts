import type { ApiObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { definition } from './operate.fixture.ts'
import { StatusDraft, type StatusFields } from './status-draft.ts'
import { statusShape, UNKNOWN_SHAPE } from './status-shape.ts'

const NOW = '2030-01-01T00:00:00Z'
const EARLIER = '2029-01-01T00:00:00Z'
const FULL = { observedGeneration: true, conditions: true, conditionGeneration: true }
const draftOf = (owned: StatusFields, live: StatusFields = owned, shape = FULL) =>
  new StatusDraft({ owned, live, generation: 3, shape, now: () => Date.parse(NOW) })
const ok = (more: object = {}) => ({
  type: 'Ok',
  status: 'True' as const,
  reason: 'Reconciled',
  message: '',
  lastTransitionTime: EARLIER,
  observedGeneration: 3,
  ...more,
})

describe('StatusDraft', () => {
  it('differs in nothing while nothing is said, or the same is said again', () => {
    const owned = { url: 'x', conditions: [ok({ type: 'B' }), ok({ type: 'A' })], observedGeneration: 3 }
    const draft = draftOf(owned)
    expect(draft.differs).toBe(false)
    draft.setCondition('A', { status: 'True' })
    draft.patch({ url: 'x' })
    expect(draft.differs).toBe(false)
  })

  it('keeps the time of a condition of the same status, whoever set it before', () => {
    const draft = draftOf({}, { conditions: [ok({ reason: 'Theirs' })] })
    draft.setCondition('Ok', { status: 'True', message: 'new' })
    expect(draft.wanted.conditions).toEqual([ok({ message: 'new' })])
    draft.setCondition('Ok', { status: 'False' })
    expect(draft.wanted.conditions).toEqual([ok({ status: 'False', lastTransitionTime: NOW })])
    expect(draft.get('Ok')?.status).toBe('False')
  })

  it('sees conditions of others and says nothing about them', () => {
    const draft = draftOf({}, { conditions: [ok()] })
    expect(draft.get('Ok')).toEqual(ok())
    expect([draft.has('Ok'), draft.isSet('Ok'), draft.differs]).toEqual([false, false, false])
  })

  it('merges patches, and takes out what is null or undefined', () => {
    const draft = draftOf({ url: 'x', counts: { a: 1, b: 2 }, list: [1] })
    draft.patch({ url: undefined, counts: { b: null, c: 3 }, list: [2] })
    expect(draft.wanted).toEqual({ counts: { a: 1, c: 3 }, list: [2], observedGeneration: 3 })
  })

  it('replaces fields and leaves conditions, unless they are given', () => {
    const draft = draftOf({ url: 'x', conditions: [ok()] })
    draft.replace({ counts: {} })
    expect(draft.wanted).toEqual({ counts: {}, conditions: [ok()], observedGeneration: 3 })
    draft.replace({ conditions: [ok({ type: 'Other' })] })
    expect(draft.wanted).toEqual({ conditions: [ok({ type: 'Other' })], observedGeneration: 3 })
  })

  it('holds no more than the kind can', () => {
    const draft = draftOf({}, {}, UNKNOWN_SHAPE)
    draft.setCondition('Ok', { status: 'True' })
    expect(draft.wanted.observedGeneration).toBeUndefined()
    expect(draft.wanted.conditions?.[0]).not.toHaveProperty('observedGeneration')
    draft.replace({ observedGeneration: 3 })
    expect(draft.wanted.observedGeneration).toBe(3)
    const bare = draftOf({}, {}, { ...UNKNOWN_SHAPE, conditions: false })
    bare.setCondition('Ok', { status: 'True' })
    expect(bare.wanted).toEqual({})
  })
})

describe('statusShape', () => {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const withStatus = (status: object | undefined): ApiObject => {
    const made = definition('Widget') as ApiObject & { spec: { versions: [{ schema: object }] } }
    made.spec.versions[0].schema = { openAPIV3Schema: { properties: { ...(status && { status }) } } }
    return made
  }

  it.each<[string, ApiObject | undefined, object]>([
    ['no definition', undefined, UNKNOWN_SHAPE],
    ['all of it', definition('Widget'), FULL],
    ['an open status', withStatus(open), FULL],
    ['no status', withStatus(undefined), { observedGeneration: false, conditions: false, conditionGeneration: false }],
    [
      'no subresource',
      definition('Widget', { subresource: false }),
      { observedGeneration: false, conditions: true, conditionGeneration: false },
    ],
  ])('of a kind with %s', (_, given, wanted) => {
    expect(statusShape(given, 'example.com/v1')).toEqual(wanted)
  })
})
