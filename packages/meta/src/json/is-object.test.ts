import { expect, it } from 'vitest'
import { isObject } from './is-object.ts'

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [1n, false],
])('%o is an object with fields: %s', (value: unknown, is) => {
  expect(isObject(value)).toBe(is)
})
