import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { compileSchema } from '../with-cel.ts'
import { MAX_CAUSES } from './validation.ts'

const problems = (schema: JsonSchema, value: unknown, old?: unknown) =>
  compileSchema({ type: 'object', properties: { f: schema } }, { root: 'object' })
    .validate({ f: value }, old === undefined ? undefined : { f: old })
    .map((cause) => `${cause.field}: ${cause.message}`)

const big = 2n ** 62n
const face = '\u{1F600}'

describe('each keyword accepts', () => {
  it.each<[string, JsonSchema, unknown]>([
    ['a whole float as an integer', { type: 'integer' }, 3.0],
    ['a bigint as an integer', { type: 'integer' }, big],
    ['an integer as a number', { type: 'number' }, 3],
    ['a bigint as a number', { type: 'number' }, big],
    ['a number', { type: 'number' }, 1.5],
    ['anything without a type', { 'x-kubernetes-preserve-unknown-fields': true }, [{ a: null }]],
    ['a null where it is allowed', { type: 'string', nullable: true }, null],
    ['an integer for int-or-string', { 'x-kubernetes-int-or-string': true }, 5],
    ['a string for int-or-string', { 'x-kubernetes-int-or-string': true }, '5%'],
    ['the minimum', { type: 'integer', minimum: 3 }, 3],
    ['a bigint above the minimum', { type: 'integer', minimum: 3 }, big],
    ['the maximum', { type: 'number', maximum: 3.5 }, 3.5],
    ['just above an exclusive minimum', { type: 'number', minimum: 3, exclusiveMinimum: true }, 3.1],
    ['a multiple', { type: 'integer', multipleOf: 5 }, 15],
    ['a multiple of a fraction', { type: 'number', multipleOf: 0.1 }, 0.7],
    ['a bigint multiple', { type: 'integer', multipleOf: 4 }, big],
    ['code points up to maxLength', { type: 'string', maxLength: 3 }, face.repeat(3)],
    ['code points from minLength', { type: 'string', minLength: 3 }, face.repeat(3)],
    ['a match anywhere', { type: 'string', pattern: 'b' }, 'abc'],
    ['RE2 syntax', { type: 'string', pattern: '(?i)^\\Aabc[[:digit:]]\\z' }, 'ABC1'],
    ['an enumerated object', { type: 'object', enum: [{ a: 1 }] }, { a: 1 }],
    ['an enumerated number', { type: 'integer', enum: [1, 2] }, 2],
    ['an unknown format', { type: 'string', format: 'zip' }, '!'],
    ['a number beyond its format', { type: 'integer', format: 'int32' }, 2 ** 40],
    ['unique items', { type: 'array', uniqueItems: true, items: { type: 'object' } }, [{ a: 1 }, { a: 2 }]],
    ['a number and its text in a set', { type: 'array', 'x-kubernetes-list-type': 'set', items: {} }, [1, '1', true]],
    [
      'an object and text that looks like it in a set',
      { type: 'array', 'x-kubernetes-list-type': 'set', items: {} },
      [{ a: 1 }, 'j{"o":[["a",1]]}', [['a', 1]], '{"a":1}'],
    ],
    ['one of anyOf', { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }] }, 0],
    ['exactly one of oneOf', { type: 'integer', oneOf: [{ minimum: 5 }, { maximum: 1 }] }, 6],
    ['all of allOf', { type: 'integer', allOf: [{ minimum: 5 }, { maximum: 9 }] }, 6],
    ['what not forbids otherwise', { type: 'integer', not: { minimum: 5 } }, 4],
    [
      'fields of Object.prototype that are absent',
      { type: 'object', properties: { constructor: { type: 'string' } } },
      {},
    ],
  ])('%s', (_, schema, value) => {
    expect(problems(schema, value)).toEqual([])
  })
})

