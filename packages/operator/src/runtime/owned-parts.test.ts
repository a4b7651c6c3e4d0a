import { describe, expect, it } from 'vitest'
import { milliseconds } from './duration.ts'
import { OwnedParts } from './owned-parts.ts'

const entry = (more: object) => ({
  manager: 'me',
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  ...more,
})
const object = (managedFields?: object[]) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', ...(managedFields && { managedFields }) },
  spec: { mine: 1, theirs: 2 },
  status: { url: 'x', other: 'y' },
})

describe('OwnedParts', () => {
  it('takes what the manager applied, by subresource, and drops the managed fields', () => {
    const parts = new OwnedParts('me')
    const kept = parts.keep(
      object([
        entry({ manager: 'other', fieldsV1: { 'f:spec': { 'f:theirs': {} } }, time: '2030-01-01T00:00:00Z' }),
        entry({ fieldsV1: { 'f:spec': { 'f:mine': {} } }, time: '2029-01-01T00:00:00Z' }),
        entry({ operation: 'Update', fieldsV1: { 'f:metadata': { 'f:finalizers': {} } } }),
        entry({ subresource: 'status', fieldsV1: { 'f:status': { 'f:url': {} } } }),
      ]),
    )
    expect(kept.metadata).toEqual({ name: 'a' })
    expect(parts.main(kept)).toEqual({ spec: { mine: 1 } })
    expect(parts.status(kept)).toEqual({ status: { url: 'x' } })
    expect(parts.writer(kept)).toBe('other')
  })

  it('owns nothing of what others made', () => {
    const parts = new OwnedParts('me')
    const kept = parts.keep(object([entry({ manager: 'other', fieldsV1: { 'f:spec': {} } })]))
    expect([parts.main(kept), parts.status(kept)]).toEqual([undefined, undefined])
    const bare = object()
    expect(parts.keep(bare)).toBe(bare)
    expect(parts.writer(bare)).toBeUndefined()
  })
})

describe('milliseconds', () => {
  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['0', 0],
    [250, 250],
  ])('of %s are %s', (text, ms) => {
    expect(milliseconds(text)).toBe(ms)
  })

  it.each(['soon', '', '-5s', -1, Number.NaN])('of %s are an error that says what to write', (text) => {
    expect(() => milliseconds(text)).toThrow(/is not a duration: write/)
  })
})
