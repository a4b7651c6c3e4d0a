import * as cel from '@homeostat/cel'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { hasRules } from '../rules/rule-node.ts'
import { validateDefinitionSchema } from '../with-cel.ts'
import { MAX_SCHEMA_DEPTH, MAX_SCHEMAS } from './limits.ts'
import { definitionSteps } from './validate-definition-schema.ts'

const root = 'spec.validation.openAPIV3Schema'
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'object', properties, ...more })
const spec = (schema: JsonSchema): JsonSchema => object({ spec: schema })
const at = (rest: string) => `${root}.properties[spec]${rest}`
const found = (schema: JsonSchema) =>
  validateDefinitionSchema(schema, root).causes.map((cause) => [cause.reason, cause.field])
const string = { type: 'string' }

it('a check can be done in steps, with the same result', () => {
  const schema = spec({ type: 'object', properties: { a: { type: 'text', format: 'x' } }, default: 1 })
  const steps = [...iterate(definitionSteps(schema, root, { cel }))]
  expect(steps.length).toBeGreaterThan(5)
  expect(steps.at(-1)).toEqual(validateDefinitionSchema(schema, root))
})

function* iterate<T>(steps: Generator<undefined, T, undefined>): Generator<T | undefined> {
  for (;;) {
    const { value, done } = steps.next()
    yield value
    if (done) return
  }
}

