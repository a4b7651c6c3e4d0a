import { describe, expect, it } from 'vitest'
import { isForeign } from '../runtime/owner-scope.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'
import { childConditions, conditionTypes, readyCondition } from './child-conditions.ts'
import { readKindText } from './kind-text.ts'
import { OWNER_LABEL, refusal } from './ownership.ts'
import { planPrune } from './prune-plan.ts'
import { notReady, READY } from './readiness.ts'
import { Slots } from './slots.ts'

const parent = { apiVersion: 'ex.io/v1', kind: 'Site', name: 'home', namespace: 'web', uid: 'u1' }
const config = (name: string, namespace: string | undefined = 'web'): ObjectRef => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  namespace,
})

describe('a child', () => {
  it.each([
    [parent, { namespace: 'web' }, false],
    [parent, { namespace: 'other' }, true],
    [parent, {}, true],
    [{ namespace: undefined }, { namespace: 'any' }, false],
    [{ namespace: undefined }, {}, false],
  ])('of %o at %o is out of reach of an owner reference: %s', (owner, child, foreign) => {
    expect(isForeign(owner, child)).toBe(foreign)
  })

  const live = (metadata: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } })
  const owner = (uid: string, controller = true) => ({
    ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid, controller }],
  })
  it.each<[string, object | undefined, { applied?: boolean; adopt?: boolean }, string | undefined]>([
    ['is made when it is not there', undefined, {}, undefined],
    ['of ours is written', owner('u1'), {}, undefined],
    ['with our label is written', { labels: { [OWNER_LABEL]: 'u1' } }, {}, undefined],
    ['of another controller is not', owner('u2'), { applied: true, adopt: true }, 'OwnedByOther'],
    ['with the label of another is not', { labels: { [OWNER_LABEL]: 'u2' } }, { adopt: true }, 'OwnedByOther'],
    ['of nobody is not', {}, {}, 'AlreadyExists'],
    ['of nobody is adopted when asked for', {}, { adopt: true }, undefined],
    ['of nobody that we applied before is taken back', {}, { applied: true }, undefined],
    ['with an owner that does not control it can be adopted', owner('u2', false), { adopt: true }, undefined],
  ])('%s', (_, metadata, { applied = false, adopt = false }, reason) => {
    const found = refusal({ ref: config('a'), live: metadata && live(metadata), parent, applied, adopt })
    expect(found?.reason).toBe(reason)
  })
})

describe('pruning', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => config(`c${at}`))
  it.each([
    ['what is not wanted any more', many(3), many(1), {}, false, 2],
    ['nothing when all is wanted', many(3), many(3), {}, false, 0],
    ['ten of ten', many(10), [], {}, false, 10],
    ['not eleven of eleven', many(11), [], {}, false, 'blocked'],
    ['eleven of thirty', many(30), many(19), {}, false, 11],
    ['not sixteen of thirty', many(30), many(14), {}, false, 'blocked'],
    ['sixteen of thirty when it is allowed', many(30), many(14), {}, true, 16],
    ['everything without a guard', many(30), [], false, false, 30],
    ['by a guard of its own', many(4), many(2), { above: 1, share: 0.25 }, false, 'blocked'],
  ] as const)('removes %s', (_, recorded, wanted, guard, allowed, expected) => {
    const plan = planPrune(recorded, wanted, guard, allowed)
    if (expected === 'blocked')
      expect(plan).toMatchObject({ remove: [], blocked: expect.stringContaining('no longer') })
    else expect([plan.remove.length, plan.blocked]).toEqual([expected, undefined])
  })

  it('counts an object once whatever its version', () => {
    const before = [{ apiVersion: 'apps/v1beta1', kind: 'Deployment', name: 'a', namespace: 'web' }]
    expect(planPrune(before, [{ ...before[0], apiVersion: 'apps/v1' } as ObjectRef], {}, false).remove).toEqual([])
  })
})

describe('conditions', () => {
  it('are named by kind, and by name where it is not the name of the parent', () => {
    const refs = [
      config('home'),
      config('other'),
      config('home', 'elsewhere'),
      { apiVersion: 'v1', kind: 'Service', name: 'home', namespace: 'web' },
      { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'home', namespace: 'web' },
    ]
    expect([...conditionTypes(parent, refs).values()]).toEqual([
      'ConfigMap',
      'ConfigMap-other',
      'ConfigMap-elsewhere.home',
      'Service',
      'Service.serving.knative.dev',
    ])
  })

  it('are one for a kind of which there are many', () => {
    const states = Array.from({ length: 20 }, (_, at) => ({
      ref: config(`c${at}`),
      readiness: at < 2 ? notReady('Progressing', 'slow') : READY,
    }))
    expect([...childConditions(parent, states)]).toEqual([
      ['ConfigMap', { status: 'False', reason: 'Progressing', message: 'ConfigMap c0: slow; ConfigMap c1: slow' }],
    ])
  })

  it('say that all is ready, or the first reason and all that is missing', () => {
    const ok = { ref: config('a'), readiness: READY }
    const bad = { ref: config('b'), readiness: notReady('Broken', 'it is broken') }
    expect(readyCondition([])).toBeUndefined()
    expect(readyCondition([ok])).toEqual({ status: 'True', reason: 'Ready', message: '' })
    expect(readyCondition([ok, ok])).toEqual({ status: 'True', reason: 'Ready', message: 'all 2 are ready' })
    expect(readyCondition([ok, bad])).toEqual({
      status: 'False',
      reason: 'Broken',
      message: 'ConfigMap b: it is broken',
    })
  })

  it('stay short', () => {
    const states = Array.from({ length: 100 }, (_, at) => ({
      ref: config(`c${at}`),
      readiness: notReady('Broken', 'x'.repeat(at === 0 ? 10 : 200)),
    }))
    const { message } = readyCondition(states) ?? {}
    expect(message?.length).toBeLessThanOrEqual(1024)
    expect(message).toMatch(/; and \d+ more$/)
    expect(readyCondition([{ ref: config('a'), readiness: notReady('B', 'x'.repeat(5000)) }])?.message).toHaveLength(
      1024,
    )
  })
})

describe('a kind in one text', () => {
  it('is read', () => {
    expect(readKindText('apps.ex.io/v1beta1/Site')).toEqual({ group: 'apps.ex.io', version: 'v1beta1', kind: 'Site' })
  })

  it.each([
    'Site',
    'v1/Site',
    'ex.io/1/Site',
    'ex.io/v1/site',
    'ex.io/v1/Si/te',
    'ex/v1/Site',
    'ex.io/v1/',
    'Ex.io/v1/Site',
  ])('%s is refused', (text) => {
    expect(() => readKindText(text)).toThrow('write group/version/Kind')
  })
})

it('slots let so many in at the same time, and go on after failures', async () => {
  const slots = new Slots(2)
  let inside = 0
  let most = 0
  const work = (fails: boolean) =>
    slots.use(async () => {
      inside++
      most = Math.max(most, inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
      if (fails) throw new Error('failed')
    })
  const results = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => work(at % 2 === 0)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  expect([inside, most]).toEqual([0, 2])
})
