// The table from Zod's types to the functions that translate them. JSON cannot hold a type that is not in it.

import type { JsonSchema } from '../json-schema.ts'
import { addRule } from './cel.ts'
import { translateDefault, translatePrefault } from './defaults.ts'
import { translateIntersection } from './intersections.ts'
import { translateArray, translateSet, translateTuple } from './lists.ts'
import { translateEnum, translateLiteral } from './literals.ts'
import { withNull } from './nullable.ts'
import { translateNumber } from './numbers.ts'
import { translateObject } from './objects.ts'
import { re2Pattern } from './patterns.ts'
import { translateMap, translateRecord } from './records.ts'
import { translateString } from './strings.ts'
import { translateUnion } from './unions.ts'
import type { Translate } from './walk.ts'
import { checksOf, lazyOf, metaOf, pipeInput, schemaAt, schemasAt, typeOf, type ZodSchema } from './zod-schema.ts'

const inner: Translate = (walk, schema, place) => walk.node(schemaAt(schema, 'innerType'), place)

const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

const translateAny: Translate = (walk, schema, place) => {
  if (metaOf(schema)['x-kubernetes-preserve-unknown-fields'] !== true) {
    walk.warn(place, 'anything is accepted and kept here; say k8s.raw() when that is meant')
  }
  return anything
}

const translateDate: Translate = (walk, schema, place) => {
  if (checksOf(schema).some((check) => check.check !== 'custom')) {
    walk.warn(place, 'bounds of dates are checked by the operator only')
  }
  return { type: 'string', format: 'date-time' }
}

/** As text: numbers of JSON lose digits above 2^53 in JavaScript. */
const translateBigint: Translate = (walk, schema, place) => {
  if (checksOf(schema).some((check) => check.check !== 'custom')) {
    walk.warn(place, 'bounds of a bigint are checked by the operator only')
  }
  return { type: 'string', pattern: '^-?[0-9]+$' }
}

const translateTemplate: Translate = (walk, schema, place) => {
  const pattern = (schema._zod as { pattern?: unknown }).pattern
  const own = pattern instanceof RegExp ? re2Pattern(pattern) : undefined
  if (own === undefined) walk.warn(place, 'the template is checked by the operator only')
  return own === undefined ? { type: 'string' } : { type: 'string', pattern: own }
}

const translateLazy: Translate = (walk, schema, place) => {
  const target = lazyOf(schema)
  return isJson(target) ? translateAny(walk, schema, place) : walk.node(target, place)
}

/** `z.json()` is a union of everything. */
function isJson(schema: ZodSchema): boolean {
  const types = new Set(typeOf(schema) === 'union' ? schemasAt(schema, 'options').map(typeOf) : [])
  return ['string', 'number', 'boolean', 'null', 'array', 'record'].every((type) => types.has(type))
}

const translateCatch: Translate = (walk, schema, place) => {
  walk.warn(place, '.catch() has no effect on the server, which refuses what does not fit')
  return inner(walk, schema, place)
}

const translatePipe: Translate = (walk, schema, place) => {
  if (typeOf(schemaAt(schema, 'in')) === 'transform') {
    walk.warn(place, 'the server checks what is written before z.preprocess() changes it; z.codec() says what that is')
  }
  return walk.node(pipeInput(schema), place)
}

const translateReadonly: Translate = (walk, schema, place) => {
  const node = inner(walk, schema, place)
  if (!place.correlated) {
    walk.warn(
      place,
      '.readonly() has no effect inside a list without keys, where no server can tell what was there before',
    )
    return node
  }
  return addRule(node, { rule: 'self == oldSelf', message: 'cannot be changed' })
}

export const translations: Readonly<Record<string, Translate>> = {
  string: translateString,
  number: translateNumber,
  boolean: () => ({ type: 'boolean' }),
  bigint: translateBigint,
  date: translateDate,
  literal: translateLiteral,
  enum: translateEnum,
  template_literal: translateTemplate,
  object: translateObject,
  record: translateRecord,
  map: translateMap,
  array: translateArray,
  set: translateSet,
  tuple: translateTuple,
  union: translateUnion,
  intersection: translateIntersection,
  any: translateAny,
  unknown: translateAny,
  custom: translateAny,
  lazy: translateLazy,
  optional: inner,
  nonoptional: inner,
  nullable: (walk, schema, place) => withNull(inner(walk, schema, place)),
  default: translateDefault,
  prefault: translatePrefault,
  catch: translateCatch,
  pipe: translatePipe,
  readonly: translateReadonly,
}
