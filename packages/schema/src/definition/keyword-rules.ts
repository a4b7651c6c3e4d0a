// Keywords a definition may not use, and where defaults may not stand.

import { isObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported } from '@homeostat/meta/server'
import { additionalOf, type JsonSchema, metaFields, stringOf } from '../json-schema.ts'
import { bounded } from './limits.ts'
import { listRules } from './list-rules.ts'
import type { RuleReport } from './rule-report.ts'
import { type RuleScope, scopeOf } from './rule-scope.ts'
import type { SchemaWalk, Steps } from './schema-walk.ts'
import { type SubSchema, subSchemas } from './sub-schemas.ts'
import { isSet } from './unsupported.ts'
import { validationRules } from './validation-rules.ts'

interface Place {
  root: boolean
  /** Why a default is refused here. */
  noDefault: string | undefined
  insideMeta: boolean
  /** Undefined where no rule is judged. */
  rules: RuleScope | undefined
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** `report` gets what is wrong with rules, judged in the scope of the root. */
export function keywordRules(
  schema: JsonSchema,
  path: string,
  walk: SchemaWalk,
  report: RuleReport,
  rules: RuleScope | undefined,
): Steps<Cause[]> {
  return rulesBelow(schema, path, walk, report, { root: true, noDefault: undefined, insideMeta: false, rules })
}

function* rulesBelow(
  schema: JsonSchema,
  path: string,
  walk: SchemaWalk,
  report: RuleReport,
  place: Place,
): Steps<Cause[]> {
  if (walk.isDue()) yield
  const causes = [...ownRules(schema, path, place), ...propertyRules(schema, path, walk)]
  for (const sub of subSchemas({ schema, path, nested: false }, walk)) {
    causes.push(...(yield* rulesBelow(sub.schema, sub.path, walk, report, placeOf(schema, path, sub, place))))
  }
  causes.push(...listRules(schema, path, walk), ...validationRules(schema, path))
  if (causes.length === 0 && place.rules !== undefined && hasOwnRules(schema))
    yield* report.check(schema, path, place.rules)
  return bounded(causes)
}

function hasOwnRules(schema: JsonSchema): boolean {
  const rules = schema['x-kubernetes-validations']
  return Array.isArray(rules) && rules.length > 0
}

function placeOf(schema: JsonSchema, path: string, below: SubSchema, place: Place): Place {
  const { schema: sub, property } = below
  const inside: Place = { ...place, root: false, rules: place.rules && scopeOf(schema, path, place.rules, below) }
  if (schema.additionalProperties === sub && place.insideMeta) {
    inside.noDefault = 'inside additionalProperties applying to object metadata'
  }
  if (place.root || schema['x-kubernetes-embedded-resource'] === true) {
    if (property !== undefined && metaFields.has(property)) {
      inside.insideMeta = true
      if (place.root) inside.noDefault = `in top-level ${property}`
    }
  }
  return inside
}

function ownRules(schema: JsonSchema, path: string, place: Place): Cause[] {
  const causes: Cause[] = []
  const type = stringOf(schema.type)
  const refuse = (keyword: string, detail = `${keyword} is not supported`) =>
    causes.push(forbiddenField(`${path}.${keyword}`, detail))
  if (type !== '' && !types.includes(type)) causes.push(notSupported(`${path}.type`, type, types))
  if (schema.default !== undefined && schema.default !== null && place.noDefault !== undefined) {
    refuse('default', `must not be set ${place.noDefault}`)
  }
  if (isSet(schema.id)) refuse('id')
  if (schema.additionalItems !== undefined && schema.additionalItems !== null) refuse('additionalItems')
  if (isSet(schema.patternProperties)) refuse('patternProperties')
  if (isSet(schema.definitions)) refuse('definitions')
  if (isObject(schema.dependencies)) refuse('dependencies')
  if (typeof schema.$ref === 'string') refuse('$ref')
  if (type === 'null') refuse('type', 'type cannot be set to null, use nullable as an alternative')
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    refuse('items', 'items must be a schema object and not an array')
  }
  if (place.insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    refuse('x-kubernetes-embedded-resource', 'must not be used inside of resource meta')
  }
  if (schema.uniqueItems === true) {
    refuse('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic')
  }
  return causes
}

function propertyRules(schema: JsonSchema, path: string, walk: SchemaWalk): Cause[] {
  const causes: Cause[] = []
  const additional = additionalOf(schema.additionalProperties)
  if (additional !== undefined && additional !== true && walk.propertiesOf(schema).size > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive'
    causes.push(forbiddenField(`${path}.additionalProperties`, detail))
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const at = `${path}.x-kubernetes-preserve-unknown-fields`
    causes.push(invalidValue(at, false, 'must be true or undefined'))
  }
  return causes
}
