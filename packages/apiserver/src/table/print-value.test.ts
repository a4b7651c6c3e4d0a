import { expect, it } from 'vitest'
import { printValue } from './print-value.ts'

it.each([
  ['text as it is', 'a "b"', 'a "b"'],
  ['a whole number', 3, '3'],
  ['a large whole number', 9007199254740993n, '9007199254740993'],
  ['a fraction', 0.5, '0.5'],
  ['a fraction of a million or more', 1234567.5, '1.2345675e+06'],
  ['a small fraction', 0.0001, '0.0001'],
  ['a tiny fraction', 0.00001, '1e-05'],
  ['a truth value', false, 'false'],
  ['an explicit null', null, '<no value>'],
  ['a list', ['a', 'b'], '["a","b"]'],
  [
    'an object with sorted keys',
    { b: [1, { d: null, c: 2 }], a: 'x<y>&' },
    '{"a":"x\\u003cy\\u003e\\u0026","b":[1,{"c":2,"d":null}]}',
  ],
  ['a large number inside a list', [9007199254740993n], '[9007199254740993]'],
])('prints %s', (_, value, printed) => {
  expect(printValue(value)).toBe(printed)
})

it('keeps a key named __proto__', () => {
  expect(printValue(JSON.parse('{"z":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"z":1}')
})
