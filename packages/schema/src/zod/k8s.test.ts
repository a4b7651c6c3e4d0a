import { parseGoDuration, parseQuantity } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { k8s } from './k8s.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('k8s.quantity', () => {
  it('reads numbers and texts as text', () => {
    expect(k8s.quantity().parse(2)).toBe('2')
    expect(k8s.quantity().parse('1.5Gi')).toBe('1.5Gi')
  })

  it('takes what the server takes for a quantity', () => {
    const parts = fc.tuple(
      fc.constantFrom('', '-', '+'),
      fc.constantFrom('1', '12.5', '.5', '3.', '', '.', 'x'),
      fc.constantFrom('', 'm', 'k', 'Ki', 'Gi', 'e3', 'E', 'i', 'K', 'e', 'n'),
    )
    fc.assert(
      fc.property(parts, (text) => {
        const quantity = text.join('')
        expect(accepts(k8s.quantity(), quantity)).toBe(readable(quantity))
      }),
    )
  })

  it('is written as it is read', () => expect(z.encode(k8s.quantity(), '1Gi')).toBe('1Gi'))
})

function readable(text: string): boolean {
  try {
    return parseQuantity(text) !== undefined
  } catch {
    return false
  }
}

describe('k8s.duration', () => {
  it('takes the durations that Go reads', () => {
    const part = fc.tuple(
      fc.constantFrom('1', '1.5', '.5', '', '0', '.'),
      fc.constantFrom('h', 'm', 's', 'ms', 'us', 'µs', 'd', ''),
    )
    const texts = fc.tuple(fc.constantFrom('', '-', '+'), fc.array(part, { maxLength: 3 }))
    fc.assert(
      fc.property(texts, ([sign, list]) => {
        const text = sign + list.flat().join('')
        expect(accepts(k8s.duration(), text)).toBe(parseGoDuration(text) !== undefined)
      }),
    )
  })
})

describe('lists', () => {
  const ports = k8s.listMap(['name', 'protocol'], z.object({ name: z.string(), protocol: z.string().default('TCP') }))

  it('of type map have no two items with the same keys', () => {
    expect(accepts(ports, [{ name: 'a' }, { name: 'a', protocol: 'UDP' }])).toBe(true)
    expect(accepts(ports, [{ name: 'a' }, { name: 'a', protocol: 'TCP' }])).toBe(false)
  })

  it('of type set have no value twice', () => {
    expect(accepts(k8s.listSet(z.string()), ['a', 'b'])).toBe(true)
    expect(k8s.listSet(z.string()).safeParse(['a', 'a']).error?.issues).toMatchObject([
      { message: 'items must be different' },
    ])
  })
})

it('k8s.raw takes everything and k8s.intOrString whole numbers and texts', () => {
  expect(accepts(k8s.raw(), { any: [1, null] })).toBe(true)
  expect([1, 'a', 1.5, null].map((value) => accepts(k8s.intOrString(), value))).toEqual([true, true, false, false])
})
