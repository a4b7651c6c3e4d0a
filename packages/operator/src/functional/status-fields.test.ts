import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Recording } from './recording.ts'
import { statusFields } from './status-fields.ts'

const schema = z.object({ url: z.string(), since: z.date().optional(), tags: z.set(z.string()).optional() })

describe('a returned status', () => {
  it('may leave any field out, and has none that are undefined', () => {
    expect(statusFields(schema, { url: undefined })).toEqual({})
    expect(statusFields(schema)).toEqual({})
  })

  it('is sent as JSON has it', () => {
    const status = { url: 'x', since: new Date(0), tags: new Set(['a']) }
    expect(statusFields(schema, status)).toEqual({ url: 'x', since: '1970-01-01T00:00:00.000Z', tags: ['a'] })
    expect(statusFields(undefined, { since: new Date(0) })).toEqual({ since: '1970-01-01T00:00:00.000Z' })
  })

  it('that does not fit is refused with all problems', () => {
    const wrong = () => statusFields(schema, { url: 1, more: 2 })
    expect(wrong).toThrow(/status\.url: .*; status\.more: the schema has no such field/)
    expect(wrong).toThrow(expect.objectContaining({ name: 'Terminal', reason: 'InvalidStatus' }))
  })

  it('of an open schema may have more', () => {
    expect(statusFields(z.looseObject({ url: z.string() }), { more: 1 })).toEqual({ more: 1 })
  })
})

it('a record that could not be written is written again, one that is never kept does not become a loop', () => {
  const recording = new Recording()
  const due = Array.from({ length: 30 }, () => recording.isDue('u', true))
  expect(due.filter(Boolean)).toHaveLength(20)
  expect(recording.isDue('u', false)).toBe(false)
  expect(recording.isDue('u', true)).toBe(true)
})
