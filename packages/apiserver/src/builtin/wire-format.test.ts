import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, listOf, mapOf, microTime, struct, text, time } from './field.ts'
import { wireFormat } from './wire-format.ts'

const format = wireFormat(
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
    wireFormat(endless).normalise(object)
    expect(object.at).toBe('2026-01-31T12:00:00.000000Z')
  })
})
