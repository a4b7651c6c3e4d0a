import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonError, readJsonSlowly } from './json-reader.ts'
import { readJson } from './read-json.ts'
import { writeJson } from './write-json.ts'

/** JSON has one zero. */
const withoutNegativeZero = (_: string, value: unknown) => (Object.is(value, -0) ? 0 : value)
const plain = (text: string) => JSON.parse(text, withoutNegativeZero)

const anyJson = fc
  .jsonValue({ noUnicodeString: false })
  .filter((value) => !JSON.stringify(value).includes('__proto__'))
  .map((value) => JSON.parse(JSON.stringify(value).toWellFormed()))

function offsetOf(text: string): number {
  try {
    readJson(text)
  } catch (error) {
    if (error instanceof JsonError) return error.offset
  }
  return -1
}

describe('readJson', () => {
  it('reads any JSON as JSON.parse does, compact or with spaces', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space)
        if (/\\ud[89a-f]|[0-9]{16}/.test(text)) return
        expect(readJson(text)).toEqual({ value: plain(text), duplicates: [] })
        expect(readJsonSlowly(text)).toEqual({ value: plain(text), duplicates: [] })
      }),
    )
  })

  it('accepts exactly the texts that JSON.parse accepts', () => {
    const almostJson = fc.string({ unit: fc.constantFrom(...'{}[]",:0123.eE+-truefalsn \\u"') })
    fc.assert(
      fc.property(almostJson, (text) => {
        let expected: unknown
        try {
          expected = plain(text)
        } catch {
          expect(() => readJson(text)).toThrow(JsonError)
          return
        }
        if (/[0-9]{16}|e[+]?[0-9]{3}/i.test(text)) return
        expect(readJson(text).value).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['', 0],
    ['{', 1],
    ['[1,]', 3],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ["{'a':1}", 1],
    ['{"a":01}', 6],
    ['[1 2]', 3],
    ['{} x', 3],
    ['nul', 0],
    ['"abc', 0],
    ['"a\nb"', 2],
    ['"\\x"', 0],
    ['[-]', 1],
    ['[1.]', 2],
    ['[NaN]', 1],
    ['[1e400]', 1],
    ['\ufeff{}', 0],
    ['/* no */ {}', 0],
  ])('refuses %j and says where', (text, offset) => {
    expect(() => readJson(text)).toThrow(JsonError)
    expect(offsetOf(text)).toBe(offset)
  })
})

it('lets a text end in a newline, as Go writes it', () => {
  expect(readJson('{"a":1}\n')).toEqual({ value: { a: 1 }, duplicates: [] })
})

describe('readJson on duplicate keys', () => {
  it('takes the last value and reports the path', () => {
    const text = '{"spec":{"replicas":1,"replicas":2,"ports":[{"port":1},{"name":"a","name":"b"}]}}'
    expect(readJson(text)).toEqual({
      value: { spec: { replicas: 2, ports: [{ port: 1 }, { name: 'b' }] } },
      duplicates: ['spec.replicas', 'spec.ports[1].name'],
    })
  })

  it('reports a key once however often it is repeated', () => {
    expect(readJson('{"a":1,"a":2,"a":3}').duplicates).toEqual(['a'])
  })

  it('sees through escapes', () => {
    expect(readJson('{"a":1,"\\u0061":2}')).toEqual({ value: { a: 2 }, duplicates: ['a'] })
  })

  it.each([
    '{"a" :1,"a":2}',
    '{"a"\n:1,"a":2}',
    '{"a"\t:1,"a"\r\n:2}',
    '{"b":":c","a" :1,"a":2}',
    '{"b":[":c"],"a":1,"a":2}',
    '{ "a": 1, "a": 2 }',
    '{"a":{"b":1},"a":{"b":1,"c":2}}',
  ])('sees it in %j', (text) => {
    expect(readJson(text).duplicates).toContain('a')
  })

  it('is not misled by texts that look like keys, nor by spaces', () => {
    const space = fc.constantFrom('', ' ', '\n', '\t ')
    const key = fc.constantFrom('a', 'b', ':', 'c:', '')
    const word = fc.constantFrom(
      '":a"',
      '"a:"',
      '1',
      '-0',
      '0',
      '[":","b"]',
      '{"a":":"}',
      '{"a" :1,"a":2}',
      '1e3',
      '1.0',
    )
    const field = fc
      .tuple(key, space, space, word)
      .map(([name, before, after, value]) => `"${name}"${before}:${after}${value}`)
    fc.assert(
      fc.property(fc.array(field, { maxLength: 4 }), (fields) => {
        const text = `{${fields.join()}}`
        expect(readJson(text)).toEqual(readJsonSlowly(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('finds a duplicate wherever it is put', () => {
    const key = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (keys, from, to) => {
        const repeated = keys[from % keys.length] ?? ''
        const all = keys.toSpliced(to % (keys.length + 1), 0, repeated)
        const text = `{"spec":{${all.map((name) => `"${name}":true`).join(',')}}}`
        expect(readJson(text).duplicates).toEqual([`spec.${repeated}`])
      }),
    )
  })

  it('reports no more than a hundred', () => {
    const twice = Array.from({ length: 300 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',')
    expect(readJson(`{${twice}}`).duplicates).toHaveLength(100)
  })
})

describe('readJson on numbers', () => {
  it('keeps every int64 exact and writes it back digit for digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        const text = `{"n":${integer}}`
        const { value } = readJson(text)
        expect(BigInt((value as { n: bigint }).n)).toBe(integer)
        expect(writeJson(value)).toBe(text)
      }),
    )
  })

  it('gives a bigint only beyond the safe integers', () => {
    expect(readJson('[9007199254740991,-9007199254740991]').value).toEqual([9007199254740991, -9007199254740991])
    expect(readJson('[9007199254740992,1152921504606847000]').value).toEqual([9007199254740992n, 1152921504606847000n])
  })

  it('makes a double of an integer beyond int64, as Go does', () => {
    expect(readJson('[9223372036854775808,-9223372036854775809]').value).toEqual([2 ** 63, -(2 ** 63)])
  })

  it('reads the other forms of numbers', () => {
    expect(readJson('[-0,-0.0,1.50,1e2,1E+2,12e-1]').value).toEqual([0, 0, 1.5, 100, 100, 1.2])
  })

  it('refuses numbers beyond a double', () => {
    expect(() => readJson('{"a":1e400}')).toThrow('a number is out of range at offset 5')
    expect(() => readJson(`[${'9'.repeat(400)}]`)).toThrow('out of range')
  })
})

describe('readJson on hostile texts', () => {
  const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth)

  it('accepts a thousand levels and refuses one more, by either way of reading', () => {
    expect(readJson(nested(1000)).duplicates).toEqual([])
    expect(readJson(nested(1000, ' ')).duplicates).toEqual([])
    expect(() => readJson(nested(1001))).toThrow('nested deeper than 1000 levels at offset 1000')
    expect(() => readJson(nested(1001, ' '))).toThrow('nested deeper than 1000 levels')
    expect(() => readJson(nested(200_000))).toThrow('nested deeper than 1000 levels')
    expect(() => readJson('{"a":'.repeat(1001) + 1 + '}'.repeat(1001))).toThrow('nested deeper than 1000 levels')
  })

  it('takes a wide text for what it is', () => {
    expect(readJson(`[${Array(2000).fill('[]').join(',')}]`).duplicates).toEqual([])
  })

  it('refuses the key __proto__, also escaped, but not as a value', () => {
    expect(() => readJson('{"__proto__":{"a":1}}')).toThrow('the key "__proto__" is not allowed at offset 1')
    expect(() => readJson('{"a":{"\\u005f_proto__":1}}')).toThrow('the key "__proto__" is not allowed at offset 6')
    expect(readJson('{"a":"__proto__"}').value).toEqual({ a: '__proto__' })
    expect(readJson('{"constructor":1,"toString":2}')).toEqual({
      value: { constructor: 1, toString: 2 },
      duplicates: [],
    })
  })

  it('replaces lone surrogates and keeps pairs', () => {
    expect(readJson('["\\ud800"]').value).toEqual(['\ufffd'])
    expect(readJson('["\\ud800","\\ud83d\\ude00","\ud800"]').value).toEqual(['\ufffd', '😀', '\ufffd'])
  })
})

it('does not take brackets in the strings of a huge text for nesting', () => {
  const value = { text: '[{"\\'.repeat(40_000), slash: '\\', more: ['{'.repeat(2000), '\\"['.repeat(2000)] }
  expect(readJson(JSON.stringify(value))).toEqual({ value, duplicates: [] })
})

it('refuses a huge text that is nested too deep, wherever the nesting is', () => {
  const padding = JSON.stringify('"\\['.repeat(60_000))
  const deep = `${'{"a":['.repeat(600)}1${']}'.repeat(600)}`
  expect(() => readJson(`[${padding},${deep}]`)).toThrow(/nested deeper/)
})
