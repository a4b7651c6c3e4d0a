// What must hold for every schema and every object.

import { deepClone, readJson, writeJson } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSchema, type JsonSchema } from '../src/index.ts'
import { toOpenApiV3 } from '../src/server.ts'
import { validateDefinitionSchema } from '../src/with-cel.ts'

const name = fc.constantFrom('a', 'b', 'c', 'kind', 'metadata', '__proto__', 'constructor', 'é')
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, -1.5, 7, 9007199254740993n, '', 'a', 'ab', '2024-01-01', '\u{1F600}'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((fields) => Object.fromEntries(fields)),
  ),
})).value

const scalar: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record(
    {
      type: fc.constant('string'),
      maxLength: fc.nat(3),
      pattern: fc.constantFrom('^a', '.', '(a+)+$'),
      format: fc.constantFrom('date', 'byte', 'zip'),
      nullable: fc.boolean(),
      default: fc.constantFrom('a', 'ab'),
      enum: fc.constant(['a', 'ab']),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.integer({ min: -2, max: 2 }),
      multipleOf: fc.constantFrom(1, 2, 0.5),
      nullable: fc.boolean(),
      default: fc.constantFrom(0, 2),
    },
    { requiredKeys: ['type'] },
  ),
  fc.constant({ type: 'boolean' }),
  fc.constant({ 'x-kubernetes-int-or-string': true }),
  fc.constant({ 'x-kubernetes-preserve-unknown-fields': true }),
)

const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        maxItems: fc.nat(2),
        'x-kubernetes-list-type': fc.constantFrom('set', 'map', 'atomic'),
        'x-kubernetes-list-map-keys': fc.constant(['a']),
      },
      { requiredKeys: ['type', 'items'] },
    ),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.array(fc.tuple(name, tie('schema')), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        default: fc.constant({}),
        anyOf: fc.constant([{ required: ['a'] }, { minProperties: 1 }]),
        'x-kubernetes-preserve-unknown-fields': fc.constant(true),
        'x-kubernetes-embedded-resource': fc.constant(true),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
  ),
})).schema

const root = fc
  .record({ properties: fc.array(fc.tuple(name, schema), { maxLength: 4 }) })
  .map(({ properties }): JsonSchema => ({ type: 'object', properties: Object.fromEntries(properties) }))
const numRuns = 400

describe('for every structural schema and every object', () => {
  it('nothing throws, and what is already pruned stays as it is', () => {
    fc.assert(
      fc.property(root, json, (definition, value) => {
        const compiled = compileSchema(definition, { root: 'custom-resource' })
        const object = deepClone(value)
        compiled.prune(object)
        const once = writeJson(object)
        expect(compiled.prune(object)).toEqual([])
        expect(writeJson(object)).toBe(once)
      }),
      { numRuns },
    )
  })

  it('what is already defaulted stays as it is', () => {
    fc.assert(
      fc.property(root, json, (definition, value) => {
        const compiled = compileSchema(definition, { root: 'custom-resource' })
        const object = deepClone(value)
        compiled.applyDefaults(object)
        const once = writeJson(object)
        compiled.applyDefaults(object)
        expect(writeJson(object)).toBe(once)
      }),
      { numRuns },
    )
  })

  it('a verdict survives a round trip through JSON', () => {
    fc.assert(
      fc.property(root, json, (definition, value) => {
        const compiled = compileSchema(definition, { root: 'custom-resource' })
        const object = deepClone(value)
        compiled.prune(object)
        compiled.applyDefaults(object)
        const text = writeJson(object)
        // The reader refuses this key.
        fc.pre(!text.includes('__proto__'))
        expect(compiled.validate(readJson(text).value)).toEqual(compiled.validate(object))
      }),
      { numRuns },
    )
  })

  it('an unchanged object is never refused for its schema, and validation changes nothing', () => {
    fc.assert(
      fc.property(root, json, (definition, value) => {
        const compiled = compileSchema(definition, { root: 'custom-resource' })
        const object = deepClone(value)
        const before = writeJson(object)
        const causes = compiled.validate(object, deepClone(object))
        const embedded = /apiVersion|kind|metadata/
        expect(causes.filter((cause) => !embedded.test(cause.field))).toEqual([])
        compiled.decodeErrors(object)
        expect(writeJson(object)).toBe(before)
      }),
      { numRuns },
    )
  })
})

describe('for anything at all as a schema', () => {
  const fields =
    `type properties items additionalProperties required enum default pattern format allOf anyOf not nullable
    x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-validations x-kubernetes-embedded-resource`.split(
      /\s+/,
    )
  const odd = fc.dictionary(fc.constantFrom(...fields), fc.oneof(json, schema, fc.array(schema, { maxLength: 2 })))

  it('nothing throws', () => {
    fc.assert(
      fc.property(odd, json, (definition, value) => {
        validateDefinitionSchema(definition, 'schema')
        toOpenApiV3(definition)
        const compiled = compileSchema(definition, { root: 'object' })
        const object = deepClone(value)
        compiled.prune(object)
        compiled.applyDefaults(object)
        compiled.validate(object, value)
        compiled.decodeErrors(object)
      }),
      { numRuns: 1_000 },
    )
  })
})
