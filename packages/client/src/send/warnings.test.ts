import { expect, test } from 'vitest'
import { responseOf } from '../../test/scripted-transport.ts'
import { Warnings, warningTexts } from './warnings.ts'

test.each([
  ['299 - "one"', ['one']],
  ['299 - "one", 299 host "two, \\"three\\""', ['one', 'two, "three"']],
  ['110 - "stale", 299 - "one"', ['one']],
  ['nonsense', []],
  ['299 - "cut', []],
])('the texts of %s', (header, texts) => {
  expect(warningTexts(header)).toEqual(texts)
})

test('a text is reported once, and the memory for it has an end', () => {
  const told: string[] = []
  const warnings = new Warnings((text) => told.push(text))
  const hear = (text: string) => warnings.hear(responseOf({ headers: { warning: `299 - "${text}"` } }))
  hear('a')
  hear('a')
  hear('b')
  warnings.hear(responseOf({}))
  expect(told).toEqual(['a', 'b'])
  for (let i = 0; i < 1000; i++) hear(`${i}`)
  hear('a')
  expect(told.filter((text) => text === 'a')).toHaveLength(2)
})
