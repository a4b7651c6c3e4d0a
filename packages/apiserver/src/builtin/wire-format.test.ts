import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, listOf, mapOf, microTime, struct, text, time } from './field.ts'
import { WireFormats } from './wire-format.ts'

const format = new WireFormats().of(
  struct({
    data: mapOf(bytes),
    spec: struct({ at: microTime, when: time, name: text, all: listOf(struct({ at: microTime })) }),
  }),
)

describe('wire format', () => {
  it.each([
    ['2026-01-31T12:00:00.000000Z', '2026-01-31T12:00:00.000000Z'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.999999+02:00', '2026-01-31T10:00:00.999999Z'],
  ])('writes the micro time %s as %s', (given, written) => {
    const object = { spec: { at: given } }
    expect(format.errors(object)).toEqual([])
    format.normalise(object)
    expect(object.spec.at).toBe(written)
  })

  it.each(['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123Z', 'yesterday', ''])(
    'refuses the micro time "%s"',
    (given) => {
      expect(format.errors({ spec: { all: [{ at: given }] } }).map((cause) => cause.field)).toEqual(['spec.all[0].at'])
    },
  )

  it('writes plain times in seconds and UTC', () => {
    const object = { spec: { when: '2026-01-31T12:00:00.5+01:00', name: '2026-01-31T12:00:00.5Z' } }
    format.normalise(object)
    expect(object.spec).toEqual({ when: '2026-01-31T11:00:00Z', name: '2026-01-31T12:00:00.5Z' })
  })

  it('writes bytes as a decoder and encoder would', () => {
    const object = { data: { a: 'aG\nk=', b: 'aGl=', c: '', d: 'not base64' } }
    format.normalise(object)
    expect(object.data).toEqual({ a: 'aGk=', b: 'aGk=', c: '', d: 'not base64' })
  })

  it('never changes bytes that are canonical already', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (content) => {
        const a = Buffer.from(content).toString('base64')
        const object = { data: { a } }
        format.normalise(object)
        expect(object.data.a).toBe(a)
      }),
    )
  })

  it('reads a schema that contains itself', () => {
    const endless = struct({ at: microTime })
    Object.assign(endless.properties as object, { inner: endless })
    const object = { at: '2026-01-31T12:00:00.000000+00:00', inner: { at: 'x' } }
    new WireFormats().of(endless).normalise(object)
    expect(object.at).toBe('2026-01-31T12:00:00.000000Z')
  })
})

describe('what a typed server would write', () => {
  const typed = new WireFormats().of({
    type: 'object',
    properties: {
      name: { type: 'string', omitZero: true },
      pointer: { type: 'string' },
      list: { type: 'array', items: { type: 'string' }, omitZero: true },
      map: { type: 'object', additionalProperties: { type: 'string' }, omitZero: true },
      struct: { type: 'object', properties: { name: { type: 'string', omitZero: true } }, omitZero: true },
      always: { type: 'array', items: { type: 'string' }, omitZero: true, writtenAsNull: true },
      size: { format: 'quantity' },
      any: { 'x-kubernetes-preserve-unknown-fields': true, omitZero: true },
    },
  })
  const written = (object: Record<string, unknown>) => {
    typed.normalise(object)
    typed.complete(object)
    return object
  }

  it('has no nulls and no zero values that say nothing', () => {
    expect(written({ name: '', pointer: null, list: [], map: {}, always: ['a'] })).toEqual({ always: ['a'] })
  })

  it('has zero values that say something, and structs however empty', () => {
    expect(written({ pointer: '', struct: { name: '' }, map: { a: '' }, always: ['a'] })).toEqual({
      pointer: '',
      struct: {},
      map: { a: '' },
      always: ['a'],
    })
  })

  it('has null where a value is always written', () => {
    expect(written({})).toEqual({ always: null })
    expect(written({ always: [] })).toEqual({ always: null })
  })

  it('leaves what may be anything as it is', () => {
    expect(written({ any: { a: null, b: '' }, always: ['a'] })).toEqual({ any: { a: null, b: '' }, always: ['a'] })
  })

  it('has quantities in one form, and refuses what is none', () => {
    expect(written({ size: 0.5, always: ['a'] })).toEqual({ size: '500m', always: ['a'] })
    expect(typed.errors({ size: 'big' }).map(({ field }) => field)).toEqual(['size'])
    expect(typed.errors({ size: {} }).map(({ field }) => field)).toEqual(['size'])
  })
})
