import { type Process, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { dns1123Subdomain, type KubeObject, labelValue } from '@homeostat/meta'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { HandledKind } from './handled-kind.ts'
import { carriesSame, kwargsOf, processFor, resourceOf } from './process-manifest.ts'

const kind: HandledKind = {
  id: 'ex.io/things',
  resource: { group: 'ex.io', resource: 'things' },
  apiVersion: 'ex.io/v1',
  kind: 'Thing',
  namespaced: true,
  handler: { executorType: 'things', functionName: 'f', location: 'north' },
  sharesConditions: true,
}

const thing = (metadata: object = {}): KubeObject => ({
  apiVersion: 'ex.io/v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'dev', uid: '0f8fad5b-d9cb-469f-a165-70867728950e', generation: 2, ...metadata },
  spec: { size: 1 },
  status: { phase: 'Old' },
})

it('names and labels are valid, whatever the name of the resource', () => {
  const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,60}[a-z0-9])?$/)
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((parts) =>
    parts
      .join('.')
      .slice(0, 253)
      .replace(/[-.]+$/, ''),
  )
  fc.assert(
    fc.property(name, fc.uuid(), fc.string(), (resource, uid, nonce) => {
      const { metadata } = processFor(kind, thing({ name: resource, uid }), 'change', nonce)
      expect(dns1123Subdomain(metadata.name ?? '')).toEqual([])
      expect(metadata.name?.length).toBeLessThanOrEqual(63)
      expect(Object.values(metadata.labels ?? {}).flatMap((value) => labelValue(value))).toEqual([])
    }),
  )
})

it.each<[string, object, object, object]>([
  ['the fixed place', {}, { spec: { location: 'south' } }, { location: 'north' }],
  ['its own place', { locationFrom: ['.spec.location'] }, { spec: { location: 'south' } }, { location: 'south' }],
  [
    'the fixed place without its own',
    { locationFrom: ['.spec.location'] },
    { spec: { location: '' } },
    { location: 'north' },
  ],
  [
    'the first of several',
    { locationFrom: ['.status.deployedTo.location', '.spec.location'], softwareFrom: ['.spec.runtime'] },
    { spec: { location: 'south', runtime: 'docker' }, status: { deployedTo: { location: 'west' } } },
    { location: 'west', software: ['docker'] },
  ],
  [
    'no text',
    { softwareFrom: ['.spec.runtime', '.constructor.name', '.spec.size.x'] },
    { spec: { runtime: 7, size: null } },
    { location: 'north' },
  ],
])('demands %s', (_, handler, parts, conditions) => {
  const { spec } = processFor(
    { ...kind, handler: { ...kind.handler, ...handler } },
    { ...thing(), ...parts },
    'change',
    '1',
  )
  expect(spec).toMatchObject({ conditions })
  expect((spec as { conditions: object }).conditions).toEqual({ executorType: 'things', ...conditions })
})

it('two for one resource have different names', () => {
  const names = ['1', '2'].map((nonce) => processFor(kind, thing(), 'change', nonce).metadata.name)
  expect(names[0]).toMatch(/^a-0f8fad5b-[a-z0-9]{5}$/)
  expect(names[0]).not.toBe(names[1])
})

it('carries the place, and the request of whoever asked', () => {
  const asked = thing({ annotations: { 'colonies.io/reconcile': 'force-1', other: 'x' } })
  const { spec, metadata } = processFor(kind, asked, 'request', '')
  expect(spec).toMatchObject({
    conditions: { executorType: 'things', location: 'north' },
    kwargs: { force: true, metadata: { annotations: { other: 'x' } }, blueprintName: 'a' },
  })
  expect(metadata.annotations).toMatchObject({ 'colonies.io/cause': 'request', 'colonies.io/reconcile': 'force-1' })
})

it.each([
  ['another status', { ...thing(), status: {} }, true],
  ['another revision', thing({ resourceVersion: '9' }), true],
  ['a request', thing({ annotations: { 'colonies.io/reconcile': 'now' } }), true],
  ['another generation', thing({ generation: 3 }), false],
  ['an end', thing({ deletionTimestamp: '2030-01-01T00:00:00Z' }), false],
  ['a label', thing({ labels: { a: 'b' } }), false],
  ['an annotation', thing({ annotations: { a: 'b' } }), false],
  ['another spec', { ...thing(), spec: { size: 2 } }, false],
])('an executor gets the same with %s: %#', (_, other, same) => {
  expect(carriesSame(kwargsOf(thing(), false), kwargsOf(other, false))).toBe(same)
})

it('is found to be for its resource, if the labels say so', () => {
  const process = processFor(kind, thing({ deletionTimestamp: 'x' }), 'deletion', '') as unknown as Process
  expect(resourceOf(process)).toEqual({
    group: 'ex.io',
    kind: 'Thing',
    uid: thing().metadata.uid,
    name: { name: 'a', namespace: 'dev' },
    generation: 2,
    deleting: true,
    trigger: 'deletion',
  })
  expect(resourceOf({ ...process, metadata: { ...process.metadata, ownerReferences: [] } })).toBeDefined()
  expect(resourceOf({ ...process, metadata: {} })).toBeUndefined()
  const labels = { [RESOURCE_LABELS.uid]: 'other' }
  expect(resourceOf({ ...process, metadata: { labels } })).toBeUndefined()
})
