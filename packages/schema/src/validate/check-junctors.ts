// allOf, anyOf, oneOf and not. When no branch matches, the errors of the closest branch are reported, too. Branches are first
// tried without building errors, because most mismatches are no mistakes; the closest one is then checked again.

import type { Cause } from '@homeostat/meta/server'
import type { Junctors, SchemaNode } from '../compile/schema-node.ts'
import type { Validation } from './validation.ts'

/** Checks a value against one node: check.ts itself, which calls this file and must not be imported by it. */
type Check = (run: Validation, node: SchemaNode, value: unknown, old: unknown) => void

export function checkJunctors(check: Check, run: Validation, junctors: Junctors, value: unknown, old: unknown): void {
  if (junctors.anyOf.length > 0) checkAny(check, run, junctors.anyOf, value, old)
  if (junctors.oneOf.length > 0) checkOne(check, run, junctors.oneOf, value, old)
  if (junctors.allOf.length > 0) checkAll(check, run, junctors.allOf, value, old)
  if (junctors.not !== undefined && attempt(check, run, junctors.not, value, old) === undefined) {
    run.addWhole(() => `${JSON.stringify(run.name)} must not validate the schema (not)`)
  }
}

interface Failure {
  branch: SchemaNode
  checked: number
}

function checkAny(check: Check, run: Validation, branches: SchemaNode[], value: unknown, old: unknown): void {
  let closest: Failure | undefined
  for (const branch of branches) {
    const failure = attempt(check, run, branch, value, old)
    if (failure === undefined) return
    if (closest === undefined || failure.checked > closest.checked) closest = failure
  }
  run.addWhole(() => `${JSON.stringify(run.name)} must validate at least one schema (anyOf)`)
  if (closest !== undefined) tell(check, run, closest.branch, value, old)
}

function checkOne(check: Check, run: Validation, branches: SchemaNode[], value: unknown, old: unknown): void {
  let closest: Failure | undefined
  let fitting = 0
  for (const branch of branches) {
    const failure = attempt(check, run, branch, value, old)
    if (failure === undefined) fitting++
    else if (closest === undefined || failure.checked > closest.checked) closest = failure
  }
  if (fitting === 1) return
  const found = fitting === 0 ? 'Found none valid' : `Found ${fitting} valid alternatives`
  run.addWhole(() => `${JSON.stringify(run.name)} must validate one and only one schema (oneOf). ${found}`)
  if (fitting === 0 && closest !== undefined) tell(check, run, closest.branch, value, old)
}

function checkAll(check: Check, run: Validation, branches: SchemaNode[], value: unknown, old: unknown): void {
  let fitting = 0
  for (const branch of branches) {
    if (attempt(check, run, branch, value, old) === undefined) fitting++
    else tell(check, run, branch, value, old)
  }
  if (fitting === branches.length) return
  const none = fitting === 0 ? '. None validated' : ''
  run.addWhole(() => `${JSON.stringify(run.name)} must validate all the schemas (allOf)${none}`)
}

/** Tries one branch without reporting its errors; undefined when it matches. */
function attempt(check: Check, run: Validation, branch: SchemaNode, value: unknown, old: unknown): Failure | undefined {
  const { checked } = run
  run.checked = 0
  const causes = aside(check, run, branch, value, old, true)
  const failure = causes.length > 0 ? { branch, checked: run.checked } : undefined
  run.checked += checked
  return failure
}

/** Reports the errors of a branch that does not match. */
function tell(check: Check, run: Validation, branch: SchemaNode, value: unknown, old: unknown): void {
  if (run.trying) return
  for (const cause of aside(check, run, branch, value, old, false)) run.add(cause)
}

function aside(
  check: Check,
  run: Validation,
  branch: SchemaNode,
  value: unknown,
  old: unknown,
  trying: boolean,
): Cause[] {
  const outside = { causes: run.causes, trying: run.trying }
  run.causes = []
  run.trying = trying
  check(run, branch, value, old)
  const { causes } = run
  run.causes = outside.causes
  run.trying = outside.trying
  return causes
}
