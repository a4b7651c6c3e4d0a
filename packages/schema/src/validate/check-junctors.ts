// allOf, anyOf, oneOf and not. When no branch fits, the errors of the branch that came closest are told too: it is
// checked once more for them, since most branches that do not fit are nobody's mistake.

import type { Cause } from '@homeostat/meta'
import type { Junctors, SchemaNode } from '../compile/schema-node.ts'
import { check } from './check.ts'
import type { Validation } from './validation.ts'

export function checkJunctors(run: Validation, junctors: Junctors, value: unknown, old: unknown): void {
  if (junctors.anyOf.length > 0) checkAny(run, junctors.anyOf, value, old)
  if (junctors.oneOf.length > 0) checkOne(run, junctors.oneOf, value, old)
  if (junctors.allOf.length > 0) checkAll(run, junctors.allOf, value, old)
  if (junctors.not !== undefined && attempt(run, junctors.not, value, old) === undefined) {
    run.addWhole(() => `${JSON.stringify(run.name)} must not validate the schema (not)`)
  }
}

interface Failure {
  branch: SchemaNode
  checked: number
}

function checkAny(run: Validation, branches: SchemaNode[], value: unknown, old: unknown): void {
  let closest: Failure | undefined
  for (const branch of branches) {
    const failure = attempt(run, branch, value, old)
    if (failure === undefined) return
    if (closest === undefined || failure.checked > closest.checked) closest = failure
  }
  run.addWhole(() => `${JSON.stringify(run.name)} must validate at least one schema (anyOf)`)
  if (closest !== undefined) tell(run, closest.branch, value, old)
}

function checkOne(run: Validation, branches: SchemaNode[], value: unknown, old: unknown): void {
  let closest: Failure | undefined
  let fitting = 0
  for (const branch of branches) {
    const failure = attempt(run, branch, value, old)
    if (failure === undefined) fitting++
    else if (closest === undefined || failure.checked > closest.checked) closest = failure
  }
  if (fitting === 1) return
  const found = fitting === 0 ? 'Found none valid' : `Found ${fitting} valid alternatives`
  run.addWhole(() => `${JSON.stringify(run.name)} must validate one and only one schema (oneOf). ${found}`)
  if (fitting === 0 && closest !== undefined) tell(run, closest.branch, value, old)
}

function checkAll(run: Validation, branches: SchemaNode[], value: unknown, old: unknown): void {
  let fitting = 0
  for (const branch of branches) {
    if (attempt(run, branch, value, old) === undefined) fitting++
    else tell(run, branch, value, old)
  }
  if (fitting === branches.length) return
  const none = fitting === 0 ? '. None validated' : ''
  run.addWhole(() => `${JSON.stringify(run.name)} must validate all the schemas (allOf)${none}`)
}

/** Checks one branch on the side; undefined when it fits. */
function attempt(run: Validation, branch: SchemaNode, value: unknown, old: unknown): Failure | undefined {
  const { checked } = run
  run.checked = 0
  const causes = aside(run, branch, value, old, true)
  const failure = causes.length > 0 ? { branch, checked: run.checked } : undefined
  run.checked += checked
  return failure
}

/** Adds what is wrong with a branch that does not fit. */
function tell(run: Validation, branch: SchemaNode, value: unknown, old: unknown): void {
  if (run.trying) return
  for (const cause of aside(run, branch, value, old, false)) run.add(cause)
}

function aside(run: Validation, branch: SchemaNode, value: unknown, old: unknown, trying: boolean): Cause[] {
  const outside = { causes: run.causes, trying: run.trying }
  run.causes = []
  run.trying = trying
  check(run, branch, value, old)
  const { causes } = run
  run.causes = outside.causes
  run.trying = outside.trying
  return causes
}
