// Validates an object and reports causes in kube-apiserver's order: the keywords of the schema, then embedded resources, then
// list types.

import type { Cause } from '@homeostat/meta/server'
import type { SchemaNode } from '../compile/schema-node.ts'
import { check } from './check.ts'
import { checkEmbedded } from './check-embedded.ts'
import { checkLists } from './check-lists.ts'
import { MAX_CAUSES, Validation } from './validation.ts'

/** `prefix` is put before the path of each cause. */
export function validate(node: SchemaNode, value: unknown, old?: unknown, prefix = ''): Cause[] {
  const causes = everything(node, value, old, prefix, false)
  // Errors are rare, so items of the old value are matched with the new ones only when there are some.
  return causes.length === 0 || old === undefined ? causes : everything(node, value, old, prefix, true)
}

function everything(node: SchemaNode, value: unknown, old: unknown, prefix: string, relates: boolean): Cause[] {
  const rules = new Validation(prefix, relates)
  check(rules, node, value, old)
  if (rules.exhausted) {
    // The causes so far may be wrong, because branches were not checked to their end.
    rules.causes = []
    rules.addWhole(() => 'the object takes too many steps to validate')
  }
  const embedded = node.hasEmbedded ? embeddedCauses(node, value, prefix) : NONE
  const lists =
    node.hasListTypes && !(relates && keepsBrokenLists(node, old)) ? listCauses(node, value, old, prefix) : NONE
  if (rules.causes.length + embedded.length + lists.length === 0) return []
  return finish([...inOrder(rules.causes), ...inOrder(embedded), ...inOrder(lists)])
}

const NONE: readonly Cause[] = []

function embeddedCauses(node: SchemaNode, value: unknown, prefix: string): Cause[] {
  const run = new Validation(prefix)
  checkEmbedded(run, node, value)
  return run.causes
}

function listCauses(node: SchemaNode, value: unknown, old: unknown, prefix: string): Cause[] {
  const run = new Validation(prefix)
  checkLists(run, node, value, old)
  return run.causes
}

/** A list type may be newer than the list, so an object may keep lists that were invalid before. */
function keepsBrokenLists(node: SchemaNode, old: unknown): boolean {
  if (old === undefined) return false
  return listCauses(node, old, undefined, '').length > 0
}

function finish(causes: Cause[]): Cause[] {
  if (causes.length < MAX_CAUSES) return causes
  const note = {
    reason: 'FieldValueInvalid',
    field: '<nil>',
    message: `only the first ${MAX_CAUSES} errors are listed`,
  }
  return [...causes.slice(0, MAX_CAUSES), note]
}

function inOrder(causes: readonly Cause[]): Cause[] {
  return causes.toSorted((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0))
}