describe('a schema is refused with the field a real server names', () => {
  it.each<[string, JsonSchema, ...string[][]]>([
    ['no type', spec({ properties: {} }), ['FieldValueRequired', at('.type')]],
    ['no type of items', spec({ type: 'array', items: {} }), ['FieldValueRequired', at('.items.type')]],
    ['no items', spec({ type: 'array' }), ['FieldValueRequired', at('.items')]],
    ['no type at the root', { properties: {} }, ['FieldValueRequired', `${root}.type`]],
    ['a root that is no object', string, ['FieldValueInvalid', `${root}.type`]],
    ['an unknown type', spec({ type: 'text' }), ['FieldValueNotSupported', at('.type')]],
    [
      'type null',
      spec({ type: 'null' }),
      ['FieldValueNotSupported', at('.type')],
      ['FieldValueForbidden', at('.type')],
    ],
    ['a nullable root', { type: 'object', nullable: true }, ['FieldValueForbidden', `${root}.nullable`]],
    [
      'additionalProperties at the root',
      { type: 'object', additionalProperties: string },
      ['FieldValueForbidden', `${root}.additionalProperties`],
    ],
    [
      'additionalProperties beside properties',
      spec(object({ a: string }, { additionalProperties: string })),
      ['FieldValueForbidden', at('.additionalProperties')],
    ],
    ['nothing, when any field is let through', spec(object({ a: string }, { additionalProperties: true }))],
    [
      'uniqueItems',
      spec({ type: 'array', items: string, uniqueItems: true }),
      ['FieldValueForbidden', at('.uniqueItems')],
    ],
    ['$ref', spec({ $ref: '#/x' }), ['FieldValueForbidden', at('.$ref')]],
    ['id', spec({ type: 'object', id: 'x' }), ['FieldValueForbidden', at('.id')]],
    [
      'patternProperties',
      spec({ type: 'object', patternProperties: { a: string } }),
      ['FieldValueForbidden', at('.patternProperties')],
    ],
    ['definitions', spec({ type: 'object', definitions: { a: string } }), ['FieldValueForbidden', at('.definitions')]],
    [
      'dependencies',
      spec({ type: 'object', dependencies: { a: ['b'] } }),
      ['FieldValueForbidden', at('.dependencies')],
    ],
    [
      'additionalItems',
      spec({ type: 'array', items: string, additionalItems: string }),
      ['FieldValueForbidden', at('.additionalItems')],
    ],
    ['a list of items', spec({ type: 'array', items: [string] }), ['FieldValueForbidden', at('.items')]],
    ['$schema', spec({ type: 'object', $schema: 'x' }), ['FieldValueInvalid', root]],
    ['a pattern that is not RE2', spec({ type: 'string', pattern: '(?=a)' }), ['FieldValueInvalid', at('.pattern')]],
    [
      'preserve-unknown-fields false',
      spec({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
      ['FieldValueInvalid', at('.x-kubernetes-preserve-unknown-fields')],
    ],
  ])('%s', (_, schema, ...expected) => {
    expect(found(schema)).toEqual(expected)
  })
})

describe('junctors hold checks of values only', () => {
  it.each([
    ['type', 'string'],
    ['description', 'text'],
    ['title', 'text'],
    ['default', 'x'],
    ['nullable', true],
    ['additionalProperties', string],
    ['x-kubernetes-int-or-string', true],
    ['x-kubernetes-list-type', 'set'],
    ['x-kubernetes-validations', [{ rule: 'true' }]],
  ])('%s', (keyword, value) => {
    expect(found(spec({ type: 'string', anyOf: [{ [keyword]: value }] }))).toContainEqual([
      'FieldValueForbidden',
      at(`.anyOf[0].${keyword}`),
    ])
  })

  it('except that int-or-string may be spelled out, alone or first in allOf', () => {
    const anyOf = [{ type: 'integer' }, { type: 'string' }]
    expect(found(spec({ 'x-kubernetes-int-or-string': true, anyOf }))).toEqual([])
    expect(found(spec({ 'x-kubernetes-int-or-string': true, allOf: [{ anyOf }, { minimum: 1 }] }))).toEqual([])
    expect(found(spec({ 'x-kubernetes-int-or-string': true, allOf: [{ minimum: 1 }, { anyOf }] }))).toEqual([
      ['FieldValueForbidden', at('.allOf[1].anyOf[0].type')],
      ['FieldValueForbidden', at('.allOf[1].anyOf[1].type')],
    ])
  })

  it('may not speak of metadata', () => {
    expect(found({ type: 'object', not: { properties: { metadata: {} } } })).toEqual([
      ['FieldValueForbidden', `${root}.not.properties[metadata]`],
      ['FieldValueRequired', `${root}.properties[metadata]`],
    ])
  })

  it('at the root speak only of fields that are specified outside too', () => {
    expect(found(object({ a: string }, { anyOf: [{ properties: { a: {}, b: {} } }] }))).toEqual([
      ['FieldValueRequired', `${root}.properties[b]`],
    ])
  })
})

describe('metadata is implied', () => {
  it('may restrict names and nothing else', () => {
    expect(found(object({ metadata: object({ name: { type: 'string', maxLength: 9 } }) }))).toEqual([])
    expect(found(object({ metadata: object({ labels: { type: 'object' } }) }))).toEqual([
      ['FieldValueForbidden', `${root}.properties[metadata]`],
    ])
    expect(found(object({ metadata: object({ name: { type: 'string', default: 'x' } }) }))).toEqual([
      ['FieldValueForbidden', `${root}.properties[metadata].properties[name].default`],
    ])
  })

  it('has a kind and an apiVersion that are strings', () => {
    expect(found(object({ kind: { type: 'integer' } }))).toEqual([
      ['FieldValueInvalid', `${root}.properties[kind].type`],
    ])
  })
})

describe('embedded resources', () => {
  const embedded = { 'x-kubernetes-embedded-resource': true }
  it.each<[string, JsonSchema, ...string[][]]>([
    [
      'are objects',
      spec({ type: 'string', ...embedded, 'x-kubernetes-preserve-unknown-fields': true }),
      ['FieldValueInvalid', at('.type')],
    ],
    ['say what is in them', spec({ type: 'object', ...embedded }), ['FieldValueRequired', at('.properties')]],
    [
      'have no additionalProperties',
      spec({ type: 'object', ...embedded, 'x-kubernetes-preserve-unknown-fields': true, additionalProperties: string }),
      ['FieldValueForbidden', at('.additionalProperties')],
    ],
    ['preserve what is in them', spec({ type: 'object', ...embedded, 'x-kubernetes-preserve-unknown-fields': true })],
  ])('%s', (_, schema, ...expected) => {
    expect(found(schema)).toEqual(expected)
  })

  it('have defaults that make valid metadata', () => {
    const withName = (value: string) =>
      spec(object({ metadata: object({ name: { type: 'string', default: value } }), a: string }, embedded))
    expect(found(withName('fine'))).toEqual([])
    expect(found(withName('not/fine'))).toEqual([
      ['FieldValueInvalid', at('.properties[metadata].properties[name].default')],
    ])
  })
})

describe('list types', () => {
  const map = (items: JsonSchema, keys: string[] = ['k']): JsonSchema =>
    spec({ type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys })
  const set = (items: JsonSchema) => spec({ type: 'array', items, 'x-kubernetes-list-type': 'set' })
  it.each<[string, JsonSchema, ...string[][]]>([
    ['a required key', map(object({ k: string }, { required: ['k'] }))],
    ['a defaulted key', map(object({ k: { type: 'string', default: 'x' } }))],
    ['an optional key', map(object({ k: string })), ['FieldValueRequired', at('.items.properties[k].default')]],
    ['an unknown key', map(object({ a: string })), ['FieldValueInvalid', at('.x-kubernetes-list-map-keys')]],
    [
      'a key twice',
      map(object({ k: string }, { required: ['k'] }), ['k', 'k']),
      ['FieldValueInvalid', at('.x-kubernetes-list-map-keys')],
    ],
    [
      'a key that is no scalar',
      map(object({ k: { type: 'object' } }, { required: ['k'] })),
      ['FieldValueInvalid', at('.items.properties[k].type')],
    ],
    ['no keys', map(object({ k: string }), []), ['FieldValueRequired', at('.x-kubernetes-list-map-keys')]],
    ['items that are no objects', map(string), ['FieldValueInvalid', at('.items.type')]],
    ['nullable items', set({ type: 'string', nullable: true }), ['FieldValueForbidden', at('.items.nullable')]],
    ['a set of objects', set(object({ a: string })), ['FieldValueInvalid', at('.items.x-kubernetes-map-type')]],
    ['a set of atomic objects', set(object({ a: string }, { 'x-kubernetes-map-type': 'atomic' }))],
    [
      'a list type on an object',
      spec({ type: 'object', 'x-kubernetes-list-type': 'atomic' }),
      ['FieldValueInvalid', at('.type')],
    ],
    [
      'an unknown list type',
      spec({ type: 'array', items: string, 'x-kubernetes-list-type': 'bag' }),
      ['FieldValueNotSupported', at('.x-kubernetes-list-type')],
    ],
    [
      'keys without a list type',
      spec({ type: 'array', items: string, 'x-kubernetes-list-map-keys': ['k'] }),
      ['FieldValueRequired', at('.x-kubernetes-list-type')],
    ],
    [
      'an unknown map type',
      spec({ type: 'object', 'x-kubernetes-map-type': 'x' }),
      ['FieldValueNotSupported', at('.x-kubernetes-map-type')],
    ],
  ])('%s', (_, schema, ...expected) => {
    expect(found(schema)).toEqual(expected)
  })
})

describe('defaults are valid and have no unknown fields', () => {
  it.each<[string, JsonSchema, ...string[][]]>([
    [
      'not in the enumeration',
      spec(object({ a: { type: 'string', enum: ['x'], default: 'Nope' } })),
      ['FieldValueNotSupported', at('.properties[a].default')],
    ],
    ['of another type', spec({ type: 'integer', default: 'x' }), ['FieldValueTypeInvalid', at('.default')]],
    [
      'wrong inside',
      spec(object({ a: { type: 'integer' } }, { default: { a: 'x' } })),
      ['FieldValueTypeInvalid', at('.default.a')],
    ],
    [
      'with more than the schema knows',
      spec(object({ a: string }, { default: { b: 1 } })),
      ['FieldValueInvalid', at('.default')],
    ],
    [
      'without what is required',
      spec(object({ a: string }, { required: ['a'], default: {} })),
      ['FieldValueRequired', at('.default.a')],
    ],
    [
      'unknown metadata of an embedded resource, which is dropped when the default is used',
      spec(
        object(
          {
            template: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
          { default: { template: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', unknown: 'x' } } } },
        ),
      ),
    ],
    ['right', spec(object({ a: { type: 'integer', minimum: 1, default: 1 } }, { default: {} }))],
  ])('%s', (_, schema, ...expected) => {
    expect(found(schema)).toEqual(expected)
  })
})

describe('CEL rules', () => {
  const rule = (given: JsonSchema) => spec(object({ a: string }, { 'x-kubernetes-validations': [given] }))
  const rules = at('.x-kubernetes-validations[0]')
  it.each<[string, JsonSchema, ...string[][]]>([
    ['without a rule', rule({ rule: ' ' }), ['FieldValueRequired', `${rules}.rule`]],
    ['with a blank message', rule({ rule: 'true', message: ' ' }), ['FieldValueInvalid', `${rules}.message`]],
    ['of two lines without a message', rule({ rule: 'true\n&& true' }), ['FieldValueRequired', `${rules}.message`]],
    ['with an unknown reason', rule({ rule: 'true', reason: 'No' }), ['FieldValueNotSupported', `${rules}.reason`]],
    ['with a path to nothing', rule({ rule: 'true', fieldPath: '.b' }), ['FieldValueInvalid', `${rules}.fieldPath`]],
    ['with a path to a field', rule({ rule: 'true', fieldPath: '.a' })],
    ['with a quoted path', rule({ rule: 'true', fieldPath: "['a']" })],
  ])('%s', (_, schema, ...expected) => {
    expect(found(schema)).toEqual(expected)
  })

  it('are found wherever they stand', () => {
    expect(hasRules(rule({ rule: 'true' }))).toBe(true)
    expect(hasRules(spec(string))).toBe(false)
  })
})

it('warns about formats nobody checks, and only about them', () => {
  const schema = object({
    a: { type: 'string', format: 'date-time' },
    b: { type: 'integer', format: 'int32' },
    c: { type: 'string', format: 'zip' },
    d: { type: 'integer', format: 'uint8' },
  })
  expect(validateDefinitionSchema(schema, root)).toEqual({
    causes: [],
    warnings: ['unrecognized format "zip"'],
  })
})

it('lets the root say less when there is a status subresource', () => {
  const schema = { type: 'object', properties: { status: { type: 'object' } }, minProperties: 1 }
  expect(validateDefinitionSchema(schema, root).causes).toEqual([])
  expect(validateDefinitionSchema(schema, root, { statusSubresource: true }).causes).toMatchObject([{ field: root }])
})

describe('a schema without bounds is refused before it is walked', () => {
  it('when it is too deep', () => {
    let deep: JsonSchema = string
    for (let i = 0; i < 20_000; i++) deep = object({ a: deep })
    const { causes } = validateDefinitionSchema(deep, root)
    expect(causes).toHaveLength(1)
    expect(causes[0]?.message).toContain(`deeper than ${MAX_SCHEMA_DEPTH}`)
  })

  it('when it is too large', () => {
    const properties = Object.fromEntries(Array.from({ length: MAX_SCHEMAS }, (_, i) => [`f${i}`, string]))
    expect(validateDefinitionSchema(object(properties), root).causes).toMatchObject([{ reason: 'FieldValueTooMany' }])
  })

  it('and errors in all of its fields are not all listed', () => {
    const wrong = {
      type: 'text',
      nullable: true,
      uniqueItems: true,
      pattern: '(',
      $ref: '#',
      default: 1,
      anyOf: [string],
    }
    const names = Array.from({ length: 5_000 }, (_, i) => [`f${i}`, wrong])
    for (const more of [{}, { $ref: undefined }]) {
      const properties = Object.fromEntries(names.map(([name]) => [name, { ...wrong, ...more }]))
      expect(found(spec(spec(object(properties))))).toHaveLength(200)
    }
  })

  it('when its patterns are too large, one by one or together', () => {
    const one = (pattern: string) => found(spec({ type: 'string', pattern }))
    expect(one('((a{0,30}){0,30}){0,30}')).toEqual([['FieldValueInvalid', at('.pattern')]])
    const names = Array.from({ length: 200 }, (_, i) => [`f${i}`, { type: 'string', pattern: `(a{0,30}){0,30}${i}` }])
    const { causes } = validateDefinitionSchema(spec(object(Object.fromEntries(names))), root)
    expect(causes.length).toBeGreaterThan(0)
    expect(causes[0]?.message).toContain('too large together')
    const same = names.map(([name]) => [name, { type: 'string', pattern: '(a{0,30}){0,30}' }])
    expect(found(spec(object(Object.fromEntries(same))))).toEqual([])
  })

  it('when it is a cycle', () => {
    const cycle: JsonSchema = { type: 'object' }
    cycle.properties = { a: cycle }
    expect(validateDefinitionSchema(cycle, root).causes).toHaveLength(1)
  })

  it('when keywords have shapes nobody expects', () => {
    const odd = { type: 5, properties: [1], items: 'x', required: {}, enum: 7, allOf: { a: 1 }, pattern: 9 }
    expect(() => validateDefinitionSchema(spec(odd as JsonSchema), root)).not.toThrow()
  })
})
