// Unions: null makes a value nullable, literals become one enum, whole numbers with strings are int-or-string, and
// everything else has to agree on its type.

import { deepEqual } from '@homeostat/meta'
import { type JsonSchema, schemaOf } from '../json-schema.ts'
import { type Remarks, splitAlternatives } from './alternatives.ts'
import { addRule, celName, celText } from './cel.ts'
import { intOrString } from './int-or-string.ts'
import { withNull } from './nullable.ts'
import type { Place, Translate, Walk } from './walk.ts'
import { checksOf, defOf, schemasAt, typeOf, type ZodSchema } from './zod-schema.ts'

export const translateUnion: Translate = (walk, schema, place) => {
  const { discriminator, inclusive } = defOf(schema)
  const options = optionsOf(schema).filter((option) => !nothing.has(typeOf(option)))
  const values = options.filter((option) => typeOf(option) !== 'null')
  const nodes = values.map((option) => walk.node(option, place))
  const node =
    typeof discriminator === 'string'
      ? tellApart(walk, nodes, discriminator, place)
      : unionOf(walk, nodes, place, inclusive === false ? 'oneOf' : 'anyOf')
  return values.length < options.length ? withNull(node) : node
}

const nothing = new Set(['undefined', 'void', 'never'])

function optionsOf(schema: ZodSchema): ZodSchema[] {
  const { discriminator, inclusive } = defOf(schema)
  const options = schemasAt(schema, 'options')
  if (discriminator !== undefined || inclusive === false) return options
  const plain = (option: ZodSchema) => typeOf(option) === 'union' && checksOf(option).length === 0
  return options.flatMap((option) =>
    plain(option) && defOf(option).inclusive !== false ? optionsOf(option) : [option],
  )
}

/** Also for the items of a tuple. */
export function unionOf(
  walk: Walk,
  nodes: readonly JsonSchema[],
  place: Place,
  junctor: 'anyOf' | 'oneOf',
): JsonSchema {
  const [first] = nodes
  if (first === undefined) {
    walk.problem(place, 'a union needs an alternative that a value can have')
    return {}
  }
  if (nodes.length === 1 || nodes.every((node) => deepEqual(node, first))) return first
  const anything = nodes.find(
    (node) => node['x-kubernetes-preserve-unknown-fields'] === true && node.type === undefined,
  )
  if (anything !== undefined) return anything
  const mixed = intOrString(walk, nodes, place, junctor, unionOf)
  if (mixed !== undefined) return mixed
  const types = [...new Set(nodes.map((node) => node.type))]
  if (types.length > 1 && !types.every((type) => type === 'integer' || type === 'number')) {
    const shown = types.map((type) => String(type ?? 'int-or-string')).join(', ')
    const advice =
      'servers have one type per field, apart from k8s.intOrString(); make it an object with a field for each, or k8s.raw()'
    walk.problem(place, `a union of ${shown} cannot be described: ${advice}`)
    return first
  }
  const { outer, branches } = splitAlternatives(nodes, remarksTo(walk, place))
  return joined(outer, branches, junctor)
}

function joined(outer: JsonSchema, branches: JsonSchema[], junctor: 'anyOf' | 'oneOf'): JsonSchema {
  if (branches.every((branch) => deepEqual(Object.keys(branch), ['enum']))) return outer
  if (junctor === 'anyOf' && branches.some((branch) => Object.keys(branch).length === 0)) return outer
  if (outer[junctor] === undefined) return { ...outer, [junctor]: branches }
  return { ...outer, allOf: [...(Array.isArray(outer.allOf) ? outer.allOf : []), { [junctor]: branches }] }
}

/** Fields of all variants stand side by side; which of them go together is said by the discriminator's value. */
function tellApart(walk: Walk, nodes: JsonSchema[], discriminator: string, place: Place): JsonSchema {
  if (nodes.length < 2) return unionOf(walk, nodes, place, 'oneOf')
  const { outer, branches } = splitAlternatives(nodes, remarksTo(walk, place))
  let node = joined(outer, branches, 'oneOf')
  if (nodes.some((one) => one['x-kubernetes-preserve-unknown-fields'] === true)) return node
  const self = celName(discriminator)
  const names = Object.keys(schemaOf(outer.properties) ?? {})
  for (const name of names) {
    const having = nodes.filter((one) => schemaOf(one.properties)?.[name] !== undefined)
    const field = celName(name)
    if (having.length === nodes.length || self === undefined || field === undefined) continue
    const values = having.flatMap((one) => valuesOf(one, discriminator))
    const message = `${name} is only for ${discriminator} ${values.join(', ')}`
    node = addRule(node, { rule: `!has(self.${field}) || self.${self} in ${celText(values)}`, message })
  }
  return node
}

function valuesOf(node: JsonSchema, discriminator: string): unknown[] {
  const values = schemaOf(schemaOf(node.properties)?.[discriminator])?.enum
  return Array.isArray(values) ? values : []
}

function remarksTo(walk: Walk, place: Place): Remarks {
  const at = (path: string): Place => ({ ...place, path: place.path + path })
  return {
    refuse: (path, message) => walk.problem(at(path), message),
    lost: (path, what) => walk.warn(at(path), `${what} belongs to one alternative only: the operator sees to it`),
  }
}
