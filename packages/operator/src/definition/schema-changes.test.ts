import { deepClone } from '@homeostat/meta'
import { compileSchema, type JsonSchema } from '@homeostat/schema'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { schemaChanges } from './schema-changes.ts'

const some = (keywords: Record<string, fc.Arbitrary<unknown>>) => fc.record(keywords, { requiredKeys: [] })
const typed = (type: string, keywords: Record<string, fc.Arbitrary<unknown>>) =>
  some(keywords).map((more): JsonSchema => ({ type, ...more }))
const small = fc.integer({ min: 0, max: 3 })
const yes = fc.constant(true)

const text = typed('string', {
  minLength: small,
  maxLength: small,
  pattern: fc.constantFrom('a', 'b'),
  enum: fc.subarray(['a', 'ab', 'b'], { minLength: 1 }),
  nullable: yes,
  anyOf: fc.subarray([{ pattern: 'a' }, { pattern: 'b' }, { minLength: 2 }], { minLength: 1 }),
  allOf: fc.subarray([{ pattern: 'a' }, { maxLength: 2 }], { minLength: 1 }),
})
const bounds = {
  minimum: small,
  maximum: small,
  exclusiveMinimum: yes,
  multipleOf: fc.constantFrom(1, 2),
  nullable: yes,
}
const scalar = fc.oneof(
  text,
  typed('integer', { ...bounds, format: fc.constantFrom('int32', 'int64') }),
  typed('number', bounds),
  fc.constant<JsonSchema>({ 'x-kubernetes-int-or-string': true }),
)
const keep = { 'x-kubernetes-preserve-unknown-fields': yes }
const schema: fc.Arbitrary<JsonSchema> = fc.oneof(
  scalar,
  scalar.chain((items) =>
    typed('array', {
      items: fc.constant(items),
      maxItems: small,
      minItems: small,
      'x-kubernetes-list-type': fc.constant('set'),
    }).map((list) => ({ ...list, items })),
  ),
  typed('object', {
    properties: some({ a: scalar, b: scalar }),
    required: fc.subarray(['a', 'b'], { minLength: 1 }),
    oneOf: fc.subarray([{ required: ['a'] }, { required: ['b'] }], { minLength: 1 }),
    ...keep,
  }),
  typed('object', { additionalProperties: scalar, maxProperties: small }),
  fc.constant<JsonSchema>({ 'x-kubernetes-preserve-unknown-fields': true }),
)

/** Pairs of an old and a new schema, unrelated or slightly different. */
const pairs = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, schema).map(([old, now]): [JsonSchema, JsonSchema] => [old, { ...old, ...now, type: old.type }]),
  fc.tuple(schema, fc.nat()).map(([old, drop]): [JsonSchema, JsonSchema] => {
    const names = Object.keys(old).filter((name) => name !== 'type' && name !== 'items')
    return [old, Object.fromEntries(Object.entries(old).filter(([name]) => name !== names[drop % (names.length || 1)]))]
  }),
)
const value = fc.oneof(
  fc.constantFrom<unknown>('', 'a', 'ab', 'b', 'abb', 0, 1, 2, 3, 4, 1.5, null),
  fc.array(fc.constantFrom('a', 'b', 'ab', 1, 2), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<unknown>('a', 'b', 'ab', 1, 2, 1.5, null)),
)

/** The object as the server stores it; undefined when it is refused. */
function stored(spec: JsonSchema, given: unknown): { spec?: unknown } | undefined {
  const compiled = compileSchema({ type: 'object', properties: { spec } }, { root: 'object' })
  const object = { spec: deepClone(given) }
  compiled.prune(object)
  compiled.applyDefaults(object)
  return compiled.validate(object).length === 0 ? object : undefined
}

it('what is stored stays as it is under a new schema with nothing to report', () => {
  let compared = 0
  fc.assert(
    fc.property(pairs, value, ([old, now], given) => {
      const before = stored(old, given)
      if (before === undefined) return
      if (schemaChanges(old, now, '').length > 0) return
      compared += 1
      expect(stored(now, before.spec)).toEqual(before)
    }),
    { numRuns: 3000 },
  )
  expect(compared).toBeGreaterThan(30)
})
