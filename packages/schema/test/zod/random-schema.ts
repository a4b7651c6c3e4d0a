// Random Zod schemas with values for them: most fit, some almost, some not at all. Left out is what is known to differ:
// formats, characters beyond the basic plane, foreign fields in unions, and what only Zod can check.

import fc from 'fast-check'
import { z } from 'zod'
import { k8s } from '../../src/zod/index.ts'

export interface Sample {
  readonly schema: z.ZodType
  /** Values as JSON has them. */
  readonly values: fc.Arbitrary<unknown>
}

const words = fc.stringMatching(/^[a-cA-C0-2.%-]{0,6}$/)
const json: fc.Arbitrary<unknown> = fc.oneof(
  words,
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(0.5, 1.5, true, false, null),
  fc.array(words, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 9 }), { maxKeys: 2 }),
)
const mostly = (own: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: own, weight: 9 }, { arbitrary: json, weight: 1 })
const bounds = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)])

const stringSchema = fc
  .record({
    size: fc.option(bounds),
    pattern: fc.constantFrom(undefined, undefined, undefined, /^[a-c]+$/, /^[a-c]*$/i, /\d/, /^(?<first>a|b)/, /[.%]$/),
    part: fc.constantFrom(undefined, undefined, undefined, undefined, 'starts', 'ends', 'includes', 'lower'),
  })
  .map(({ size, pattern, part }) => {
    let schema = z.string()
    if (size !== null) schema = schema.min(size[0] ?? 0).max(size[1] ?? 0)
    if (pattern !== undefined) schema = schema.regex(pattern)
    if (part === 'starts') schema = schema.startsWith('a')
    if (part === 'ends') schema = schema.endsWith('.')
    if (part === 'includes') schema = schema.includes('b.')
    if (part === 'lower') schema = schema.lowercase()
    return schema
  })

const numberSchema = fc
  .record({
    whole: fc.boolean(),
    least: fc.option(fc.integer({ min: -5, max: 5 })),
    most: fc.option(fc.integer({ min: -5, max: 9 })),
    open: fc.boolean(),
    multiple: fc.constantFrom(undefined, 2, 3),
  })
  .map(({ whole, least, most, open, multiple }) => {
    let schema = whole ? z.number().int() : z.number()
    if (least !== null) schema = open ? schema.gt(least) : schema.min(least)
    if (most !== null) schema = open ? schema.lt(most) : schema.max(most)
    return multiple === undefined ? schema : schema.multipleOf(multiple)
  })

const numbers = fc.oneof(fc.integer({ min: -10, max: 12 }), fc.constantFrom(0.5, 2.5, -1.5))
const text = stringSchema.map((schema): Sample => ({ schema, values: words }))
const number = numberSchema.map((schema): Sample => ({ schema, values: numbers }))

const simple: fc.Arbitrary<Sample> = fc.oneof(
  text,
  number,
  fc.constant<Sample>({ schema: z.boolean(), values: fc.boolean() }),
  fc.constant<Sample>({ schema: z.enum(['a', 'b']), values: fc.constantFrom('a', 'b', 'c') }),
  fc.constant<Sample>({ schema: z.literal([1, 2]), values: fc.constantFrom(1, 2, 3) }),
  fc.constant<Sample>({ schema: z.literal(['a', 1]), values: fc.constantFrom('a', 'b', 1, 2) }),
  fc.constant<Sample>({ schema: z.union([z.literal('a'), z.null()]), values: fc.constantFrom('a', 'b', null) }),
  fc.constant<Sample>({
    schema: k8s.quantity(),
    values: fc.constantFrom('1Gi', '500m', '1.5', '.5', 'x', '1Kx', 3, 0.5),
  }),
  fc.constant<Sample>({ schema: k8s.duration(), values: fc.constantFrom('1h30m', '0', '1.5s', '-2ms', '1d', '', 's') }),
  fc.constant<Sample>({ schema: z.bigint(), values: fc.constantFrom('12', '-1', '1.5', '', 'x') }),
  fc.tuple(stringSchema, stringSchema).map(([a, b]): Sample => ({ schema: z.union([a, b]), values: words })),
  fc.tuple(numberSchema, numberSchema).map(([a, b]): Sample => ({ schema: z.union([a, b]), values: numbers })),
  fc.tuple(numberSchema, numberSchema).map(([a, b]): Sample => ({ schema: z.intersection(a, b), values: numbers })),
  fc
    .tuple(numberSchema, stringSchema)
    .map(([a, b]): Sample => ({ schema: z.union([a.int(), b]), values: fc.oneof(numbers, words) })),
)

type Wrap = 'plain' | 'optional' | 'nullable' | 'nullish'
const wraps = fc.constantFrom<Wrap>('plain', 'plain', 'optional', 'nullable', 'nullish')

function wrapped({ schema, values }: Sample, wrap: Wrap): Sample {
  switch (wrap) {
    case 'optional':
      return { schema: schema.optional(), values: fc.option(values, { nil: undefined }) }
    case 'nullable':
      return { schema: schema.nullable(), values: fc.option(values) }
    case 'nullish':
      return { schema: schema.nullish(), values: fc.option(fc.option(values), { nil: undefined }) }
    default:
      return { schema, values }
  }
}

const { any } = fc.letrec<{ any: Sample }>((tie) => {
  const field = fc.tuple(tie('any'), wraps).map(([sample, wrap]) => wrapped(sample, wrap))
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd-e'), field, { minKeys: 1, maxKeys: 3 })
  return {
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      simple,
      fields.map(objectOf),
      tie('any').map(({ schema, values }) => ({
        schema: z.array(schema).max(2),
        values: fc.array(values, { maxLength: 3 }),
      })),
      tie('any').map(({ schema, values }) => ({
        schema: z.record(z.string(), schema),
        values: fc.dictionary(fc.constantFrom('x', 'y'), values),
      })),
      fc.tuple(fields, fields).map(([left, right]) => variants(left, right)),
    ),
  }
})

function objectOf(fields: Record<string, Sample>): Sample {
  const entries = Object.entries(fields)
  return {
    schema: z.object(Object.fromEntries(entries.map(([name, sample]) => [name, sample.schema]))),
    values: fc.record(Object.fromEntries(entries.map(([name, sample]) => [name, mostly(sample.values)]))).map(present),
  }
}

/** Two kinds of objects with fields of their own. */
function variants(left: Record<string, Sample>, right: Record<string, Sample>): Sample {
  const named = (prefix: string, fields: Record<string, Sample>) =>
    Object.fromEntries(Object.entries(fields).map(([name, sample]) => [`${prefix}${name}`, sample]))
  const one = objectOf(named('l', left))
  const other = objectOf(named('r', right))
  const kind = (schema: z.ZodType, name: string) => (schema as z.ZodObject).extend({ kind: z.literal(name) })
  const values = (sample: Sample, own: string) =>
    fc
      .tuple(sample.values, fc.constantFrom(own, own, own, 'x', undefined))
      .map(([value, name]) => present({ ...(value as object), kind: name }))
  return {
    schema: z.discriminatedUnion('kind', [kind(one.schema, 'l'), kind(other.schema, 'r')]),
    values: fc.oneof(values(one, 'l'), values(other, 'r')),
  }
}

function present(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
}

/** A schema with a value that may or may not be valid by it. */
export const cases: fc.Arbitrary<{ schema: z.ZodType; value: unknown }> = any.chain(({ schema, values }) =>
  mostly(values).map((value) => ({ schema: z.object({ value: schema }), value: { value } })),
)
