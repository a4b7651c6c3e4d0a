import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { k8s, SchemaError, structuralSchema } from './index.ts'

function problems(schema: z.ZodType): readonly string[] {
  try {
    structuralSchema(schema)
  } catch (error) {
    if (error instanceof SchemaError) return error.problems
    throw error
  }
  return []
}

function fieldOf(schema: z.ZodType): unknown {
  const { schema: spec } = structuralSchema(z.object({ value: schema }))
  return (spec.properties as Record<string, unknown>).value
}

const warningsOf = (schema: z.ZodType) => structuralSchema(z.object({ value: schema })).warnings

describe('a schema that no server could have', () => {
  it('is one error with every place and what to do', () => {
    const schema = z.object({
      a: z.union([z.string(), z.number()]),
      b: z.symbol(),
      c: z.object({ d: z.array(z.tuple([z.string(), z.int()])) }),
      e: z.literal(['a', true]),
    })
    expect(problems(schema)).toEqual([
      expect.stringMatching(/^spec\.a: a union of string, number cannot be described: .*k8s\.intOrString\(\)/),
      expect.stringMatching(/^spec\.b: z\.symbol\(\) is nothing that JSON can hold/),
      expect.stringMatching(/^spec\.c\.d\[\]: .*tuple/),
      expect.stringMatching(/^spec\.e: the values "a", true have no common type/),
    ])
    expect(() => structuralSchema(schema)).toThrow(/spec\.a.*\n.*spec\.b.*\n.*spec\.c.*\n.*spec\.e/)
  })

  it.each([
    [
      'variants that disagree on the type of a field',
      disagreeing(),
      /spec\.size: the alternatives have different types \(string, integer\): rename/,
    ],
    [
      'an intersection of different types',
      z.object({ a: z.intersection(z.string(), z.int()) }),
      /spec\.a: the two sides .* disagree on type/,
    ],
    [
      'an intersection without a common value',
      z.object({ a: z.intersection(z.enum(['a']), z.enum(['b'])) }),
      /no value in common/,
    ],
    [
      'a set of objects',
      z.object({ a: z.set(z.object({ b: z.string() })) }),
      /spec\.a: a z\.set\(\) needs items of a simple type: use k8s\.listMap/,
    ],
    [
      'a map with keys that are no strings',
      z.object({ a: z.map(z.int(), z.string()) }),
      /keys of a z\.map\(\) have to be strings/,
    ],
    [
      'a union of a text and a list',
      z.object({ a: z.union([z.string(), z.array(z.string())]) }),
      /spec\.a: a union of string, array/,
    ],
    [
      'a union of a map and an object',
      z.object({ a: z.union([z.record(z.string(), z.string()), z.object({ b: z.string() })]) }),
      /spec\.a: a map and other alternatives/,
    ],
    [
      'a default that is not valid',
      z.object({ a: z.string().min(3).default('x') }),
      /spec\.a: the default is not valid/,
    ],
    [
      'a column inside a list',
      z.object({ a: z.array(z.string().meta({ column: true })) }),
      /spec\.a\[\]: a column without jsonPath cannot be inside a list/,
    ],
    [
      'a list to select by',
      z.object({ a: z.array(z.string()).meta({ selectable: true }) }),
      /spec\.a: only strings, whole numbers/,
    ],
    [
      'nine fields to select by',
      z.object(Object.fromEntries([...'abcdefghi'].map((name) => [name, z.string().meta({ selectable: true })]))),
      /spec: at most 8 fields/,
    ],
    [
      'a field called items',
      z.object({ items: k8s.listMap('x', z.object({ y: z.string() })) }),
      /spec\.items\.x-kubernetes-list-map-keys: /,
    ],
    [
      'keys of a list that its items do not have',
      z.object({ a: k8s.listMap('id', z.object({ name: z.string() })) }),
      /spec\.a.*: .*entries must all be names of item properties/,
    ],
    [
      'keys of a list that may be missing',
      z.object({ a: k8s.listMap('id', z.object({ id: z.string().optional() })) }),
      /must have a default or be a required property/,
    ],
    ['a promise', z.object({ a: z.promise(z.string()) }), /spec\.a: z\.promise\(\) is nothing that JSON can hold/],
  ])('%s', (_, schema, message) => expect(problems(schema).join('\n')).toMatch(message))

  it('is reported, and not walked for ever, when it grows without end', () => {
    let wide: z.ZodType = z.string()
    for (let depth = 0; depth < 4; depth++) {
      const inner = wide
      wide = z.object(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, inner])))
    }
    expect(problems(wide).join()).toMatch(/more than 10000 parts/)
  })
})

function disagreeing() {
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('a'), size: z.string() }),
    z.object({ type: z.literal('b'), size: z.int() }),
  ])
}

