// Reads a schema into nodes. Shared and cyclic schema objects give shared and cyclic nodes.
// A pattern that does not compile is left out: the definition check has refused it.

import { formatFor } from '../format/formats.ts'
import {
  additionalOf,
  defaultOf,
  type JsonSchema,
  namedSchemasOf,
  numberOf,
  schemaOf,
  schemasOf,
  stringOf,
  stringsOf,
} from '../json-schema.ts'
import { Pattern } from './pattern.ts'
import type { Junctors, NumberRules, SchemaNode, SizeRules, StringRules } from './schema-node.ts'
import { INTEGER, NUMBER, STRING, typeBits } from './value-kind.ts'

export function compileNode(schema: JsonSchema): SchemaNode {
  const compiler = new Compiler()
  const node = compiler.node(schema, undefined)
  compiler.settle()
  return node
}

class Compiler {
  readonly #seen = new Map<JsonSchema, SchemaNode>()
  readonly #patterns = new Map<string, Pattern | undefined>()

  /** `structural`: for a branch of a junctor, the node whose items and fields it speaks of. */
  node(schema: JsonSchema, structural: SchemaNode | undefined): SchemaNode {
    const known = this.#seen.get(schema)
    if (known !== undefined) return known
    const node = shell(schema, structural)
    this.#seen.set(schema, node)

    for (const [name, property] of namedSchemasOf(schema.properties)) {
      node.properties ??= new Map()
      const child = this.node(property, structural?.properties?.get(name))
      node.properties.set(name, child)
      if (child.default !== undefined) {
        node.defaults ??= []
        node.defaults.push({ name, node: child })
      }
    }
    const additional = additionalOf(schema.additionalProperties)
    node.additional = typeof additional === 'object' ? this.node(additional, undefined) : additional
    const items = schemaOf(schema.items)
    if (items !== undefined) node.items = this.node(items, structural?.items)
    node.string = this.#stringRules(schema)
    node.junctors = this.#junctors(schema, structural ?? node)
    return node
  }

  /**
   * Carries what lies below upwards until nothing changes: nodes may form cycles. Children were met after their parents,
   * so that one pass from the end is enough for a tree, however deep.
   */
  settle(): void {
    const nodes = [...this.#seen.values()].reverse()
    for (let changed = true; changed; ) {
      changed = false
      for (const node of nodes) {
        for (const child of childrenOf(node)) {
          if (child.hasListTypes && !node.hasListTypes) changed = node.hasListTypes = true
          if (child.hasEmbedded && !node.hasEmbedded) changed = node.hasEmbedded = true
        }
      }
    }
  }

  #stringRules(schema: JsonSchema): StringRules | undefined {
    const minLength = numberOf(schema.minLength)
    const maxLength = numberOf(schema.maxLength)
    const pattern = this.#pattern(stringOf(schema.pattern))
    if (minLength === undefined && maxLength === undefined && pattern === undefined) return undefined
    return { minLength, maxLength, pattern }
  }

  #pattern(source: string): Pattern | undefined {
    if (source === '') return undefined
    if (!this.#patterns.has(source)) {
      let pattern: Pattern | undefined
      try {
        pattern = new Pattern(source)
      } catch {
        pattern = undefined
      }
      this.#patterns.set(source, pattern)
    }
    return this.#patterns.get(source)
  }

  #junctors(schema: JsonSchema, structural: SchemaNode): Junctors | undefined {
    const branches = (value: unknown) => schemasOf(value).map((one) => this.node(one, structural))
    const allOf = branches(schema.allOf)
    const anyOf = branches(schema.anyOf)
    const oneOf = branches(schema.oneOf)
    const not = schemaOf(schema.not)
    if (allOf.length + anyOf.length + oneOf.length === 0 && not === undefined) return undefined
    return { allOf, anyOf, oneOf, not: not && this.node(not, structural) }
  }
}

function childrenOf(node: SchemaNode): SchemaNode[] {
  const children = [...(node.properties?.values() ?? [])]
  if (node.items !== undefined) children.push(node.items)
  if (typeof node.additional === 'object') children.push(node.additional)
  return children
}

function shell(schema: JsonSchema, structural: SchemaNode | undefined): SchemaNode {
  const intOrString = schema['x-kubernetes-int-or-string'] === true
  const type = stringOf(schema.type)
  const types = intOrString ? INTEGER | STRING : typeBits(type)
  const required = stringsOf(schema.required)
  const listType = schema['x-kubernetes-list-type']
  const keys = stringsOf(schema['x-kubernetes-list-map-keys'])
  const isMap = listType === 'map'
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  return {
    types: types & NUMBER ? types | INTEGER : types,
    typeName: intOrString ? 'integer,string' : type,
    nullable: schema.nullable === true,
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded,
    properties: undefined,
    additional: undefined,
    items: undefined,
    required: required.length > 0 ? required.sort() : undefined,
    default: defaultOf(schema),
    defaults: undefined,
    enum: Array.isArray(schema.enum) && schema.enum.length > 0 ? schema.enum : undefined,
    string: undefined,
    number: numberRules(schema),
    format: intOrString ? undefined : formatFor(type, stringOf(schema.format)),
    size: sizeRules(schema),
    junctors: undefined,
    listType: isMap || listType === 'set' ? listType : undefined,
    mapKeys: isMap ? keys : (structural?.mapKeys ?? []),
    hasListTypes: isMap || listType === 'set',
    hasEmbedded: embedded,
  }
}

function numberRules(schema: JsonSchema): NumberRules | undefined {
  const minimum = numberOf(schema.minimum)
  const maximum = numberOf(schema.maximum)
  const multipleOf = numberOf(schema.multipleOf)
  if (minimum === undefined && maximum === undefined && multipleOf === undefined) return undefined
  const exclusiveMinimum = schema.exclusiveMinimum === true
  return { minimum, maximum, exclusiveMinimum, exclusiveMaximum: schema.exclusiveMaximum === true, multipleOf }
}

function sizeRules(schema: JsonSchema): SizeRules | undefined {
  const rules: SizeRules = {
    minItems: numberOf(schema.minItems),
    maxItems: numberOf(schema.maxItems),
    uniqueItems: schema.uniqueItems === true,
    minProperties: numberOf(schema.minProperties),
    maxProperties: numberOf(schema.maxProperties),
  }
  return Object.values(rules).some((rule) => rule !== undefined && rule !== false) ? rules : undefined
}
