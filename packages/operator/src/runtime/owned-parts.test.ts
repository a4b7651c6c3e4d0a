import { describe, expect, it } from 'vitest'
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
