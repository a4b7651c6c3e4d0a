// A table of changes between two schemas of a spec, one line each: refused, reported, or not mentioned.

import type { JsonSchema } from '@homeostat/schema'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { breakingChanges } from './breaking-changes.ts'
import { type CustomResourceDefinition, definitionManifest } from './definition-manifest.ts'

const lines = (old: CustomResourceDefinition, now: CustomResourceDefinition) =>
  breakingChanges(old, now).map(({ path, what, breaking }) => `${breaking ? '' : 'warning: '}${path}: ${what}`)

const string = { type: 'string' }
const integer = { type: 'integer' }
const keep = { 'x-kubernetes-preserve-unknown-fields': true }
const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}) => ({
  type: 'object',
  properties,
  ...more,
})
const list = (more: JsonSchema) => ({ type: 'array', items: object({ name: string }), ...more })
const byName = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }

/** A definition with this schema of the spec. */
function withSpec(spec: JsonSchema): CustomResourceDefinition {
  const base = definitionManifest({ group: 'ex.io', version: 'v1', kind: 'Site', spec: z.object({}) })
  const versions = base.spec.versions.map((version) => ({ ...version, schema: { openAPIV3Schema: object({ spec }) } }))
  return { ...base, spec: { ...base.spec, versions } }
}

