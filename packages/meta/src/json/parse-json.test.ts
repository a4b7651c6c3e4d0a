import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'
import { writeJson } from './write-json.ts'

it('keeps every digit of an int64', () => {
  expect(parseJson('{"a":9223372036854775807,"b":[-9223372036854775808,9007199254740993,1]}')).toEqual({
    a: 9223372036854775807n,
    b: [-9223372036854775808n, 9007199254740993n, 1],
  })
})

it('gives back what was written', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        tie('value'),
        { maxKeys: 3, noNullPrototype: true },
      ),
    ),
  })).value
  fc.assert(
    fc.property(value, (one) => {
      expect(parseJson(writeJson(one))).toEqual(one)
    }),
  )
})
