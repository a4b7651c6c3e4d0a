// Arrays, sets and tuples. Apply replaces a list as a whole, unless k8s.listMap or k8s.listSet says how its items are
// identified.

import type { JsonSchema } from '../json-schema.ts'
import { unionOf } from './unions.ts'
import { itemPlace, type Translate } from './walk.ts'
import {
  type Check,
  checksOf,
  defOf,
  isOptional,
  isZod,
  metaOf,
  schemaAt,
  schemasAt,
  type ZodSchema,
} from './zod-schema.ts'

export const translateArray: Translate = (walk, schema, place) => {
  const keyed = metaOf(schema)['x-kubernetes-list-type'] === 'map'
  const items = walk.node(schemaAt(schema, 'element'), itemPlace(place, keyed))
  return sized({ type: 'array', items }, schema)
}

export const translateSet: Translate = (walk, schema, place) => {
  const items = walk.node(schemaAt(schema, 'valueType'), itemPlace(place, false))
  if (items.type === 'object' || items.type === 'array') {
    walk.problem(place, 'a z.set() needs items of a simple type: use k8s.listMap with the keys that tell objects apart')
  }
  return sized({ type: 'array', 'x-kubernetes-list-type': 'set', items }, schema)
}

export const translateTuple: Translate = (walk, schema, place) => {
  const members = schemasAt(schema, 'items')
  const { rest } = defOf(schema)
  const all = isZod(rest) ? [...members, rest] : members
  if (all.length === 0) {
    walk.problem(place, 'a tuple without items cannot be described: leave the field out')
    return {}
  }
  const inside = itemPlace(place, false)
  const nodes = all.map((member) => walk.node(member, inside))
  if (new Set(nodes.map((node) => node.type)).size > 1) {
    walk.problem(place, 'the items of a tuple have to be of one type: use z.object({ … }) with a name for each')
    return {}
  }
  const items = unionOf(walk, nodes, inside, 'anyOf')
  if (items.anyOf !== undefined)
    walk.warn(place, 'which item of a tuple has to be what is checked by the operator only')
  const needed = members.findLastIndex((member) => !isOptional(member)) + 1
  const node: JsonSchema = { type: 'array', items, minItems: needed }
  return sized(isZod(rest) ? node : { ...node, maxItems: members.length }, schema)
}

function sized(node: JsonSchema, schema: ZodSchema): JsonSchema {
  return checksOf(schema).reduce(sizeCheck, node)
}

function sizeCheck(node: JsonSchema, check: Check): JsonSchema {
  switch (check.check) {
    case 'min_length':
    case 'min_size':
      return { ...node, minItems: Math.max(Number(check.minimum), Number(node.minItems ?? 0)) }
    case 'max_length':
    case 'max_size':
      return { ...node, maxItems: Math.min(Number(check.maximum), Number(node.maxItems ?? check.maximum)) }
    case 'length_equals':
      return { ...node, minItems: Number(check.length), maxItems: Number(check.length) }
    case 'size_equals':
      return { ...node, minItems: Number(check.size), maxItems: Number(check.size) }
    default:
      return node
  }
}
