// A schema compiled once for all objects of its kind. The server keeps one per served version.

import type { Cel } from '@homeostat/cel/without-compiler'
import type { Cause } from '@homeostat/meta/server'
import { compileSteps } from './compile/compile-node.ts'
import type { SchemaNode } from './compile/schema-node.ts'
import { usesCel } from './compile/uses-cel.ts'
import type { JsonSchema } from './json-schema.ts'
import { decodeErrors } from './request/decode-errors.ts'
import { applyDefaults } from './request/defaults.ts'
import { prune } from './request/prune.ts'
import { checkRules } from './rules/check-rules.ts'
import { compileRuleTree, hasRules, type RuleNode } from './rules/rule-node.ts'
import type { RuleFindings } from './rules/rule-run.ts'
import { validate } from './validate/validate.ts'

export interface CompiledSchema {
  /**
   * Removes unknown fields in place and returns their paths, sorted. It skips parts that the object shares with `done`, an
   * object that is already pruned and defaulted.
   */
  prune(object: unknown, done?: unknown): string[]
  /** In place: drops nulls that are not allowed and fills defaults. Call after prune; `done` as there. */
  applyDefaults(object: unknown, done?: unknown): void
  /** False when it has patterns or rules and was compiled without CEL: then it can prune and default, and throws if asked to check. */
  readonly isWhole: boolean
  /** All keywords but `x-kubernetes-validations`. With the old object, unchanged parts are not reported. */
  validate(value: unknown, old?: unknown): Cause[]
  /** Whether there are rules (x-kubernetes-validations). */
  readonly hasRules: boolean
  /** Whether it says more of apiVersion or kind than their type: then it may refuse a write that changes nothing. */
  readonly judgesTypeNames: boolean
  /**
   * Checks a value that `validate` accepts by the rules, in steps between which the
   * caller may yield; undefined when there are none. The first check compiles them.
   */
  checkRules(value: unknown, old?: unknown): Generator<undefined, RuleFindings, undefined> | undefined
  /** Only what a typed decoder would refuse. */
  decodeErrors(value: unknown): Cause[]
}

export interface CompileOptions {
  /** A custom resource has apiVersion, kind and metadata beside its schema: they are left alone. */
  root: 'object' | 'custom-resource'
  /** Whether the schema may carry rules. Default false: `checkRules` finds none. */
  rules?: boolean
  /** Compiles patterns and rules; a schema that `usesCel` is not whole without it. */
  cel?: Cel | undefined
}

/** The server yields to the event loop between the steps. */
export function* compileSchemaSteps(
  schema: JsonSchema,
  options: CompileOptions,
): Generator<undefined, CompiledSchema, undefined> {
  return compiled(schema, yield* compileSteps(schema, options.cel), options)
}

function compiled(schema: JsonSchema, node: SchemaNode, options: CompileOptions): CompiledSchema {
  // The server checks the metadata of the root, so validation does not treat the root as an embedded resource.
  const pruned: SchemaNode = options.root === 'custom-resource' ? { ...node, embedded: true } : node
  const { cel } = options
  const withRules = options.rules === true && hasRules(schema)
  const isWhole = cel !== undefined || !usesCel(schema)
  let rules: RuleNode | undefined
  const steps = function* (value: unknown, old: unknown): Generator<undefined, RuleFindings, undefined> {
    if (cel === undefined) throw new Error(NOT_WHOLE)
    rules ??= yield* compileRuleTree(schema, node, cel)
    return rules === undefined ? NOTHING_FOUND : yield* checkRules(rules, value, old)
  }
  return {
    prune: (object, done) => prune(object, pruned, done),
    applyDefaults(object, done) {
      applyDefaults(object, node, done)
      // A default may bring metadata that no object has.
      if (node.hasEmbedded) prune(object, pruned, done)
    },
    isWhole,
    validate(value, old) {
      if (!isWhole) throw new Error(NOT_WHOLE)
      return validate(node, value, old)
    },
    hasRules: withRules,
    judgesTypeNames: ['apiVersion', 'kind'].some((name) => saysMore(node.properties?.get(name))),
    checkRules: (value, old) => (withRules ? steps(value, old) : undefined),
    decodeErrors: (value) => decodeErrors(value, node),
  }
}

function saysMore(node: SchemaNode | undefined): boolean {
  return node?.string !== undefined || node?.enum !== undefined || node?.junctors !== undefined
}

const NOT_WHOLE = 'the schema was compiled without CEL, and has patterns or rules'
const NOTHING_FOUND: RuleFindings = { causes: [], warnings: [] }
