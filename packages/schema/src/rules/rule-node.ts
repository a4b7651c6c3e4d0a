// The rules of a schema as a tree of the places where some stand: a walk over an object follows it and sees nothing else.
// Compiled once per schema.

import type { Cel, CelType } from '@homeostat/cel/without-compiler'
import { ownField, type SchemaNode } from '../compile/schema-node.ts'
import { additionalOf, type JsonSchema, schemaOf, stringOf } from '../json-schema.ts'
import { type CompiledRule, compileRules } from './compile-rule.ts'
import { entryType, itemType, propertyType, resourceType } from './node-type.ts'

export interface RuleNode {
  readonly rules: readonly CompiledRule[]
  /** The schema's type, as messages show it. */
  readonly typeName: string
  /** The same place in the compiled schema: it relates items of the old list to the new one. */
  readonly node: SchemaNode
  readonly properties: ReadonlyMap<string, RuleNode> | undefined
  readonly additional: RuleNode | undefined
  readonly items: RuleNode | undefined
}

type Steps = Generator<undefined, RuleNode | undefined, undefined>

/** Undefined when there is no rule. `node` is what the schema was compiled to. */
export function* compileRuleTree(schema: JsonSchema, node: SchemaNode, cel: Cel): Steps {
  if (!hasRules(schema)) return undefined
  return yield* compileNode(schema, node, resourceType(schema), cel)
}

function* compileNode(schema: JsonSchema, node: SchemaNode, type: CelType | undefined, cel: Cel): Steps {
  // A rule where expressions cannot reach is refused in a definition, and skipped here.
  if (type === undefined) return undefined
  const rules = yield* compileRules(schema, type, cel)
  const properties = yield* compileProperties(schema, node, type, cel)
  const additional = additionalOf(schema.additionalProperties)
  const entries =
    typeof additional === 'object' && typeof node.additional === 'object'
      ? yield* compileNode(additional, node.additional, entryType(type), cel)
      : undefined
  const list = schemaOf(schema.items)
  const items = list && node.items ? yield* compileNode(list, node.items, itemType(type), cel) : undefined
  if (rules.length === 0 && properties === undefined && entries === undefined && items === undefined) return undefined
  return { rules, typeName: stringOf(schema.type), node, properties, additional: entries, items }
}

function* compileProperties(
  schema: JsonSchema,
  node: SchemaNode,
  type: CelType,
  cel: Cel,
): Generator<undefined, Map<string, RuleNode> | undefined, undefined> {
  let found: Map<string, RuleNode> | undefined
  const properties = schemaOf(schema.properties) ?? {}
  for (const [name, child] of node.properties ?? []) {
    const sub = schemaOf(ownField(properties, name))
    const compiled = sub && (yield* compileNode(sub, child, propertyType(type, name, sub), cel))
    if (compiled === undefined) continue
    found ??= new Map()
    found.set(name, compiled)
  }
  return found
}

/** Whether a rule stands at the schema or at a part of it. */
export function hasRules(schema: JsonSchema): boolean {
  const waiting: (JsonSchema | boolean | undefined)[] = [schema]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object') continue
    const rules = next['x-kubernetes-validations']
    if (Array.isArray(rules) && rules.length > 0) return true
    waiting.push(schemaOf(next.items), additionalOf(next.additionalProperties))
    for (const property of Object.values(schemaOf(next.properties) ?? {})) waiting.push(schemaOf(property))
  }
  return false
}
