// Formats are checked by two validators, the server's and Zod's. Where they are known to differ is written down here;
// the documentation for authors has the same list.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileSchema } from '../../src/index.ts'
import { structuralSchema } from '../../src/zod/index.ts'

function verdicts(schema: z.ZodType, text: string) {
  const spec = structuralSchema(z.object({ value: schema })).schema
  const server = compileSchema(spec, { root: 'object' }).validate({ value: text }).length === 0
  return { zod: schema.safeParse(text).success, server }
}

const byte = fc.integer({ min: 0, max: 300 })
const part = fc.stringMatching(/^[a-z0-9-]{1,8}$/)

describe('formats of Zod and of the server', () => {
  it.each<[string, z.ZodType, fc.Arbitrary<string>]>([
    ['ipv4', z.ipv4(), fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'))],
    ['ipv6', z.ipv6(), fc.oneof(fc.ipV6(), fc.stringMatching(/^[0-9a-f:]{2,20}$/))],
    [
      'cidr',
      z.cidrv4(),
      fc
        .tuple(byte, byte, byte, byte, fc.integer({ min: 0, max: 40 }))
        .map((all) => `${all.slice(0, 4).join('.')}/${all[4]}`),
    ],
    ['uuid4', z.uuidv4(), fc.oneof(fc.uuid({ version: 4 }), fc.uuid({ version: 1 }))],
    [
      'date',
      z.iso.date(),
      fc
        .tuple(fc.integer({ min: 1990, max: 2030 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
        .map(([y, m, d]) => `${y}-${`${m}`.padStart(2, '0')}-${`${d}`.padStart(2, '0')}`),
    ],
    ['base64', z.base64(), fc.oneof(fc.base64String({ minLength: 1 }), part)],
    ['hostname', z.hostname(), fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))],
  ])('%s: what Zod accepts the server accepts', (_, schema, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect([text, verdicts(schema, text)]).not.toEqual([text, { zod: true, server: false }])
      }),
    )
  })

  it('times with seconds and a zone are the same to both', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }), (date) => {
        expect(verdicts(z.iso.datetime(), date.toISOString())).toEqual({ zod: true, server: true })
      }),
    )
  })

  it.each<[string, z.ZodType, string, { zod: boolean; server: boolean }]>([
    [
      'a zone is accepted by the server alone',
      z.iso.datetime(),
      '2024-05-01T10:00:00+02:00',
      { zod: false, server: true },
    ],
    ['a URL without slashes is one to both', z.url(), 'mailto:a@b.example', { zod: true, server: true }],
    ['an empty text is base64 to Zod alone', z.base64(), '', { zod: true, server: false }],
    ['a URL with a space before it is one to Zod alone', z.url(), ' http://a', { zod: true, server: false }],
    ['a URL with a broken escape is one to Zod alone', z.url(), 'http://a/%zz', { zod: true, server: false }],
    ['a path is a URL to the server alone', z.url(), '/a/b', { zod: false, server: true }],
    ['a name without a domain is an email to the server alone', z.email(), 'a@localhost', { zod: false, server: true }],
    [
      'a uuid without dashes is one to the server alone',
      z.uuid(),
      '123e4567e89b12d3a456426614174000',
      { zod: false, server: true },
    ],
    ['a range of the other family is one to the server alone', z.cidrv4(), 'fe80::/10', { zod: false, server: true }],
  ])('%s', (_, schema, text, expected) => expect(verdicts(schema, text)).toEqual(expected))
})
