// allOf, anyOf, oneOf and not. When no branch fits, the errors of the branch that came closest are told too.

import type { Cause } from '@homeostat/meta'
import type { Junctors, SchemaNode } from '../compile/schema-node.ts'
import { check } from './check.ts'
import type { Validation } from './validation.ts'

export function checkJunctors(run: Validation, junctors: Junctors, value: unknown, old: unknown): void {
  if (junctors.anyOf.length > 0) checkAny(run, junctors.anyOf, value, old)
  if (junctors.oneOf.length > 0) checkOne(run, junctors.oneOf, value, old)
  if (junctors.allOf.length > 0) checkAll(run, junctors.allOf, value, old)
  if (junctors.not !== undefined && attempt(run, junctors.not, value, old) === undefined) {
    run.addWhole(`${JSON.stringify(run.name)} must not validate the schema (not)`)
  }
}

interface Failure {
  causes: Cause[]
  checked: number
}

function checkAny(run: Validation, branches: SchemaNode[], value: unknown, old: unknown): void {
  let closest: Failure | undefined
  for (const branch of branches) {
    const failure = attempt(run, branch, value, old)
    if (failure === undefined) return
    if (closest === undefined || failure.checked > closest.checked) closest = failure
  }
  run.addWhole(`${JSON.stringify(run.name)} must validate at least one schema (anyOf)`)
  for (const cause of closest?.causes ?? []) run.add(cause)
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
  run.addWhole(`${JSON.stringify(run.name)} must validate one and only one schema (oneOf). ${found}`)
  if (fitting === 0) for (const cause of closest?.causes ?? []) run.add(cause)
}

function checkAll(run: Validation, branches: SchemaNode[], value: unknown, old: unknown): void {
  let fitting = 0
  for (const branch of branches) {
    const failure = attempt(run, branch, value, old)
    if (failure === undefined) fitting++
    for (const cause of failure?.causes ?? []) run.add(cause)
  }
  if (fitting === branches.length) return
  const none = fitting === 0 ? '. None validated' : ''
  run.addWhole(`${JSON.stringify(run.name)} must validate all the schemas (allOf)${none}`)
}

/** Checks one branch on the side; undefined when it fits. */
function attempt(run: Validation, branch: SchemaNode, value: unknown, old: unknown): Failure | undefined {
  const causes = run.causes
  const checked = run.checked
  run.causes = []
  run.checked = 0
  check(run, branch, value, old)
  const failure = run.causes.length > 0 ? { causes: run.causes, checked: run.checked } : undefined
  run.causes = causes
  run.checked += checked
  return failure
}
