// Defaults must be valid under their own schema and have no unknown fields, because the server does not check them again.

import { type Cel, perObjectCostBudget } from '@homeostat/cel/without-compiler'
import { deepClone, deepEqual } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { compileSteps } from '../compile/compile-node.ts'
import type { SchemaNode } from '../compile/schema-node.ts'
import { type JsonSchema, metaFields } from '../json-schema.ts'
import { pruneBesideMetadata } from '../request/prune.ts'
import { checkRules } from '../rules/check-rules.ts'
import { compileRuleTree, type RuleNode } from '../rules/rule-node.ts'
import { RuleRun } from '../rules/rule-run.ts'
import { check } from '../validate/check.ts'
import { checkEmbedded, checkResource } from '../validate/check-embedded.ts'
import { Validation } from '../validate/validation.ts'
import { bounded } from './limits.ts'
import type { SchemaWalk, Steps } from './schema-walk.ts'

/** Puts a default into the object it would become part of. */
type Surround = (value: unknown) => unknown

const resource: Surround = (value) => ({
  apiVersion: 'validation/v1',
  kind: 'Validation',
  ...(typeof value === 'object' ? value : {}),
})

export interface DefaultOptions {
  /** Whether defaults are checked by the rules of the schema, too. */
  readonly withRules: boolean
  readonly cel: Cel | undefined
}

export function* defaultSteps(
  schema: JsonSchema,
  path: string,
  walk: SchemaWalk,
  { withRules, cel }: DefaultOptions,
): Steps<Cause[]> {
  const compiled = yield* compileSteps(schema, cel)
  const rules = withRules && cel && hasDefault(compiled) ? yield* compileRuleTree(schema, compiled, cel) : undefined
  const node = { ...compiled, embedded: true }
  yield
  const budget = { left: perObjectCostBudget }
  return yield* defaultsBelow({ node, rules, budget, path, surround: resource, insideMeta: false, depth: 0 }, walk)
}

function hasDefault(node: SchemaNode): boolean {
  if (node.default !== undefined || (node.items !== undefined && hasDefault(node.items))) return true
  for (const property of node.properties?.values() ?? []) if (hasDefault(property)) return true
  return false
}

interface DefaultPlace {
  readonly node: SchemaNode
  /** The rules for values of this node. */
  readonly rules: RuleNode | undefined
  /** What the rules of all defaults may cost together. */
  readonly budget: { left: number }
  readonly path: string
  readonly surround: Surround
  readonly insideMeta: boolean
  readonly depth: number
}

function* defaultsBelow(place: DefaultPlace, walk: SchemaWalk): Steps<Cause[]> {
  const { node, rules, budget, path, surround, insideMeta, depth } = place
  const around = node.embedded ? resource : surround
  const causes: Cause[] = []
  if (node.default !== undefined) {
    const at = `${path}.default`
    const found = insideMeta ? metaDefault(node, at, around) : plainDefault(node, at, depth === 0)
    causes.push(...found)
    if (found.length === 0 && rules !== undefined) causes.push(...(yield* ruleErrors(rules, node.default, at, budget)))
    // One default may take all the steps that an object may take.
    yield
  } else if (walk.isDue()) yield
  if (node.items !== undefined) {
    const items = {
      node: node.items,
      rules: rules?.items,
      budget,
      path: `${path}.items`,
      surround: (value: unknown) => around([value]),
    }
    causes.push(...(yield* defaultsBelow({ ...items, insideMeta, depth: depth + 1 }, walk)))
  }
  for (const [name, property] of node.properties ?? []) {
    const field = {
      node: property,
      rules: rules?.properties?.get(name),
      budget,
      path: `${path}.properties[${name}]`,
      surround: (value: unknown) => around({ [name]: value }),
      insideMeta: insideMeta || (node.embedded && metaFields.has(name)),
      depth: depth + 1,
    }
    causes.push(...(yield* defaultsBelow(field, walk)))
  }
  return bounded(causes)
}

function plainDefault(node: SchemaNode, at: string, root: boolean): Cause[] {
  const causes: Cause[] = []
  const pruned = deepClone(node.default)
  pruneBesideMetadata(pruned, node)
  if (!deepEqual(pruned, node.default)) {
    causes.push(invalidValue(at, node.default, 'must not have unknown fields'))
  }
  const embedded = new Validation(at)
  if (!root) checkEmbedded(embedded, node, node.default)
  return causes.concat(embedded.causes.length > 0 ? embedded.causes : schemaErrors(node, at))
}

function metaDefault(node: SchemaNode, at: string, surround: Surround): Cause[] {
  const run = new Validation()
  checkResource(run, surround(deepClone(node.default)) as Record<string, unknown>)
  if (run.causes.length === 0) return schemaErrors(node, at)
  const errors = run.causes.map((cause) => `${cause.field}: ${cause.message}`).join(', ')
  return [invalidValue(at, node.default, `must result in valid metadata: ${errors}`)]
}

function schemaErrors(node: SchemaNode, at: string): Cause[] {
  const run = new Validation(at)
  check(run, node, node.default, undefined)
  return run.causes
}

/** A default may be there from the start, or come into an object that was without it. */
function* ruleErrors(rules: RuleNode, value: unknown, at: string, budget: { left: number }): Steps<Cause[]> {
  for (const old of [value, undefined]) {
    const run = new RuleRun({ prefix: at, budget: budget.left, ratchets: false })
    const { causes } = yield* checkRules(rules, value, old, run)
    if (old === undefined || causes.length > 0) budget.left = run.budget
    if (causes.length > 0) return causes
  }
  return []
}
