// What the rules at one place of a schema are judged by: the type of `self`, how many values can stand there in one object, and
// whether an old value can be found for each.

import type { CelType } from '@homeostat/cel/without-compiler'
import { additionalOf, type JsonSchema, numberOf, stringOf } from '../json-schema.ts'
import { entryType, itemType, propertyType, resourceType } from '../rules/node-type.ts'
import type { SubSchema } from './sub-schemas.ts'

export interface RuleScope {
  /** Undefined where expressions cannot reach. */
  readonly type: CelType | undefined
  /** Undefined when a list or a map around it has no bound. */
  readonly cardinality: number | undefined
  /** The path of the list around it whose items have no old value. */
  readonly uncorrelatable: string | undefined
}

export function rootScope(schema: JsonSchema): RuleScope {
  return { type: resourceType(schema), cardinality: 1, uncorrelatable: undefined }
}

/** Undefined below allOf and the like, where no rule may stand. */
export function scopeOf(schema: JsonSchema, path: string, scope: RuleScope, sub: SubSchema): RuleScope | undefined {
  if (sub.nested) return undefined
  const most = maxElements(schema)
  const cardinality = scope.cardinality === undefined || most === undefined ? undefined : scope.cardinality * most
  if (sub.property !== undefined) {
    return { ...scope, cardinality, type: propertyType(scope.type, sub.property, sub.schema) }
  }
  if (sub.schema === schema.additionalProperties) return { ...scope, cardinality, type: entryType(scope.type) }
  if (sub.schema !== schema.items) return undefined
  const related = schema['x-kubernetes-list-type'] === 'map'
  return { cardinality, type: itemType(scope.type), uncorrelatable: related ? scope.uncorrelatable : path }
}

/** How many values below it one value can have at most. */
function maxElements(schema: JsonSchema): number | undefined {
  const isMap = additionalOf(schema.additionalProperties) !== undefined
  const type = stringOf(schema.type)
  if (type === 'array') return bound(schema.maxItems)
  return type === 'object' && isMap ? bound(schema.maxProperties) : 1
}

function bound(value: unknown): number | undefined {
  const number = numberOf(value)
  return number === undefined ? undefined : Math.max(0, number)
}