describe('each keyword refuses', () => {
  it.each<[JsonSchema, unknown, ...string[]]>([
    [{ type: 'integer' }, 1.5, 'f: Invalid value: "number": f in body must be of type integer: "number"'],
    [{ type: 'integer' }, 2 ** 60, 'f: Invalid value: "number": f in body must be of type integer: "number"'],
    [{ type: 'string' }, null, 'f: Invalid value: "null": f in body must be of type string: "null"'],
    [{ type: 'string' }, [], 'f: Invalid value: "array": f in body must be of type string: "array"'],
    [{ type: 'array' }, {}, 'f: Invalid value: "object": f in body must be of type array: "object"'],
    [{ type: 'boolean' }, 'true', 'f: Invalid value: "string": f in body must be of type boolean: "string"'],
    [{ type: 'number', minimum: 3 }, 2.5, 'f: Invalid value: 2.5: f in body should be greater than or equal to 3'],
    [
      { type: 'integer', minimum: 3, exclusiveMinimum: true },
      3,
      'f: Invalid value: 3: f in body should be greater than 3',
    ],
    [{ type: 'integer', maximum: 3 }, 4, 'f: Invalid value: 4: f in body should be less than or equal to 3'],
    [
      { type: 'integer', maximum: 3, exclusiveMaximum: true },
      3,
      'f: Invalid value: 3: f in body should be less than 3',
    ],
    [{ type: 'integer', multipleOf: 5 }, 7, 'f: Invalid value: 7: f in body should be a multiple of 5'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'f: Too long: may not be more than 1 byte'],
    [{ type: 'string', minLength: 2 }, face, `f: Invalid value: "${face}": f in body should be at least 2 chars long`],
    [{ type: 'string', pattern: '^a' }, 'b', `f: Invalid value: "b": f in body should match '^a'`],
    [
      { type: 'integer', format: 'int64' },
      1.5,
      'f: Invalid value: "number": f in body must be of type integer: "number"',
    ],
    [{ type: 'string', format: 'date' }, 'x', 'f: Invalid value: "x": f in body must be of type date: "x"'],
    [{ type: 'string', format: 'date' }, 5, 'f: Invalid value: "int64": f in body must be of type date: "int64"'],
    [{ type: 'integer', enum: [1, 2] }, 3, 'f: Unsupported value: 3: supported values: "1", "2"'],
    [{ type: 'string', nullable: true, enum: ['a'] }, null, 'f: Unsupported value: null: supported values: "a"'],
    [{ type: 'array', minItems: 1 }, [], 'f: Invalid value: 0: f in body should have at least 1 items'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'f: Too many: 2: must have at most 1 item'],
    [
      { type: 'array', uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      `f: Invalid value: "": f in body shouldn't contain duplicates`,
    ],
    [{ type: 'object', minProperties: 1 }, {}, 'f: Invalid value: 0: f in body should have at least 1 properties'],
    [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'f: Too many: 2: must have at most 1 item'],
    [{ type: 'object', required: ['a', 'toString'] }, {}, 'f.a: Required value', 'f.toString: Required value'],
    [
      { type: 'object', additionalProperties: false },
      { a: 1 },
      'f: Invalid value: "a": f.a in body is a forbidden property',
    ],
    [
      { type: 'object', additionalProperties: { type: 'object', properties: { x: { type: 'string' } } } },
      { 'a.b': { x: 1 } },
      'f.a.b.x: Invalid value: "integer": f.a.b.x in body must be of type string: "integer"',
    ],
    [
      { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }] },
      3,
      '<nil>: Invalid value: "": "f" must validate at least one schema (anyOf)',
      'f: Invalid value: 3: f in body should be greater than or equal to 5',
    ],
    [
      { type: 'integer', oneOf: [{ minimum: 5 }, { minimum: 6 }] },
      7,
      '<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    [
      { type: 'integer', allOf: [{ minimum: 5 }, { maximum: 9 }] },
      3,
      '<nil>: Invalid value: "": "f" must validate all the schemas (allOf)',
      'f: Invalid value: 3: f in body should be greater than or equal to 5',
    ],
    [
      { type: 'object', not: { required: ['a'] } },
      { a: 1 },
      '<nil>: Invalid value: "": "f" must not validate the schema (not)',
    ],
  ])('%j %j', (schema, value, ...expected) => {
    expect(problems(schema, value)).toEqual(expected)
  })

  it('with the errors of the branch that came closest', () => {
    const far = { required: ['x'] }
    const near = { properties: { a: { minimum: 5 }, b: { minimum: 5 } } }
    const schema = { type: 'object', anyOf: [far, near, far] }
    expect(problems(schema, { a: 1, b: 9 }).slice(1)).toEqual([
      'f.a: Invalid value: 1: f.a in body should be greater than or equal to 5',
    ])
    expect(problems({ ...schema, anyOf: undefined, oneOf: [far, near] }, { a: 1, b: 9 }).slice(1)).toHaveLength(1)
  })

  it('the same thing once', () => {
    const schema = { type: 'object', required: ['a'], allOf: [{ required: ['a'] }, { required: ['a'] }] }
    expect(problems(schema, {})).toEqual([
      '<nil>: Invalid value: "": "f" must validate all the schemas (allOf). None validated',
      'f.a: Required value',
    ])
  })

  it('a bigint out of bounds, digit for digit', () => {
    expect(problems({ type: 'integer', maximum: 3 }, 9007199254740993n)).toEqual([
      'f: Invalid value: 9007199254740993: f in body should be less than or equal to 3',
    ])
    expect(problems({ type: 'integer', multipleOf: 2 }, 9007199254740993n)).toHaveLength(1)
    expect(problems({ type: 'string', enum: ['a'] }, 9007199254740993n)).toHaveLength(2)
  })
})

