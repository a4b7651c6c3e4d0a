import { cpuMs } from '@homeostat/base/testing/cpu-time'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasEscapedKey } from './escaped-key.ts'

test.each([
  ['{"a":"b"}', false],
  ['{"a":"\\""}', false],
  ['{"a":"\\":"}', false],
  ['{"a":["\\\\","b"],"c":1}', false],
  ['{"\\"":1}', true],
  ['{"a":"\\n","b\\u0041" \n:1}', true],
  ['"\\', false],
  ['', false],
])('%s: %s', (text, expected) => {
  expect(hasEscapedKey(text)).toBe(expected)
})

test('finds what a look at every key finds', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      const keys: string[] = []
      JSON.stringify(value, function (key, child) {
        if (!Array.isArray(this)) keys.push(key)
        return child
      })
      expect(hasEscapedKey(text)).toBe(keys.some((key) => JSON.stringify(key).includes('\\')))
    }),
  )
})

test('is linear in a text with many escapes', () => {
  const text = JSON.stringify({ a: '\n'.repeat(1_000_000) })
  expect(hasEscapedKey(text)).toBe(false)
  expect(cpuMs(() => hasEscapedKey(text))).toBeLessThan(2000)
})
