// Compiles a schema to nodes. Shared and cyclic schema objects give shared and cyclic nodes. It skips a pattern that does
// not compile, which the check of definitions refuses.

import type { Cel } from '@homeostat/cel/without-compiler'
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

/** So many schemas are read in one step: about a millisecond. */
const SCHEMAS_PER_STEP = 1000
/** So many instructions of a regular expression take as long as one schema. */
const INSTRUCTIONS_PER_SCHEMA = 4

/**
 * A generator: a schema near the limits takes long, and the server yields to the event loop between steps. Without `cel`
 * the node has no patterns.
 */
export function compileSteps(schema: JsonSchema, cel: Cel | undefined): Generator<undefined, SchemaNode, undefined> {
  return new Compiler(cel).compile(schema)
}

interface Unread {
  readonly schema: JsonSchema
  readonly node: SchemaNode
  /** For a branch of a junctor, the node whose items and fields it constrains. */
  readonly structural: SchemaNode | undefined
}

class Compiler {
  readonly #cel: Cel | undefined
  readonly #seen = new Map<JsonSchema, SchemaNode>()
  readonly #patterns = new Map<string, Pattern | undefined>()
  /** In the order of discovery: the node that a branch constrains comes before the branch. */
  readonly #unread: Unread[] = []
  #left = SCHEMAS_PER_STEP

  constructor(cel: Cel | undefined) {
    this.#cel = cel
  }

  #node(schema: JsonSchema, structural: SchemaNode | undefined): SchemaNode {
    const known = this.#seen.get(schema)
    if (known !== undefined) return known
    const node = shell(schema, structural)
    this.#seen.set(schema, node)
    this.#unread.push({ schema, node, structural })
    this.#left--
    return node
  }

  *compile(schema: JsonSchema): Generator<undefined, SchemaNode, undefined> {
    const root = this.#node(schema, undefined)
    // Grows while it is gone through.
    for (const { schema, node, structural } of this.#unread) {
      this.#left--
      for (const [name, property] of namedSchemasOf(schema.properties)) {
        node.properties ??= new Map()
        const child = this.#node(property, structural?.properties?.get(name))
        node.properties.set(name, child)
        if (child.default !== undefined) {
          node.defaults ??= []
          node.defaults.push({ name, node: child })
        }
        if (this.#isDue()) yield
      }
      const additional = additionalOf(schema.additionalProperties)
      node.additional = typeof additional === 'object' ? this.#node(additional, undefined) : additional
      const items = schemaOf(schema.items)
      if (items !== undefined) node.items = this.#node(items, structural?.items)
      node.string = this.#stringRules(schema)
      if (hasJunctors(schema)) node.junctors = yield* this.#junctors(schema, structural ?? node)
      if (this.#isDue()) yield
    }
    yield* this.#settle()
    return root
  }

  /** True when it is time to yield. */
  #isDue(): boolean {
    if (this.#left > 0) return false
    this.#left = SCHEMAS_PER_STEP
    return true
  }

  /**
   * Propagates the flags of children to their parents until nothing changes, because nodes may form cycles. Children come
   * after their parents, so one pass from the end is enough for a tree of any depth.
   */
  *#settle(): Generator<undefined, void, undefined> {
    for (let changed = true; changed; ) {
      changed = false
      for (let i = this.#unread.length - 1; i >= 0; i--) {
        const node = this.#unread[i]?.node
        if (node === undefined) continue
        for (const child of childrenOf(node)) {
          this.#left--
          if (child.hasListTypes && !node.hasListTypes) changed = node.hasListTypes = true
          if (child.hasEmbedded && !node.hasEmbedded) changed = node.hasEmbedded = true
        }
        if (this.#isDue()) yield
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
    if (this.#cel !== undefined && !this.#patterns.has(source)) {
      let pattern: Pattern | undefined
      try {
        pattern = new Pattern(source, this.#cel)
        this.#left -= pattern.size / INSTRUCTIONS_PER_SCHEMA
      } catch {
        pattern = undefined
      }
      this.#patterns.set(source, pattern)
    }
    return this.#patterns.get(source)
  }

  *#junctors(schema: JsonSchema, structural: SchemaNode): Generator<undefined, Junctors | undefined, undefined> {
    const allOf = yield* this.#branches(schema.allOf, structural)
    const anyOf = yield* this.#branches(schema.anyOf, structural)
    const oneOf = yield* this.#branches(schema.oneOf, structural)
    const not = schemaOf(schema.not)
    if (allOf.length + anyOf.length + oneOf.length === 0 && not === undefined) return undefined
    return { allOf, anyOf, oneOf, not: not && this.#node(not, structural) }
  }

  *#branches(value: unknown, structural: SchemaNode): Generator<undefined, SchemaNode[], undefined> {
    const nodes: SchemaNode[] = []
    for (const branch of schemasOf(value)) {
      nodes.push(this.#node(branch, structural))
      if (this.#isDue()) yield
    }
    return nodes
  }
}

function hasJunctors({ allOf, anyOf, oneOf, not }: JsonSchema): boolean {
  return (allOf ?? anyOf ?? oneOf ?? not) !== undefined
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
    defaultSize: undefined,
    defaults: undefined,
    enum: Array.isArray(schema.enum) && schema.enum.length > 0 ? schema.enum : undefined,
    enumIdentities: undefined,
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
