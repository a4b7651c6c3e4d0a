import { k8s } from '@homeostat/schema/zod'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseSpec } from './parse-spec.ts'

const spec = z.object({
  hostname: z.string(),
  port: z.number().min(1).max(65535),
  replicas: z.number().min(1).default(1),
  protocol: z.enum(['http', 'https']).default('https'),
  note: z.string().optional(),
  database: z.object({ host: z.string(), port: z.number(), name: z.string() }).optional(),
})

describe('parseSpec', () => {
  it('gives what Zod gives, with its defaults', () => {
    expect(parseSpec(spec, { hostname: 'a', port: 80 })).toEqual({
      ok: true,
      value: { hostname: 'a', port: 80, replicas: 1, protocol: 'https' },
    })
  })

  it('takes a null for nothing where null is no value, as the server does', () => {
    expect(parseSpec(spec, { hostname: 'a', port: 80, replicas: null, note: null })).toMatchObject({
      ok: true,
      value: { replicas: 1 },
    })
  })

  it('keeps a null that is a value', () => {
    expect(parseSpec(z.object({ a: z.string().nullable() }), { a: null })).toEqual({ ok: true, value: { a: null } })
  })

  it('names every place with its message', () => {
    const parsed = parseSpec(spec, { hostname: 1, port: 0, database: { host: 'x', port: '1', name: 'y' } })
    expect(parsed).toMatchObject({
      ok: false,
      problems: [{ path: 'spec.hostname' }, { path: 'spec.port' }, { path: 'spec.database.port' }],
    })
  })

  it('writes paths with indices and quoted keys', () => {
    const odd = z.object({ ports: z.array(z.int()), labels: z.record(z.string(), z.int()) })
    const parsed = parseSpec(odd, { ports: [1, 'x'], labels: { 'a/b': 'c' } })
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.path)).toEqual([
      'spec.ports[1]',
      "spec.labels['a/b']",
    ])
  })

  it('tells why each alternative of a union does not fit', () => {
    const parsed = parseSpec(z.object({ size: k8s.intOrString() }), { size: true })
    expect(parsed).toMatchObject({ ok: false, problems: [{ path: 'spec.size' }] })
    expect(parsed.ok ? '' : parsed.problems[0]?.message).toMatch(/fits no alternative: .*; or /)
  })

  it('reads a missing spec as an empty one', () => {
    expect(parseSpec(z.object({ a: z.int().default(3) }), undefined)).toEqual({ ok: true, value: { a: 3 } })
  })

  it('fills objects in that are left out and need nothing, as the server does', () => {
    const nested = z.object({ limits: z.object({ cpu: k8s.quantity().default('1') }) })
    expect(parseSpec(nested, {})).toEqual({ ok: true, value: { limits: { cpu: '1' } } })
  })

  it('reads dates, large numbers, sets and maps from what JSON has for them', () => {
    const foreign = z.object({
      when: z.date(),
      size: z.bigint().optional(),
      tags: z.set(z.string()),
      times: z.map(z.string(), z.date()),
      either: z.union([z.date(), z.literal('never')]),
    })
    const raw = {
      when: '2024-05-01T10:00:00Z',
      size: '12345678901234567890',
      tags: ['a', 'b'],
      times: { start: '2024-05-01T10:00:00Z' },
      either: 'never',
    }
    expect(parseSpec(foreign, raw)).toEqual({
      ok: true,
      value: {
        when: new Date('2024-05-01T10:00:00Z'),
        size: 12345678901234567890n,
        tags: new Set(['a', 'b']),
        times: new Map([['start', new Date('2024-05-01T10:00:00Z')]]),
        either: 'never',
      },
    })
  })

  it('says what is wrong with a text that is no date', () => {
    const parsed = parseSpec(z.object({ when: z.date() }), { when: 'tomorrow' })
    expect(parsed).toMatchObject({ ok: false, problems: [{ path: 'spec.when' }] })
  })

  it('refuses checks that have to be waited for', () => {
    const slow = z.object({ a: z.string().refine(async () => true) })
    expect(() => parseSpec(slow, { a: 'b' })).toThrow('make them in reconcile')
  })

  it('leaves the raw object alone', () => {
    const raw = { hostname: 'a', port: 80, replicas: null }
    parseSpec(spec, raw)
    expect(raw).toEqual({ hostname: 'a', port: 80, replicas: null })
  })
})
