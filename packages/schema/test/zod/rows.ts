// One schema for each thing that Zod can say, for the golden files and for comparing Zod with the server.

import { z } from 'zod'
import { k8s } from '../../src/zod/index.ts'

interface Category {
  name: string
  children?: Category[] | undefined
}

const category: z.ZodType<Category> = z.object({
  name: z.string(),
  get children() {
    return z.array(category).optional()
  },
})

/** Fields by themselves: each becomes `spec.value`. */
export const rows: Readonly<Record<string, z.ZodType>> = {
  'optional-and-default': z.object({
    optional: z.string().optional(),
    default: z.int().default(3),
    exact: z.boolean(),
    forced: z.string().optional().nonoptional(),
  }),
  'nested-default': z.object({
    filled: z.object({ deep: z.object({ size: z.int().default(1) }), name: z.string().default('a') }),
    asked: z.object({ size: z.int().default(1), name: z.string() }),
    absent: z.object({ size: z.int().default(1) }).optional(),
    prefault: z.object({ size: z.int().default(1) }).prefault({}),
  }),
  nullable: z.object({
    text: z.string().nullable(),
    size: z.enum(['S', 'M']).nullable(),
    maybe: z.int().nullish(),
    none: z.string().nullable().default(null),
  }),
  'union-with-null': z.union([z.string().min(2), z.null()]),
  literal: z.object({
    one: z.literal('a'),
    few: z.literal(['a', 'b']),
    number: z.literal([1, 2]),
    fraction: z.literal([0.5, 1]),
    truth: z.literal(true),
    mixed: z.literal(['auto', 1]),
    nothing: z.literal(['a', null]),
  }),
  'union-of-literals': z.union([z.literal('a'), z.literal('b'), z.enum(['c', 'd'])]),
  enum: z.object({ size: z.enum(['S', 'M']), level: z.enum({ low: 1, high: 2 }) }),
  'int-or-string': z.union([z.int(), z.string()]),
  'int-or-string-with-bounds': z.union([z.int().min(1).max(65535), z.string().regex(/^[a-z-]+$/)]),
  'int-or-string-literals': z.union([z.literal('auto'), z.literal(0)]),
  'union-of-strings': z.union([z.string().regex(/^a+$/), z.string().min(3), z.literal('b')]),
  'union-of-numbers': z.union([z.int().min(10), z.number().max(1)]),
  'discriminated-union': z.discriminatedUnion('type', [
    z.object({ type: z.literal('s3'), bucket: z.string(), path: z.string().min(1) }),
    z.object({ type: z.literal('gcs'), bucket: z.string(), 'key-file': z.string().optional() }),
    z.object({ type: z.literal(['disk', 'tmp']), path: z.string(), size: z.int().default(1) }),
  ]),
  'object-union': z.union([z.object({ url: z.string() }), z.object({ host: z.string(), port: z.int().optional() })]),
  xor: z.xor([z.object({ url: z.string() }), z.object({ host: z.string() })]),
  intersection: z.intersection(
    z.object({ a: z.string().min(1), both: z.number().min(1) }),
    z.object({ b: z.string(), both: z.number().max(9) }),
  ),
  record: z.record(z.string(), z.int()),
  'record-with-key-pattern': z.record(z.string().regex(/^[a-z]+$/), z.string()).meta({ maxProperties: 16 }),
  'record-of-enum': z.object({
    all: z.record(z.enum(['a', 'b']), z.int()),
    some: z.partialRecord(z.enum(['a', 'b']), z.int()),
  }),
  'loose-object': z.looseObject({ a: z.string() }),
  catchall: z.object({ a: z.string() }).catchall(z.int()),
  'strict-object': z.strictObject({ a: z.string() }),
  any: z.object({ raw: k8s.raw().optional(), unknown: z.unknown().optional(), json: z.json().optional() }),
  recursive: category,
  'shared-by-id': z.object({ a: z.string().meta({ id: 'golden-shared' }), b: z.int().optional() }),
  integers: z.object({
    int: z.int(),
    whole: z.number().int().min(0),
    int32: z.int32(),
    uint32: z.uint32(),
    even: z.int().multipleOf(2).positive().lt(100),
  }),
  numbers: z.object({ any: z.number(), float: z.float32(), double: z.float64(), between: z.number().gt(0).max(1.5) }),
  bigint: z.bigint(),
  boolean: z.boolean(),
  date: z.object({
    when: z.date(),
    text: z.iso.datetime(),
    zoned: z.iso.datetime({ offset: true }),
    day: z.iso.date(),
  }),
  'iso-duration': z.iso.duration(),
  'go-duration': k8s.duration(),
  quantity: k8s.quantity().default('1Gi'),
  formats: z.object({
    email: z.email(),
    url: z.url(),
    uuid: z.uuid(),
    uuid4: z.uuidv4(),
    ipv4: z.ipv4(),
    ipv6: z.ipv6(),
    cidr: z.cidrv4(),
    base64: z.base64(),
    old: z.string().email(),
  }),
  'other-formats': z.object({ nanoid: z.nanoid(), hex: z.string().regex(/^[0-9a-f]*$/), jwt: z.jwt() }),
  regex: z.object({
    plain: z.string().regex(/^[a-z]+$/),
    insensitive: z.string().regex(/^[a-z]+$/i),
    two: z.string().regex(/^a/).regex(/z$/),
    ahead: z.string().regex(/^(?!x)/),
    named: z.string().regex(/^(?<year>\d{4})\/\u0041$/),
  }),
  'parts-of-strings': z.object({
    starts: z.string().startsWith('a.b'),
    ends: z.string().endsWith('(c)'),
    includes: z.string().includes('d|e'),
    case: z.string().lowercase(),
  }),
  lengths: z.object({
    between: z.string().min(1).max(63),
    exact: z.string().length(4),
    trimmed: z.string().trim().min(1),
  }),
  'template-literal': z.templateLiteral(['v', z.int(), '.', z.enum(['a', 'b'])]),
  set: z.set(z.string()).max(8),
  map: z.map(z.string(), z.int()),
  tuple: z.object({ pair: z.tuple([z.int(), z.int()]), more: z.tuple([z.string()], z.string()) }),
  array: z
    .array(z.object({ name: z.string(), size: z.int().default(1) }))
    .min(1)
    .max(16),
  'list-map': k8s.listMap('name', z.object({ name: z.string(), port: z.int() })),
  'list-set': k8s.listSet(z.string()),
  transform: z.object({
    length: z.string().transform((text) => text.length),
    filled: z
      .string()
      .transform((text) => text.length)
      .default(7),
    prefilled: z
      .string()
      .transform((text) => text.length)
      .prefault('abc'),
    codec: z.codec(z.string(), z.number(), { decode: Number, encode: String }).default(5),
    pipe: z.string().pipe(z.string().min(2)),
  }),
  preprocess: z.preprocess((value) => value, z.string().min(1)),
  catch: z.object({ size: z.int().catch(1) }),
  readonly: z.object({ class: z.string().readonly(), inside: z.array(z.object({ a: z.string().readonly() })) }),
  metadata: z.object({
    host: z
      .string()
      .describe('Where it is found.')
      .meta({ title: 'Host', examples: ['a.example', 'b.example'], column: true, selectable: true }),
    old: z.string().optional().meta({ deprecated: true, description: 'Not used any more.' }),
    resource: z.looseObject({}).meta({ 'x-kubernetes-embedded-resource': true }).optional(),
    replicas: z
      .int()
      .default(1)
      .meta({ scale: 'specReplicas', column: { name: 'Wanted', priority: 1 } }),
    when: z.iso.datetime().optional().meta({ column: true }),
  }),
  refine: z.object({ min: z.int(), max: z.int() }).refine((value) => value.min <= value.max, 'min above max'),
  rule: z
    .object({ min: z.int(), max: z.int() })
    .check(k8s.rule('min must not be above max', (value) => value.min <= value.max, 'self.min <= self.max')),
}