describe('list types', () => {
  const map = (keys: string[]): JsonSchema => ({
    type: 'array',
    items: { type: 'object' },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  })

  it('report the second appearance of a key once', () => {
    expect(problems(map(['a']), [{ a: 1 }, { a: 1 }, { a: 1 }])).toEqual(['f[1]: Duplicate value: {"a":1}'])
  })

  it('compare all keys, and absent ones too', () => {
    expect(problems(map(['a', 'b']), [{ a: 1, b: 2 }, { a: 1, b: 3 }, { a: 1 }, { a: 1 }])).toEqual([
      'f[3]: Duplicate value: {"a":1}',
    ])
  })

  it('are checked inside maps, with the key in brackets', () => {
    const set = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }
    expect(problems({ type: 'object', additionalProperties: set }, { k: ['a', 'a'] })).toEqual([
      'f[k][1]: Duplicate value: "a"',
    ])
  })
})

describe('embedded resources', () => {
  const schema: JsonSchema = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }

  it('need apiVersion and kind', () => {
    expect(problems(schema, {})).toEqual(['f.apiVersion: Required value', 'f.kind: Required value'])
    expect(problems(schema, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, any: 1 })).toEqual([])
  })

  it('have a well-formed kind, apiVersion and metadata', () => {
    const wrong = { apiVersion: 'a/b/c', kind: 'No Kind', metadata: { name: 'a/b', labels: { a: 1 } } }
    expect(
      compileSchema({ type: 'object', properties: { f: schema } }, { root: 'object' }).validate({ f: wrong }),
    ).toMatchObject([
      { field: 'f.apiVersion', reason: 'FieldValueInvalid' },
      { field: 'f.kind', reason: 'FieldValueInvalid' },
      { field: 'f.metadata', reason: 'FieldValueInvalid' },
    ])
    const badName = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } }
    expect(problems(schema, badName)[0]).toMatch(/^f\.metadata\.name: Invalid value/)
  })
})

