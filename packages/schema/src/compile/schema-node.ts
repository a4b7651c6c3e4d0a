// One node of a compiled schema: what pruning, defaulting and validation need of the keywords. Walks must not write to it,
// except for its two caches.

import type { Format } from '../format/formats.ts'
import type { Pattern } from './pattern.ts'

export interface SchemaNode {
  /** Accepted types as bits of value-kind.ts; 0 accepts all. */
  types: number
  /** The types as messages name them. */
  typeName: string
  nullable: boolean
  preserveUnknown: boolean
  embedded: boolean
  properties: Map<string, SchemaNode> | undefined
  /** Schema of further fields; `true` and `false` as written. */
  additional: SchemaNode | boolean | undefined
  items: SchemaNode | undefined
  required: string[] | undefined
  /** undefined and null both mean: none. */
  default: unknown
  /** Cache of the default's length as JSON, which counts against the limit of defaults per object. */
  defaultSize: number | undefined
  defaults: PropertyDefault[] | undefined
  enum: unknown[] | undefined
  /** Cache for a long enumeration: a look-up instead of a walk for each value. */
  enumIdentities: Set<unknown> | undefined
  string: StringRules | undefined
  number: NumberRules | undefined
  format: Format | undefined
  /** minItems, maxItems, uniqueItems, minProperties, maxProperties. */
  size: SizeRules | undefined
  junctors: Junctors | undefined
  listType: 'set' | 'map' | undefined
  /** Keys that relate items of the old list to the new one. */
  mapKeys: string[]
  /** Whether this node or one below has list types; embedded resources. */
  hasListTypes: boolean
  hasEmbedded: boolean
}

interface PropertyDefault {
  name: string
  node: SchemaNode
}

export interface StringRules {
  minLength: number | undefined
  maxLength: number | undefined
  pattern: Pattern | undefined
}

export interface NumberRules {
  minimum: number | undefined
  maximum: number | undefined
  exclusiveMinimum: boolean
  exclusiveMaximum: boolean
  multipleOf: number | undefined
}

export interface SizeRules {
  minItems: number | undefined
  maxItems: number | undefined
  uniqueItems: boolean
  minProperties: number | undefined
  maxProperties: number | undefined
}

export interface Junctors {
  allOf: SchemaNode[]
  anyOf: SchemaNode[]
  oneOf: SchemaNode[]
  not: SchemaNode | undefined
}

/** Own field of an object from JSON; fields of Object.prototype are never seen. undefined means absent. */
export function ownField(object: Record<string, unknown>, name: string): unknown {
  const value = object[name]
  return value === undefined || (name in Object.prototype && !Object.hasOwn(object, name)) ? undefined : value
}

/** Sets an own field, also one called __proto__. */
export function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  } else object[name] = value
}

export function fieldNode(node: SchemaNode, name: string): SchemaNode | undefined {
  const known = node.properties?.get(name)
  if (known !== undefined) return known
  return typeof node.additional === 'object' ? node.additional : undefined
}