describe('what becomes of', () => {
  it.each<[string, z.ZodType, unknown]>([
    [
      'several bounds: the strongest',
      z.number().min(1).gt(1).min(0).max(9).lt(9),
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    ],
    [
      'several lengths: the strongest',
      z.string().min(1).min(3).max(9).max(5),
      { type: 'string', minLength: 3, maxLength: 5 },
    ],
    ['a smaller integer that is said to be whole', z.int32().int(), { type: 'integer', format: 'int32' }],
    ['an enum of TypeScript', z.enum(numbered()), { type: 'integer', enum: [0, 1] }],
    [
      'a union inside a union',
      z.union([z.union([z.int(), z.null()]), z.string()]),
      { 'x-kubernetes-int-or-string': true, nullable: true },
    ],
    ['a union with one alternative', z.union([z.string()]), { type: 'string' }],
    ['a union with something free', z.union([z.string().min(3), z.string()]), { type: 'string' }],
    ['a union with anything', z.union([z.string(), k8s.raw()]), { 'x-kubernetes-preserve-unknown-fields': true }],
    [
      'numbers of which one is whole',
      z.union([z.int(), z.number().min(5)]),
      { type: 'number', anyOf: [{ multipleOf: 1 }, { minimum: 5 }] },
    ],
    [
      'an array in an intersection',
      z.intersection(z.array(z.string()).min(1), z.array(z.string().max(3))),
      { type: 'array', minItems: 1, items: { type: 'string', maxLength: 3 } },
    ],
    [
      'an optional item of a tuple',
      z.tuple([z.int(), z.int().optional()]),
      { type: 'array', items: { type: 'integer', format: 'int64' }, minItems: 1, maxItems: 2 },
    ],
    [
      'a field that must not be there',
      z.object({ a: z.string(), b: z.undefined(), c: z.never().optional() }),
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    ['a literal bigint', z.literal(5n), { type: 'string', enum: ['5'] }],
    [
      'a host',
      z.hostname(),
      { type: 'string', minLength: 1, maxLength: 254, pattern: expect.stringMatching(/^\^\[a-zA-Z0-9\]/) },
    ],
    ['a boolean in words', z.stringbool(), { type: 'string' }],
    ['a number that is read from text', z.coerce.number(), { type: 'number' }],
    [
      'nested allOf: two formats',
      z.string().ipv4().email(),
      { type: 'string', format: 'ipv4', allOf: [{ format: 'email' }] },
    ],
  ])('%s', (_, schema, expected) => expect(fieldOf(schema)).toEqual(expected))
})

function numbered() {
  return { low: 0, high: 1, 0: 'low', 1: 'high' } as const
}

describe('warnings tell what only the operator checks:', () => {
  it.each<[string, z.ZodType, RegExp]>([
    [
      'patterns that RE2 has not',
      z.string().regex(/(?=a)/),
      /spec\.value: \/\(\?=a\)\/ is checked by the operator only/,
    ],
    [
      'keys of records',
      z.record(z.string().min(2), z.string()),
      /spec\.value: the keys are checked by the operator only/,
    ],
    ['keys that a server could check', z.record(z.string().regex(/^a/), z.string()), /with \.meta\(\{ maxProperties/],
    ['loose records', z.looseRecord(z.string().regex(/^a/), z.string()), /a loose record is kept/],
    ['bounds of dates', z.date().min(new Date(0)), /bounds of dates/],
    ['bounds of large integers', z.bigint().min(1n), /bounds of a bigint/],
    ['defaults that change', z.string().default(() => `${Math.random()}`), /another one each time/],
    ['local times', z.iso.datetime({ local: true }), /no date-time of a server/],
    [
      'values of one side of int-or-string',
      z.union([z.int(), z.literal('auto')]),
      /the values of the string are checked/,
    ],
    ['several int-or-string', z.union([k8s.quantity(), z.string().min(3)]), /which alternative a value fits/],
    ['a format of one side of int-or-string', z.union([z.int(), z.ipv4()]), /the format ipv4/],
    ['tuples of different items', z.tuple([z.string().min(1), z.string().max(3)]), /which item of a tuple/],
  ])('%s', (_, schema, message) => expect(warningsOf(schema).join('\n')).toMatch(message))

  it('and nothing else', () => expect(warningsOf(z.object({ a: z.string().min(1), b: k8s.quantity() }))).toEqual([]))
})

it('schemas of zod/mini are the same', () => {
  const schema = mini.object({
    host: mini.string().check(mini.minLength(1), mini.describe('Where it is.')),
    size: mini._default(mini.int(), 3),
    note: mini.optional(mini.nullable(mini.string())),
  })
  expect(structuralSchema(schema).schema).toEqual({
    type: 'object',
    properties: {
      host: { type: 'string', minLength: 1, description: 'Where it is.' },
      size: { type: 'integer', format: 'int64', default: 3 },
      note: { type: 'string', nullable: true },
    },
    required: ['host'],
  })
})

describe('recursion', () => {
  interface Tree {
    sub?: Tree | undefined
  }
  const tree: z.ZodType<Tree> = z.object({ sub: z.lazy(() => tree).optional() })

  it.each([0, 1, 2])('is written out %i times more', (recursion) => {
    const text = JSON.stringify(structuralSchema(tree, { recursion }).schema)
    expect(text.match(/"sub"/g)).toHaveLength(recursion + 1)
    expect(text.match(/preserve-unknown/g)).toHaveLength(1)
  })
})

describe('places', () => {
  it('begin with the path that is given', () => {
    const made = structuralSchema(z.object({ url: z.url().meta({ column: true }), any: z.any() }), { path: 'status' })
    expect(made.columns).toEqual([{ name: 'Url', type: 'string', jsonPath: '.status.url' }])
    expect(made.warnings).toEqual([expect.stringMatching(/^status\.any: /)])
  })

  it('name a column by the words of its field', () => {
    const made = structuralSchema(z.object({ 'last-seenAt': z.iso.datetime().meta({ column: true }) }))
    expect(made.columns).toEqual([{ name: 'Last Seen At', type: 'date', jsonPath: '.spec.last-seenAt' }])
  })

  it('have one column for a field of several variants', () => {
    const name = z.string().meta({ column: true })
    const made = structuralSchema(
      z.discriminatedUnion('t', [z.object({ t: z.literal('a'), name }), z.object({ t: z.literal('b'), name })]),
    )
    expect(made.columns).toHaveLength(1)
  })
})

describe('rules', () => {
  it('of names that CEL keeps for itself are written its way', () => {
    const schema = z.discriminatedUnion('in', [
      z.object({ in: z.literal('a'), 'x.y': z.string() }),
      z.object({ in: z.literal('b'), 'odd name': z.string() }),
    ])
    expect(structuralSchema(schema).schema['x-kubernetes-validations']).toEqual([
      { rule: '!has(self.x__dot__y) || self.__in__ in ["a"]', message: 'x.y is only for in a' },
    ])
  })

  it('are kept with others in the order they were said', () => {
    const schema = z
      .object({ a: z.int(), b: z.int() })
      .check(
        k8s.rule('first', (value) => value.a < 9, 'self.a < 9'),
        k8s.rule('second', (value) => value.b < 9, 'self.b < 9'),
      )
      .readonly()
    expect(structuralSchema(schema).schema['x-kubernetes-validations']).toEqual([
      { rule: 'self.a < 9', message: 'first' },
      { rule: 'self.b < 9', message: 'second' },
      { rule: 'self == oldSelf', message: 'cannot be changed' },
    ])
  })

  it('are checked by Zod, too', () => {
    const schema = z.object({ a: z.int() }).check(k8s.rule('a is small', (value) => value.a < 9, 'self.a < 9'))
    expect(schema.safeParse({ a: 1 }).success).toBe(true)
    expect(schema.safeParse({ a: 10 }).error?.issues).toMatchObject([{ message: 'a is small' }])
  })
})

describe('what only the operator checks', () => {
  const only =
    '.refine(), .superRefine() or .check() is checked by the operator only; k8s.rule() says it to the server, too'

  it.each<[string, z.ZodType]>([
    ['refine', z.number().refine((size) => size % 2 === 0)],
    ['superRefine', z.string().superRefine(() => {})],
    ['check', z.array(z.string()).check(() => {})],
    ['refine of an object', z.object({ a: z.string() }).refine(({ a }) => a !== '')],
  ])('is named: %s', (_, schema) => {
    expect(warningsOf(schema)).toEqual([`spec.value: ${only}`])
  })

  it('is not what the server checks in its own way', () => {
    expect(warningsOf(k8s.listSet(z.string()))).toEqual([])
    expect(warningsOf(z.int().check(k8s.rule('even', (n: number) => n % 2 === 0, 'self % 2 == 0')))).toEqual([])
  })
})

describe('a key of .meta() that is almost one', () => {
  it.each([
    ['colum', 'column'],
    ['columns', 'column'],
    ['Column', 'column'],
    ['selectabel', 'selectable'],
    ['scael', 'scale'],
    ['desription', 'description'],
  ])('%s is an error that names %s', (key, meant) => {
    expect(problems(z.object({ host: z.string().meta({ [key]: true }) }))).toEqual([
      `spec.host: .meta({ ${key} }) has no meaning: did you mean ${meant}?`,
    ])
  })

  it('is none when it is somebody else’s', () => {
    expect(problems(z.object({ host: z.string().meta({ id: 'host', widget: 'text', order: 3 }) }))).toEqual([])
  })
})