describe('a change of the schema that breaks', () => {
  it.each<[string, JsonSchema, JsonSchema, string]>([
    ['a field goes', object({ a: string }), object({}), 'v1 spec.a: the field goes'],
    [
      'a field deep inside goes',
      object({ a: object({ b: string }) }),
      object({ a: object({}) }),
      'v1 spec.a.b: the field goes',
    ],
    [
      'a field of items goes',
      object({ a: list({}) }),
      object({ a: { ...list({}), items: object({}) } }),
      'v1 spec.a[].name: the field goes',
    ],
    [
      'another type',
      object({ a: string }),
      object({ a: integer }),
      'v1 spec.a: the type changes from string to integer',
    ],
    [
      'a type for anything',
      object({ a: keep }),
      object({ a: string }),
      'v1 spec.a: the type changes from anything to string',
    ],
    [
      'one type of two',
      object({ a: { 'x-kubernetes-int-or-string': true } }),
      object({ a: string }),
      'v1 spec.a: the type changes from int-or-string to string',
    ],
    [
      'whole numbers only',
      object({ a: { type: 'number' } }),
      object({ a: integer }),
      'v1 spec.a: the type changes from number to integer',
    ],
    [
      'a new required field',
      object({}),
      object({ a: string }, { required: ['a'] }),
      'v1 spec.a: the field is required now and has no default',
    ],
    [
      'a field that becomes required',
      object({ a: string }),
      object({ a: string }, { required: ['a'] }),
      'v1 spec.a: the field is required now and has no default',
    ],
    ['an enum', string, { ...string, enum: ['a'] }, 'v1 spec: only "a" are allowed now'],
    [
      'fewer values',
      { ...string, enum: ['a', 'b'] },
      { ...string, enum: ['b', 'c'] },
      'v1 spec: "a" is not allowed any more',
    ],
    ['a minimum', integer, { ...integer, minimum: 1 }, 'v1 spec: minimum 1 is new'],
    [
      'a larger minimum',
      { ...integer, minimum: 1 },
      { ...integer, minimum: 2 },
      'v1 spec: minimum changes from 1 to 2',
    ],
    [
      'a smaller maximum',
      { ...integer, maximum: 2 },
      { ...integer, maximum: 1 },
      'v1 spec: maximum changes from 2 to 1',
    ],
    [
      'an open bound',
      { ...integer, maximum: 2 },
      { ...integer, maximum: 2, exclusiveMaximum: true },
      'v1 spec: maximum 2 itself is not allowed any more',
    ],
    [
      'a longer text',
      { ...string, minLength: 1 },
      { ...string, minLength: 2 },
      'v1 spec: minLength changes from 1 to 2',
    ],
    ['a shorter text', string, { ...string, maxLength: 2 }, 'v1 spec: maxLength 2 is new'],
    ['fewer items', list({ maxItems: 3 }), list({ maxItems: 2 }), 'v1 spec: maxItems changes from 3 to 2'],
    ['more items', list({}), list({ minItems: 1 }), 'v1 spec: minItems 1 is new'],
    [
      'multiples',
      { ...integer, multipleOf: 2 },
      { ...integer, multipleOf: 4 },
      'v1 spec: only multiples of 4 are allowed now',
    ],
    ['a pattern', string, { ...string, pattern: '^a' }, 'v1 spec: the pattern ^a is new'],
    [
      'another pattern',
      { ...string, pattern: '^b' },
      { ...string, pattern: '^a' },
      'v1 spec: the pattern changes to ^a',
    ],
    ['a format', string, { ...string, format: 'email' }, 'v1 spec: the format email is new'],
    [
      'a smaller number',
      { ...integer, format: 'int64' },
      { ...integer, format: 'int32' },
      'v1 spec: the format int32 is new',
    ],
    ['null', { ...string, nullable: true }, string, 'v1 spec: null is no value any more'],
    ['more that has to hold', string, { ...string, allOf: [{ pattern: 'a' }] }, 'v1 spec: more has to hold (allOf)'],
    [
      'alternatives',
      object({ a: string }),
      object({ a: string }, { anyOf: [{ required: ['a'] }] }),
      'v1 spec: the alternatives change (anyOf)',
    ],
    [
      'an alternative less',
      { ...string, oneOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      { ...string, oneOf: [{ pattern: 'a' }] },
      'v1 spec: the alternatives change (oneOf)',
    ],
    ['something excluded', string, { ...string, not: { pattern: 'a' } }, 'v1 spec: something is excluded now (not)'],
    ['unknown fields', object({}, keep), object({}), 'v1 spec: unknown fields are not kept any more'],
    [
      'a map with named fields',
      { type: 'object', additionalProperties: string },
      object({ a: string }),
      'v1 spec: only named fields are kept now',
    ],
    [
      'values of a map',
      { type: 'object', additionalProperties: string },
      { type: 'object', additionalProperties: integer },
      'v1 spec.*: the type changes from string to integer',
    ],
    [
      'a schema for all keys',
      object({}, keep),
      { type: 'object', additionalProperties: string },
      'v1 spec: values under all keys have to fit a schema now',
    ],
    ['a list with keys', list({}), list(byName), 'v1 spec: the list changes from atomic to map'],
    [
      'other keys',
      list(byName),
      list({ ...byName, 'x-kubernetes-list-map-keys': ['id'] }),
      'v1 spec: the keys of the list change',
    ],
    [
      'an embedded object',
      object({}, keep),
      object({}, { ...keep, 'x-kubernetes-embedded-resource': true }),
      'v1 spec: it has to be a whole object with apiVersion and kind now',
    ],
  ])('%s', (_, old, now, expected) => expect(lines(withSpec(old), withSpec(now))).toEqual([expected]))
})

describe('a change worth knowing', () => {
  it.each<[string, JsonSchema, JsonSchema, string]>([
    [
      'a default changes',
      { ...string, default: 'a' },
      { ...string, default: 'b' },
      'warning: v1 spec: the default changes from "a" to "b"',
    ],
    ['a default goes', { ...string, default: 'a' }, string, 'warning: v1 spec: the default "a" goes'],
    [
      'a rule comes',
      string,
      { ...string, 'x-kubernetes-validations': [{ rule: 'self != "a"' }] },
      'warning: v1 spec: a rule is new: self != "a"',
    ],
    ['a list without keys', list(byName), list({}), 'warning: v1 spec: the list changes from map to atomic'],
    [
      'an atomic object',
      object({}),
      object({}, { 'x-kubernetes-map-type': 'atomic' }),
      'warning: v1 spec: the object changes from granular to atomic',
    ],
  ])('%s', (_, old, now, expected) => expect(lines(withSpec(old), withSpec(now))).toEqual([expected]))
})

describe('a change that widens', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    ['a new field', object({}), object({ a: string })],
    [
      'a new required field with a default',
      object({}),
      object({ a: { ...string, default: 'a' } }, { required: ['a'] }),
    ],
    ['a field that may be left out', object({ a: string }, { required: ['a'] }), object({ a: string })],
    ['a default for the first time', string, { ...string, default: 'a' }],
    ['any number', integer, { type: 'number' }],
    ['a number or a text', string, { 'x-kubernetes-int-or-string': true }],
    ['anything', object({ a: string }), keep],
    ['more values', { ...string, enum: ['a'] }, { ...string, enum: ['a', 'b'] }],
    ['all values', { ...string, enum: ['a'] }, string],
    ['wider bounds', { ...integer, minimum: 2, maximum: 3 }, { ...integer, minimum: 1 }],
    ['closed bounds', { ...integer, minimum: 2, exclusiveMinimum: true }, { ...integer, minimum: 2 }],
    ['no pattern', { ...string, pattern: 'a', format: 'email' }, string],
    ['a larger format', { ...integer, format: 'int32' }, { ...integer, format: 'int64' }],
    ['finer multiples', { ...integer, multipleOf: 4 }, { ...integer, multipleOf: 2 }],
    ['null', string, { ...string, nullable: true }],
    [
      'one more variant',
      object({ t: string }, { oneOf: [{ properties: { t: { enum: ['a'] } } }] }),
      object(
        { t: string },
        { oneOf: [{ properties: { t: { enum: ['a'] } } }, { properties: { t: { enum: ['b'] } } }] },
      ),
    ],
    [
      'one more alternative',
      { ...string, anyOf: [{ pattern: 'a' }] },
      { ...string, anyOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    ],
    ['no alternatives', { ...string, anyOf: [{ pattern: 'a' }] }, string],
    ['less that has to hold', { ...string, allOf: [{ pattern: 'a' }] }, string],
    ['a rule less', { ...string, 'x-kubernetes-validations': [{ rule: 'true' }] }, string],
    ['unknown fields', object({ a: string }), object({}, keep)],
    ['any keys', object({ a: string }), { type: 'object', additionalProperties: string }],
    ['a length of at least nothing', string, { ...string, minLength: 0 }],
  ])('%s', (_, old, now) => expect(lines(withSpec(old), withSpec(now))).toEqual([]))
})
