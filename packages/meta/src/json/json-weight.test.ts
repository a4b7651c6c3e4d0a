import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonWeightError, MAX_JSON_WEIGHT, measureJson, weighJson } from './json-weight.ts'
import { readJson, readSentJson } from './read-json.ts'

it.each([
  ['1', 0, 0],
  ['[]', 1, 1],
  ['[1,2]', 2, 1],
  ['{"a":1,"b":[{}]}', 8, 3],
  ['{"a,:[{\\"":"}\\\\"}', 3, 1],
])('the weight of %s is %i, its depth %i', (text, weight, depth) => {
  expect(measureJson(text)).toEqual({ weight, depth })
  expect(weighJson(Buffer.from(text))).toBe(weight)
})

it('text and bytes weigh the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(weighJson(Buffer.from(text))).toBe(measureJson(text).weight)
    }),
  )
})

it('a text that breaks is measured as far as it goes', () => {
  expect(measureJson('[[1,"abc')).toEqual({ weight: 3, depth: 2 })
  expect(measureJson(']]]{')).toEqual({ weight: 1, depth: 0 })
})

it('a body is read up to the limit of what it holds, and other texts beyond it', () => {
  const list = (items: number) => `[${Array.from({ length: items }, () => '1').join()}]`
  expect(readSentJson(list(MAX_JSON_WEIGHT)).value).toHaveLength(MAX_JSON_WEIGHT)
  expect(() => readSentJson(list(MAX_JSON_WEIGHT + 1))).toThrow(JsonWeightError)
  expect(readJson(list(MAX_JSON_WEIGHT + 1)).value).toHaveLength(MAX_JSON_WEIGHT + 1)
})

it('what is too deep is refused as such, with its place', () => {
  expect(() => readSentJson('['.repeat(MAX_JSON_WEIGHT + 1))).toThrow(/nested deeper than 1000 levels at offset 1000/)
})
