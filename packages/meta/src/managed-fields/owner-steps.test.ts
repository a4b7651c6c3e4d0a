import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../object/object.ts'
import { app, by, types } from './app.fixture.ts'
import { updatedFields } from './updated-fields.ts'

const TIMES = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z']

const spec = fc.record(
  {
    image: fc.constantFrom('x', 'y'),
    replicas: fc.constantFrom(1, 2),
    tags: fc.subarray(['a', 'b']),
    config: fc.dictionary(fc.constantFrom('k', 'l'), fc.constantFrom('v', 'w')),
  },
  { requiredKeys: ['image'] },
)
const write = fc.record({
  manager: fc.constantFrom('one', 'two', 'three'),
  time: fc.constantFrom(...TIMES),
  subresource: fc.constantFrom(undefined, 'status'),
  apiVersion: fc.constantFrom('e.com/v1', 'e.com/v1', 'e.com/v1', 'e.com/v2'),
  spec,
})

const SAME: { object?: object; write?: object } = {}
const OTHERS: readonly (typeof SAME)[] = [
  { object: { spec: { image: 'z' } } },
  { object: { spec: { image: 'x', replicas: 1, tags: [], config: {} } } },
  { write: { manager: 'other' } },
  { write: { time: '2026-01-01T00:00:02Z' } },
  { write: { subresource: 'scale' } },
  { write: { apiVersion: 'e.com/v3' } },
]

const owned = (object: KubeObject, managedFields: readonly unknown[] | undefined): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...(managedFields && { managedFields }) },
})

describe('a step of owners that was made before', () => {
  it('ends as it would without anything remembered', () => {
    fc.assert(
      fc.property(spec, fc.array(write, { maxLength: 12 }), (first, writes) => {
        const bare = app(first)
        let live = owned(bare, updatedFields(undefined, bare, by('maker'), types))
        for (const { spec, ...how } of writes) {
          const next = { ...live, apiVersion: how.apiVersion, spec }
          // Others with the same list make other steps, each alike but for one thing.
          for (const other of OTHERS.flatMap((one) => [SAME, one])) {
            const [object, write] = [{ ...next, ...other.object }, by('', { ...how, ...other.write })]
            // Nothing is known of a copy.
            const alone = owned(live, structuredClone(live.metadata.managedFields))
            const expected = updatedFields(alone, owned(object, alone.metadata.managedFields), write, types)
            expect(updatedFields(live, object, write, types)).toEqual(expected)
          }
          const fields = updatedFields(live, next, by('', how), types)
          live = owned(next, fields)
        }
      }),
    )
  })

  it('shares its list with every object that makes the same step', () => {
    const bare = app({ image: 'x', replicas: 1 })
    const live = owned(bare, updatedFields(undefined, bare, by('maker'), types))
    const step = (replicas: number, time = TIMES[0]) =>
      updatedFields(live, { ...live, spec: { image: 'x', replicas } }, by('scaler', { time }), types)
    expect(step(3)).toBe(step(2))
    expect(step(2, TIMES[1])?.map(({ time }) => time)).toEqual(TIMES)
  })
})
