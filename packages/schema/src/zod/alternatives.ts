// Splits the schemas of a union as structural schemas require: types, fields and annotations once outside, and per
// alternative only the checks beyond them.

import { deepEqual, isObject } from '@homeostat/meta'
import { type JsonSchema, schemaOf, stringsOf } from '../json-schema.ts'

export interface Alternatives {
  outer: JsonSchema
  /** One per alternative, in order; empty when it asks for nothing more than `outer`. */
  branches: JsonSchema[]
}

/** Receives what a structural schema cannot express (`refuse`) and what is left out (`lost`); a path starts with a dot, or is empty. */
export interface Remarks {
  refuse(path: string, message: string): void
  lost(path: string, what: string): void
}

const structural = [
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
]
const annotations = ['title', 'description', 'example']
/** A keyword means something only beside its other half. */
const halves: Readonly<Record<string, string>> = {
  minimum: 'exclusiveMinimum',
  exclusiveMinimum: 'minimum',
  maximum: 'exclusiveMaximum',
  exclusiveMaximum: 'maximum',
}
const apart = new Set([
  ...structural,
  ...annotations,
  'type',
  'nullable',
  'default',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
])

export function splitAlternatives(nodes: readonly JsonSchema[], remarks: Remarks, path = ''): Alternatives {
  const [first = {}] = nodes
  if (nodes.every((node) => deepEqual(node, first))) return { outer: first, branches: nodes.map(() => ({})) }
  const outer: JsonSchema = {}
  const branches: JsonSchema[] = nodes.map(() => ({}))
  splitType(nodes, outer, branches, remarks, path)
  for (const keyword of structural) {
    if (!same(nodes, keyword)) remarks.refuse(path, `the alternatives disagree on ${keyword}: rename or nest the field`)
    else copy(first, outer, keyword)
  }
  for (const keyword of annotations) copy(nodes.find((node) => node[keyword] !== undefined) ?? {}, outer, keyword)
  for (const keyword of ['nullable', 'x-kubernetes-preserve-unknown-fields']) {
    if (nodes.some((node) => node[keyword] === true)) outer[keyword] = true
  }
  if (same(nodes, 'default')) copy(first, outer, 'default')
  else remarks.lost(path, 'the default')
  splitRules(nodes, outer, remarks, path)
  splitValues(nodes, outer, branches)
  splitFields(nodes, outer, branches, remarks, path)
  splitItems(nodes, outer, branches, remarks, path)
  return { outer, branches }
}

function splitType(
  nodes: readonly JsonSchema[],
  outer: JsonSchema,
  branches: JsonSchema[],
  remarks: Remarks,
  path: string,
): void {
  const types = new Set(nodes.map((node) => node.type))
  if (types.size <= 1) {
    copy(nodes[0] ?? {}, outer, 'type')
    return
  }
  if (types.size === 2 && types.has('integer') && types.has('number')) {
    outer.type = 'number'
    for (const [index, node] of nodes.entries()) if (node.type === 'integer') put(branches, index, 'multipleOf', 1)
    return
  }
  const shown = [...types].map((type) => String(type ?? 'anything')).join(', ')
  remarks.refuse(path, `the alternatives have different types (${shown}): rename the field or nest it by alternative`)
}

function splitRules(nodes: readonly JsonSchema[], outer: JsonSchema, remarks: Remarks, path: string): void {
  if (same(nodes, 'x-kubernetes-validations')) copy(nodes[0] ?? {}, outer, 'x-kubernetes-validations')
  else remarks.lost(path, 'a rule')
}

