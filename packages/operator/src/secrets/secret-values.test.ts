import { deepEqual } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decodeValues, digestValues, encodeValues, missingValues, parseValues, textValues } from './secret-values.ts'

const values = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
  fc.string({ unit: 'grapheme' }),
)

describe('the values of a Secret', () => {
  it('are what they were after encoding and decoding', () => {
    fc.assert(fc.property(values, (plain) => deepEqual(decodeValues(encodeValues(plain)), plain)))
  })

  it('are in base64 on the wire', () => {
    expect(encodeValues({ password: 'grün' })).toEqual({ password: 'Z3LDvG4=' })
  })

  it('are never among the missing when they are there, not even empty ones', () => {
    expect(missingValues({ a: '', b: 'old' }, { a: 'new', b: 'new', c: 'new' })).toEqual({ c: 'new' })
  })

  it('have to be text', () => {
    expect(textValues({ a: 'x', b: undefined }, 'They')).toEqual({ a: 'x' })
    expect(() => textValues({ port: 5432 }, 'The values')).toThrow('The values: the value of port is no text')
  })

  it('are reported by key and rule when they do not fit, never by what they are', () => {
    const schema = z.object({
      password: z.string().min(20),
      user: z.string().refine(() => false, { error: (issue) => `not ${issue.input}` }),
    })
    const parsed = parseValues(schema, { password: 'hunter2', user: 'hunter2' })
    expect(parsed).toEqual({ problems: ['password (too_small)', 'user (custom)'] })
  })

  it('have a digest that changes with them and with whose they are, not with their order', () => {
    const digest = digestValues({ a: '1', b: '2' }, 'uid')
    expect(digestValues({ b: '2', a: '1' }, 'uid')).toBe(digest)
    expect(digestValues({ a: '1', b: '3' }, 'uid')).not.toBe(digest)
    expect(digestValues({ a: '1', b: '2' }, 'other')).not.toBe(digest)
  })
})
