// Checks a value against a node and everything below it. With an old value, errors in a part that did not change
// are dropped (ratcheting), so that a tightened schema does not lock objects that were right when they were written.

import { deepEqual, writeJson } from '@homeostat/meta'
import { invalidValue, notSupported, required, tooMany, typeInvalid } from '@homeostat/meta/server'
import { MAX_DEPTH } from '../compile/field-path.ts'
import { ownField, type SchemaNode } from '../compile/schema-node.ts'
import { ARRAY, INTEGER, kindName, kindOf, NULL, NUMBER, OBJECT, STRING } from '../compile/value-kind.ts'
import { checkJunctors } from './check-junctors.ts'
import { checkNumber, checkString } from './check-scalar.ts'
import { isUnchanged, oldItems } from './correlate.ts'
import { identity, repeatedAt } from './duplicates.ts'
import type { Validation } from './validation.ts'

/** `old` is undefined when the value has no old counterpart. A part that a patch left alone is the same object. */
export function check(run: Validation, node: SchemaNode, value: unknown, old: unknown): void {
  if ((value === old && !run.relates) || run.full || !run.step()) return
  const found = run.causes.length
  if (run.path.depth > MAX_DEPTH)
    run.fail(() => invalidValue(run.field, '', `must not be nested deeper than ${MAX_DEPTH} levels`))
  else checkValue(run, node, value, old)
  if (run.relates && old !== undefined && run.causes.length > found && isUnchanged(node, value, old)) {
    // What the version of a write is called did change, as far as anybody knows: the old object is shown in the same one.
    if (run.path.depth === 0) run.causes = run.causes.filter(({ field }) => isTypeName(field, true))
    else run.causes.length = found
  }
}

function checkValue(run: Validation, node: SchemaNode, value: unknown, old: unknown): void {
  run.checked += node.types === 0 ? 1 : 2
  const kind = kindOf(value)
  if (node.types !== 0 && (node.types & kind) === 0) checkType(run, node, kind)
  if (kind !== NULL) {
    // A branch is chosen by the whole value, so unchanged parts must not be skipped.
    if (node.junctors !== undefined) checkJunctors(check, run, node.junctors, value, run.relates ? old : undefined)
    if (kind === STRING) checkString(run, node, value as string)
    else if (kind & (INTEGER | NUMBER)) checkNumber(run, node, value as number | bigint)
    else if (kind === ARRAY) checkArray(run, node, value as unknown[], old)
  }
  if (node.enum !== undefined) checkEnum(run, node, value)
  if (kind === OBJECT) checkObject(run, node, value as Record<string, unknown>, old)
}

function checkType(run: Validation, node: SchemaNode, kind: number): void {
  if (kind === NULL && node.nullable) return
  run.fail(() => {
    let expected = node.typeName
    let actual = kindName(kind)
    if (node.format?.text !== undefined && kind !== STRING && kind !== ARRAY && kind !== NULL) {
      expected = node.format.name
      actual = kind === INTEGER ? 'int64' : kind === NUMBER ? 'float64' : ''
    }
    return typeInvalid(run.field, actual, `${run.name} in body must be of type ${expected}: ${JSON.stringify(actual)}`)
  })
}

/** A null is in no enumeration, even one that lists it. */
function checkEnum(run: Validation, node: SchemaNode, value: unknown): void {
  const allowed = node.enum ?? []
  if (value !== null && value !== undefined && isOneOf(node, allowed, value)) return
  run.fail(() => {
    const names = allowed.slice(0, MAX_NAMED).map((one) => (typeof one === 'string' ? one : writeJson(one)))
    return notSupported(run.field, value, names)
  })
}

function isOneOf(node: SchemaNode, allowed: readonly unknown[], value: unknown): boolean {
  if (allowed.length <= FEW) return allowed.some((one) => deepEqual(one, value))
  node.enumIdentities ??= new Set(allowed.map(identity))
  return node.enumIdentities.has(identity(value))
}

const FEW = 16
/** A message lists only the first values of a longer enumeration. */
const MAX_NAMED = 100

function checkArray(run: Validation, node: SchemaNode, list: unknown[], old: unknown): void {
  if (node.items !== undefined) {
    const before = run.relates && Array.isArray(old) ? oldItems(node, list, old) : undefined
    for (let i = 0; i < list.length && !run.full; i++) {
      run.path.push(i)
      check(run, node.items, list[i], before?.[i])
      run.path.pop()
    }
  }
  if (node.size === undefined) return
  const { minItems, maxItems, uniqueItems } = node.size
  if (minItems !== undefined && list.length < minItems) {
    run.fail(() => invalidValue(run.field, list.length, `${run.name} in body should have at least ${minItems} items`))
  }
  if (maxItems !== undefined && list.length > maxItems) run.fail(() => tooMany(run.field, list.length, maxItems))
  if (uniqueItems && repeatedAt(list).length > 0) {
    run.fail(() => invalidValue(run.field, '', `${run.name} in body shouldn't contain duplicates`))
  }
}

function checkObject(run: Validation, node: SchemaNode, object: Record<string, unknown>, old: unknown): void {
  if (node.size !== undefined) checkFieldCount(run, node, object)
  const before = kindOf(old) === OBJECT ? (old as Record<string, unknown>) : undefined
  const atRoot = run.path.depth === 0
  if (node.properties !== undefined || node.additional !== undefined) {
    for (const name in object) {
      const value = object[name]
      if (value === undefined) continue
      const known = node.properties?.get(name)
      const child = known ?? node.additional
      if (typeof child === 'object') {
        run.path.push(name)
        check(run, child, value, before && !isTypeName(name, atRoot) ? ownField(before, name) : undefined)
        run.path.pop()
      } else if (child === false) refuseField(run, name)
    }
  }
  if (node.required === undefined) return
  for (const name of node.required) {
    if (ownField(object, name) !== undefined) continue
    run.path.push(name)
    run.fail(() => required(run.field, ''))
    run.path.pop()
  }
}

/** Both objects were converted to the version of the request, which hides changes of these two: always check them. */
function isTypeName(name: string, atRoot: boolean): boolean {
  return atRoot && (name === 'apiVersion' || name === 'kind')
}

function refuseField(run: Validation, name: string): void {
  run.fail(() => invalidValue(run.field, name, `${run.name}.${name} in body is a forbidden property`))
}

function checkFieldCount(run: Validation, node: SchemaNode, object: Record<string, unknown>): void {
  const { minProperties, maxProperties } = node.size ?? {}
  if (minProperties === undefined && maxProperties === undefined) return
  const count = Object.keys(object).length
  if (minProperties !== undefined && count < minProperties) {
    run.fail(() =>
      invalidValue(run.field, count, `${run.name} in body should have at least ${minProperties} properties`),
    )
  }
  if (maxProperties !== undefined && count > maxProperties) run.fail(() => tooMany(run.field, count, maxProperties))
}
