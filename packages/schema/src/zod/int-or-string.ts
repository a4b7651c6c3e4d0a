// A value that is a whole number or a string: the one mixture of types that servers have. What is asked of numbers and
// what is asked of strings can stand side by side, since each is passed over for the other.

import { type JsonSchema, schemasOf } from '../json-schema.ts'
import type { Place, Walk } from './walk.ts'

type Union = (walk: Walk, nodes: readonly JsonSchema[], place: Place, junctor: 'anyOf' | 'oneOf') => JsonSchema

/** Undefined when the schemas are no such mixture. */
export function intOrString(
  walk: Walk,
  nodes: readonly JsonSchema[],
  place: Place,
  junctor: 'anyOf' | 'oneOf',
  union: Union,
): JsonSchema | undefined {
  const texts = nodes.filter((node) => node.type === 'string')
  const numbers = nodes.filter((node) => node.type === 'integer')
  const both = nodes.filter((node) => node['x-kubernetes-int-or-string'] === true)
  if (texts.length + numbers.length + both.length < nodes.length) return undefined
  if (both.length === 0 && (texts.length === 0 || numbers.length === 0)) return undefined
  if (nodes.every((node) => Array.isArray(node.enum))) return enumOf(nodes)
  if (both.length > 0) {
    walk.warn(place, 'which alternative a value fits is checked by the operator only')
    return { 'x-kubernetes-int-or-string': true }
  }
  const text = onlyItsOwn(walk, union(walk, texts, place, junctor), place)
  const number = onlyItsOwn(walk, union(walk, numbers, place, junctor), place)
  const merged: JsonSchema = { ...text, ...number, 'x-kubernetes-int-or-string': true }
  const allOf = [...asAllOf(text), ...asAllOf(number)]
  for (const junction of ['anyOf', 'oneOf', 'allOf']) delete merged[junction]
  return allOf.length === 0 ? merged : { ...merged, allOf }
}

function enumOf(nodes: readonly JsonSchema[]): JsonSchema {
  return { 'x-kubernetes-int-or-string': true, enum: [...new Set(nodes.flatMap((node) => node.enum as unknown[]))] }
}

/** Without the type, and without what a value of the other type would fail. */
function onlyItsOwn(walk: Walk, node: JsonSchema, place: Place): JsonSchema {
  const { type, format, enum: values, ...rest } = node
  const branches = [...schemasOf(rest.anyOf), ...schemasOf(rest.oneOf)]
  const closed = branches.some((branch) => branch.enum !== undefined)
  if (values !== undefined || closed) walk.warn(place, `the values of the ${type} are checked by the operator only`)
  if (format !== undefined && type === 'string')
    walk.warn(place, `the format ${format} is checked by the operator only`)
  if (!closed) return rest
  const { anyOf: _, oneOf: __, ...open } = rest
  return open
}

function asAllOf(node: JsonSchema): JsonSchema[] {
  const junctions = ['anyOf', 'oneOf'].filter((junction) => node[junction] !== undefined)
  return [...schemasOf(node.allOf), ...junctions.map((junction) => ({ [junction]: node[junction] }))]
}
