// Intersections: both schemas apply, so the result has the fields of both and the stronger of two bounds.

import { deepEqual, writeJson } from '@homeostat/meta'
import { type JsonSchema, schemaOf, schemasOf, stringsOf } from '../json-schema.ts'
import { withMaximum, withMinimum } from './numbers.ts'
import { fieldPlace, itemPlace, type Place, type Translate, type Walk } from './walk.ts'
import { schemaAt } from './zod-schema.ts'

export const translateIntersection: Translate = (walk, schema, place) => {
  const left = walk.node(schemaAt(schema, 'left'), place)
  const right = walk.node(schemaAt(schema, 'right'), place)
  return both(walk, left, right, place)
}

function both(walk: Walk, left: JsonSchema, right: JsonSchema, place: Place): JsonSchema {
  let node: JsonSchema = { ...left }
  for (const [keyword, value] of Object.entries(right)) {
    if (node[keyword] === undefined) node[keyword] = value
    else if (!deepEqual(node[keyword], value)) node = merged(walk, node, right, keyword, place)
  }
  // What one side keeps the other does not drop.
  if (left.nullable !== true || right.nullable !== true) delete node.nullable
  return node
}

function merged(walk: Walk, node: JsonSchema, right: JsonSchema, keyword: string, place: Place): JsonSchema {
  const value = right[keyword]
  switch (keyword) {
    case 'properties':
      return { ...node, properties: fields(walk, schemaOf(node.properties) ?? {}, schemaOf(value) ?? {}, place) }
    case 'items':
      return { ...node, items: both(walk, schemaOf(node.items) ?? {}, schemaOf(value) ?? {}, itemPlace(place, true)) }
    case 'required':
      return { ...node, required: [...new Set([...stringsOf(node.required), ...stringsOf(value)])] }
    case 'minimum':
      return withMinimum(node, value, right.exclusiveMinimum === true)
    case 'maximum':
      return withMaximum(node, value, right.exclusiveMaximum === true)
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return { ...node, [keyword]: Math.max(Number(node[keyword]), Number(value)) }
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return { ...node, [keyword]: Math.min(Number(node[keyword]), Number(value)) }
    case 'allOf':
    case 'x-kubernetes-validations':
      return { ...node, [keyword]: [...(node[keyword] as unknown[]), ...(value as unknown[])] }
    case 'anyOf':
    case 'oneOf':
    case 'pattern':
    case 'multipleOf':
    case 'not':
      return { ...node, allOf: [...schemasOf(node.allOf), { [keyword]: value }] }
    case 'enum':
      return values(walk, node, value as unknown[], place)
    case 'title':
    case 'description':
    case 'example':
      return node
    case 'type':
      if (node.type === 'number' && value === 'integer') return { ...node, type: 'integer' }
      if (node.type === 'integer' && value === 'number') return node
      break
    default:
      break
  }
  const shown = `${writeJson(node[keyword])} and ${writeJson(value)}`
  walk.problem(place, `the two sides of an intersection disagree on ${keyword} (${shown}): make them agree`)
  return node
}

function fields(walk: Walk, left: JsonSchema, right: JsonSchema, place: Place): JsonSchema {
  const result: JsonSchema = { ...left }
  for (const [name, property] of Object.entries(right)) {
    const own = schemaOf(left[name])
    result[name] = own ? both(walk, own, schemaOf(property) ?? {}, fieldPlace(place, name)) : property
  }
  return result
}

function values(walk: Walk, node: JsonSchema, right: unknown[], place: Place): JsonSchema {
  const common = (node.enum as unknown[]).filter((value) => right.includes(value))
  if (common.length === 0) walk.problem(place, 'the two sides of an intersection have no value in common')
  return { ...node, enum: common }
}