describe('with the old value, what did not change is not reported', () => {
  it('except for apiVersion and kind of the whole object, of which nobody can tell whether they changed', () => {
    const only = (pattern: string): JsonSchema => ({ type: 'string', pattern })
    const metadata = { type: 'object', properties: { name: only('^a') } }
    const properties = { apiVersion: only('^x/'), kind: { type: 'string', enum: ['Y'] }, metadata, spec: {} }
    const schema = compileSchema({ type: 'object', properties }, { root: 'custom-resource' })
    const object = (spec: string) => ({ apiVersion: 'e/v1', kind: 'Z', metadata: { name: 'b' }, spec })
    const fields = (old?: object) => schema.validate(object('new'), old).map(({ field }) => field)
    expect(fields()).toEqual(['apiVersion', 'kind', 'metadata.name'])
    expect(fields(object('old'))).toEqual(['apiVersion', 'kind'])
    // As a kube-apiserver 1.35.8 answers a patch that changes nothing.
    expect(fields(object('new'))).toEqual(['apiVersion', 'kind'])
  })

  const item = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer', minimum: 10 } } }
  const keyed = { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
  const plain = { type: 'array', items: item }

  it('in fields', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer', minimum: 10 }, b: { type: 'string' } } }
    expect(problems(schema, { a: 1, b: 'new' }, { a: 1, b: 'old' })).toEqual([])
    expect(problems(schema, { a: 2, b: 'new' }, { a: 1, b: 'old' })).toHaveLength(1)
  })

  it('in lists of type map, whatever the order', () => {
    const old = [
      { k: 'a', v: 1 },
      { k: 'b', v: 20 },
    ]
    expect(
      problems(
        keyed,
        [
          { k: 'b', v: 21 },
          { k: 'a', v: 1 },
        ],
        old,
      ),
    ).toEqual([])
    expect(
      problems(
        keyed,
        [
          { k: 'b', v: 2 },
          { k: 'a', v: 1 },
        ],
        old,
      ),
    ).toHaveLength(1)
  })

  it('of a list of type map itself, as long as its items only moved', () => {
    const [a, b, c] = [
      { k: 'a', v: 11 },
      { k: 'b', v: 12 },
      { k: 'c', v: 13 },
    ]
    const short = { type: 'object', properties: { l: { ...keyed, maxItems: 1 }, x: { type: 'string' } } }
    expect(problems(short, { l: [b, a] }, { l: [a, b] })).toEqual([])
    expect(problems(short, { l: [b, a], x: 'new' }, { l: [a, b] })).toEqual([])
    expect(problems(short, { l: [b, c] }, { l: [a, b] })).toHaveLength(1)
    expect(problems(short, { l: [a, b, c] }, { l: [a, b] })).toHaveLength(1)
    expect(problems({ ...plain, maxItems: 1 }, [b, a], [a, b])).toHaveLength(1)
  })

  it('also where a branch of a junctor speaks of the items', () => {
    const loose = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } }
    const schema = { ...keyed, items: loose, allOf: [{ items: { properties: { v: { minimum: 10 } } } }] }
    expect(
      problems(
        schema,
        [
          { k: 'b', v: 20 },
          { k: 'a', v: 1 },
        ],
        [{ k: 'a', v: 1 }],
      ),
    ).toEqual([])
    expect(
      problems(
        schema,
        [
          { k: 'b', v: 2 },
          { k: 'a', v: 1 },
        ],
        [{ k: 'a', v: 1 }],
      ),
    ).toHaveLength(2)
  })

  it('and what is the very same object is not even looked into', () => {
    const same = Object.defineProperty({}, 'k', { enumerable: true, get: () => expect.unreachable() })
    const schema = { type: 'object', properties: { a: item, l: keyed, b: { type: 'string' } } }
    expect(problems(schema, { a: same, b: 'new' }, { a: same, b: 'old' })).toEqual([])
    const list = [same]
    expect(problems(schema, { l: list, b: 'new' }, { l: list, b: 'old' })).toEqual([])
  })

  it('but a junctor asks about the whole value', () => {
    const word = { type: 'string' }
    const schema = {
      type: 'object',
      properties: { a: word, b: word },
      not: { required: ['a'], properties: { a: { enum: ['x'] } } },
    }
    expect(problems(schema, { a: 'y', b: 'new' }, { a: 'y', b: 'old' })).toEqual([])
    expect(problems(schema, { a: 'x', b: 'new' }, { a: 'y', b: 'old' })).toHaveLength(1)
  })

  it('the same, whether the parts that did not change are shared or only equal', () => {
    const schema = { type: 'object', properties: { a: item, b: keyed, c: plain, d: { ...plain, maxItems: 1 } } }
    const value = fc.record({ k: fc.constantFrom('x', 'y'), v: fc.constantFrom(1, 11, 'no') })
    const list = fc.array(value, { maxLength: 3 })
    const object = fc.record({ a: value, b: list, c: list, d: list })
    fc.assert(
      fc.property(object, fc.subarray(['a', 'b', 'c', 'd']), object, (old, changed, other) => {
        const next: Record<string, unknown> = { ...old }
        for (const name of changed) next[name] = other[name as keyof typeof other]
        expect(problems(schema, next, old)).toEqual(problems(schema, structuredClone(next), old))
      }),
    )
  })

  it('in other lists only when the whole list is as it was', () => {
    expect(problems(plain, [{ k: 'a', v: 1 }], [{ k: 'a', v: 1 }])).toEqual([])
    expect(
      problems(
        plain,
        [
          { k: 'a', v: 1 },
          { k: 'b', v: 20 },
        ],
        [{ k: 'a', v: 1 }],
      ),
    ).toHaveLength(1)
  })

  it('but what the change breaks in the parent is', () => {
    const schema = { type: 'object', maxProperties: 1, additionalProperties: { type: 'integer', minimum: 10 } }
    expect(problems(schema, { a: 1, b: 20 }, { a: 1 })).toEqual(['f: Too many: 2: must have at most 1 item'])
  })

  it('and lists that were broken before may stay so', () => {
    const set = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }
    expect(problems(set, ['a', 'a', 'b'], ['a', 'a'])).toEqual([])
    expect(problems(set, ['a', 'a'], ['a'])).toHaveLength(1)
  })

  it('of a list of type map whose items are no objects', () => {
    expect(problems(keyed, [null, 'ab'], [null, 'ab'])).toEqual([])
    expect(problems(keyed, [null, 'ab', 'c'], [null, 'ab'])).not.toEqual([])
  })
})

it('lists a bounded number of errors and says that there are more', () => {
  const found = problems(
    { type: 'array', items: { type: 'string' } },
    Array.from({ length: 5_000 }, (_, i) => i),
  )
  expect(found).toHaveLength(MAX_CAUSES + 1)
  expect(found.at(-1)).toContain(`only the first ${MAX_CAUSES} errors`)
})

it('does not repeat a huge value in a message', () => {
  const [message = ''] = problems({ type: 'string', pattern: '^a' }, 'b'.repeat(1_000_000))
  expect(message.length).toBeLessThan(10_000)
})
