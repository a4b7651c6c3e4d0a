import { expect, it } from 'vitest'
import { writeJson } from './write-json.ts'

it('writes what JSON.stringify writes', () => {
  expect(writeJson({ a: [1, 'é', null], b: undefined })).toBe('{"a":[1,"é",null]}')
})

it('writes a bigint digit for digit', () => {
  expect(writeJson({ a: [9223372036854775807n], b: -1n })).toBe('{"a":[9223372036854775807],"b":-1}')
})

it('writes null for a value that JSON has not', () => {
  expect(writeJson(undefined)).toBe('null')
})

it('writes lines with an indent, also around a bigint', () => {
  expect(writeJson({ a: [2n ** 63n - 1n] }, 2)).toBe('{\n  "a": [\n    9223372036854775807\n  ]\n}')
})
