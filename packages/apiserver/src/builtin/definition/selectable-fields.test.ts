import type { KubeObject } from '@homeostat/meta'
import { expect, it } from 'vitest'
import { selectableFieldErrors, selectableFields } from './selectable-fields.ts'

const schema = {
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
    spec: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        n: { type: 'number' },
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'integer' } },
        open: { type: 'object', additionalProperties: true },
      },
    },
  },
}
const errors = (...paths: string[]) =>
  selectableFieldErrors(
    paths.map((jsonPath) => ({ jsonPath })),
    schema,
    'f',
  ).map(({ field, message }) => `${field}: ${message}`)

it.each([
  ['', 'f[0].jsonPath: Required value'],
  ['spec.a', 'f[0].jsonPath: Invalid value: "spec.a": is an invalid path: expected [ or . but got: spec'],
  ['.spec.list[0]', 'f[0].jsonPath: Invalid value: ".spec.list[0]": is an invalid path: array notation is not allowed'],
  ['.spec.', 'f[0].jsonPath: Invalid value: ".spec.": is an invalid path: unexpected end of JSON path'],
  ['.spec.b', 'f[0].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field'],
  ['.spec.a.b', 'f[0].jsonPath: Invalid value: ".spec.a.b": is an invalid path: does not refer to a valid field'],
  ['.spec.toString', /does not refer to a valid field$/],
  ['.spec.open.x.y', /does not refer to a valid field$/],
  ['.metadata.name', 'f[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata'],
  ['.spec.n', /must point to a field of type string, boolean or integer/],
  ['.spec', /must point to a field of type/],
  ['.spec.open.x', /must point to a field of type/],
])('refuses %j', (path, message) => {
  const [first, ...others] = errors(path)
  expect(others).toEqual([])
  if (typeof message === 'string') expect(first).toBe(message)
  else expect(first).toMatch(message)
})

it('takes properties and values of maps, each once and not too many', () => {
  expect(errors('.spec.a', '.spec.map.x')).toEqual([])
  expect(errors('.spec.a', '.spec.a')).toEqual(['f[1].jsonPath: Duplicate value: ".spec.a"'])
  const nine = Array.from({ length: 9 }, (_, index) => `.spec.map.k${index}`)
  expect(errors(...nine)).toEqual(['f: Too many: 9: must have at most 8 items'])
})

it('reads values as text', () => {
  const readers = selectableFields([{ jsonPath: '.spec.a' }, { jsonPath: '.spec.map.x' }])
  const read = (spec: unknown) => Object.values(readers).map((one) => one({ spec } as unknown as KubeObject))
  expect(Object.keys(readers)).toEqual(['spec.a', 'spec.map.x'])
  expect(read({ a: 'q', map: { x: 9007199254740993n } })).toEqual(['q', '9007199254740993'])
  expect(read({ a: true, map: null })).toEqual(['true', ''])
  expect(read(undefined)).toEqual(['', ''])
})
