// Checks an object by the rules of its schema, and an update also by those that compare with the object before. The schema
// itself must accept the object: rules see values of the declared types. A generator, so that the server yields to the event
// loop between expressions.

import { isObject } from '@homeostat/meta'
import { ownField } from '../compile/schema-node.ts'
import { oldItems } from '../validate/correlate.ts'
import { Correlation } from './correlation.ts'
import type { RuleNode } from './rule-node.ts'
import { type RuleFindings, RuleRun, type RuleSubject } from './rule-run.ts'

type Steps<T> = Generator<undefined, T, undefined>

/** `old` is undefined for a create. */
export function* checkRules(root: RuleNode, value: unknown, old: unknown, run = new RuleRun()): Steps<RuleFindings> {
  yield* checkNode(run, root, value, old, undefined)
  return run.findings()
}

function* checkNode(
  run: RuleRun,
  node: RuleNode,
  value: unknown,
  old: unknown,
  around: Correlation | undefined,
): Steps<void> {
  // A null has no rules: whether it may be one says the schema around it.
  if (value === undefined || value === null) return
  const nearest = old === undefined ? around : new Correlation(node.node, value, old)
  const subject: RuleSubject = { node, value, old: old === null ? undefined : old, nearest }
  for (const rule of node.rules) {
    if (run.isOver) return
    run.check(rule, subject)
    if (run.isStepDue) yield
  }
  if (Array.isArray(value)) {
    if (node.items !== undefined) yield* checkItems(run, node.items, value, subject)
  } else if (isObject(value)) yield* checkFields(run, node, value, subject)
}

function* checkItems(run: RuleRun, items: RuleNode, list: unknown[], { node, old, nearest }: RuleSubject): Steps<void> {
  const before = Array.isArray(old) ? oldItems(node.node, list, old) : undefined
  for (let i = 0; i < list.length && !run.isOver; i++) {
    run.path.push(i)
    yield* checkNode(run, items, list[i], before?.[i], nearest)
    run.path.pop()
  }
}

function* checkFields(
  run: RuleRun,
  { properties, additional }: RuleNode,
  object: Record<string, unknown>,
  { old, nearest }: RuleSubject,
): Steps<void> {
  const before = isObject(old) ? old : undefined
  const isRoot = run.path.depth === 0
  if (additional !== undefined) {
    for (const key of Object.keys(object)) {
      if (run.isOver) return
      run.path.pushKey(key)
      yield* checkNode(run, additional, object[key], before && ownField(before, key), nearest)
      run.path.pop()
    }
  }
  for (const [name, child] of properties ?? []) {
    if (run.isOver) return
    const value = ownField(object, name)
    if (value === undefined) continue
    // Both objects were converted to one version, which hides changes of these two.
    const hidden = isRoot && (name === 'apiVersion' || name === 'kind')
    run.path.push(name)
    yield* checkNode(run, child, value, before && ownField(before, name), hidden ? undefined : nearest)
    run.path.pop()
  }
}
