import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldsTexts, fieldsText } from './fields-text.ts'

const element = fc.constantFrom('.', 'f:a', 'f:b', 'k:{"name":"x"}', 'v:1')
const nodes = (below: fc.Arbitrary<unknown>) => fc.dictionary(element, below, { noNullPrototype: true })
const set = nodes(nodes(nodes(fc.constant({}))))
const entry = fc.record(
  {
    manager: fc.constantFrom('m1', 'm"2'),
    operation: fc.constantFrom('Apply', 'Update'),
    time: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'),
    fieldsV1: set,
    subresource: fc.constantFrom('status', undefined),
  },
  { requiredKeys: [] },
)

describe('the text of managedFields', () => {
  it('is their JSON, whatever was written before', () => {
    fc.assert(
      fc.property(fc.array(fc.array(entry, { maxLength: 3 }), { maxLength: 4 }), (written) => {
        const texts = new FieldsTexts()
        for (const list of written) {
          expect(fieldsText(list)).toBe(JSON.stringify(list))
          expect(texts.write(list)).toBe(JSON.stringify(list))
        }
      }),
    )
  })

  it('is made anew for a list that was changed after it was written', () => {
    const list: object[] = [{ manager: 'm', fieldsV1: { 'f:spec': {} } }]
    const texts = new FieldsTexts()
    texts.write(list)
    list.push({ manager: 'n', fieldsV1: { 'f:status': {} } })
    expect(texts.write(list)).toBe(JSON.stringify(list))
  })

  it('read back, is a list with the very sets that were written', () => {
    const fieldsV1 = { 'f:spec': { 'f:release': {} } }
    const texts = new FieldsTexts()
    const text = texts.write([{ manager: 'reader', time: '2026-01-01T00:00:00Z', fieldsV1 }])
    const [read] = texts.read(text) as [{ fieldsV1: object }]
    expect(read.fieldsV1).toBe(fieldsV1)
    expect(texts.write([{ ...read, time: '2026-01-01T00:00:01Z' }])).toBe(text.replace('00:00Z', '00:01Z'))
  })

  it('of odd entries is their JSON, too', () => {
    for (const list of [[], [null], [1, 'a'], [[]], [{}], [{ fieldsV1: null }], [{ fieldsV1: 7, x: [1] }]])
      expect(fieldsText(list)).toBe(JSON.stringify(list))
  })
})