function splitValues(nodes: readonly JsonSchema[], outer: JsonSchema, branches: JsonSchema[]): void {
  const keywords = new Set(nodes.flatMap((node) => Object.keys(node)).filter((keyword) => !apart.has(keyword)))
  for (const keyword of keywords) {
    const half = halves[keyword]
    if (same(nodes, keyword) && (half === undefined || same(nodes, half))) {
      copy(nodes[0] ?? {}, outer, keyword)
      continue
    }
    // A format of numbers is the size of the type; alternatives of different sizes have the larger one.
    for (const [index, node] of nodes.entries()) {
      if (node[keyword] !== undefined && !isNumberFormat(keyword, node)) put(branches, index, keyword, node[keyword])
    }
  }
  if (outer.enum === undefined && nodes.every((node) => Array.isArray(node.enum))) {
    outer.enum = [...new Set(nodes.flatMap((node) => node.enum as unknown[]))]
  }
}

function isNumberFormat(keyword: string, node: JsonSchema): boolean {
  return keyword === 'format' && (node.type === 'integer' || node.type === 'number')
}

function splitFields(
  nodes: readonly JsonSchema[],
  outer: JsonSchema,
  branches: JsonSchema[],
  remarks: Remarks,
  path: string,
): void {
  if (nodes.some((node) => node.additionalProperties !== undefined)) {
    if (!same(nodes, 'additionalProperties')) remarks.refuse(path, 'a map and other alternatives cannot share a field')
    copy(nodes[0] ?? {}, outer, 'additionalProperties')
  }
  const names = new Set(nodes.flatMap((node) => Object.keys(schemaOf(node.properties) ?? {})))
  const properties: Record<string, JsonSchema> = {}
  for (const name of names) {
    const having = [...nodes.entries()].flatMap(([index, node]) => {
      const property = schemaOf(schemaOf(node.properties)?.[name])
      return property === undefined ? [] : [{ index, property }]
    })
    const at = `${path}.${name}`
    const split = splitAlternatives(
      having.map(({ property }) => property),
      remarks,
      at,
    )
    properties[name] = having.length === nodes.length ? split.outer : withoutDefault(split.outer, remarks, at)
    for (const [place, branch] of split.branches.entries()) {
      const index = having[place]?.index ?? 0
      if (Object.keys(branch).length > 0)
        put(branches, index, 'properties', { ...fields(branches[index]), [name]: branch })
    }
  }
  if (names.size > 0) outer.properties = properties
  const needed = nodes.map((node) => stringsOf(node.required))
  const always = (needed[0] ?? []).filter((name) => needed.every((list) => list.includes(name)))
  if (always.length > 0) outer.required = always
  for (const [index, list] of needed.entries()) {
    const more = list.filter((name) => !always.includes(name))
    if (more.length > 0) put(branches, index, 'required', more)
  }
}

/** It would be filled in for alternatives that have no such field. */
function withoutDefault(node: JsonSchema, remarks: Remarks, path: string): JsonSchema {
  if (node.default === undefined) return node
  remarks.lost(path, 'the default')
  const { default: _, ...rest } = node
  return rest
}

function splitItems(
  nodes: readonly JsonSchema[],
  outer: JsonSchema,
  branches: JsonSchema[],
  remarks: Remarks,
  path: string,
): void {
  const items = nodes.map((node) => schemaOf(node.items))
  const known = items.filter((item) => item !== undefined)
  if (known.length === 0 || known.length < nodes.length) return
  const split = splitAlternatives(known, remarks, `${path}[]`)
  outer.items = split.outer
  for (const [index, branch] of split.branches.entries()) {
    if (Object.keys(branch).length > 0) put(branches, index, 'items', branch)
  }
}

function same(nodes: readonly JsonSchema[], keyword: string): boolean {
  return nodes.every((node) => deepEqual(node[keyword], nodes[0]?.[keyword]))
}

function copy(from: JsonSchema, to: JsonSchema, keyword: string): void {
  if (from[keyword] !== undefined) to[keyword] = from[keyword]
}

function put(branches: JsonSchema[], index: number, keyword: string, value: unknown): void {
  const branch = branches[index]
  if (branch !== undefined) branch[keyword] = value
}

function fields(branch: JsonSchema | undefined): Record<string, unknown> {
  return isObject(branch?.properties) ? branch.properties : {}
}
