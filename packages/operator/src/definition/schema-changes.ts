// Finds what a new schema takes away from objects of the old one. Widening is never reported; when it cannot be
// decided, the change counts as narrowing.

import { deepEqual, writeJson } from '@homeostat/meta'
import type { JsonSchema } from '@homeostat/schema'
import { breaking, type DefinitionChange } from './definition-change.ts'
import { valueChanges } from './value-changes.ts'

/** The reason for changes that drop values instead of refusing them. */
export const DROPPED = 'stored values are dropped without a word'
const REFUSED = 'objects that have it cannot be changed any more, and new ones are refused'

/** Compares two structural schemas, parents first. Pure. */
export function schemaChanges(old: JsonSchema, now: JsonSchema, path: string): DefinitionChange[] {
  const retyped = typeChanges(old, now, path)
  // Below a changed type every comparison would differ.
  if (retyped.length > 0) return retyped
  return [
    ...valueChanges(old, now, path),
    ...defaultChanges(old, now, path),
    ...listChanges(old, now, path),
    ...ruleChanges(old, now, path),
    ...fieldChanges(old, now, path),
    ...insideChanges(old, now, path),
  ]
}

function typeChanges(old: JsonSchema, now: JsonSchema, path: string): DefinitionChange[] {
  const [before, after] = [typeName(old), typeName(now)]
  if (before === after || after === 'anything') return []
  const wider = after === 'int-or-string' && (before === 'integer' || before === 'string')
  if (wider || (before === 'integer' && after === 'number')) return []
  return [breaking(path, `the type changes from ${before} to ${after}`, 'stored values have the old type')]
}

function typeName(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string'
  return typeof schema.type === 'string' ? schema.type : 'anything'
}

function defaultChanges(old: JsonSchema, now: JsonSchema, path: string): DefinitionChange[] {
  if (old.default === undefined || deepEqual(old.default, now.default)) return []
  const what =
    now.default === undefined
      ? `the default ${shown(old.default)} goes`
      : `the default changes from ${shown(old.default)} to ${shown(now.default)}`
  return [{ path, what, why: 'stored objects keep the old one, new objects get the new one', breaking: false }]
}

function listChanges(old: JsonSchema, now: JsonSchema, path: string): DefinitionChange[] {
  const type = (schema: JsonSchema) => String(schema['x-kubernetes-list-type'] ?? 'atomic')
  const keys = (schema: JsonSchema) => schema['x-kubernetes-list-map-keys']
  const [before, after] = [type(old), type(now)]
  const changes: DefinitionChange[] = []
  if (before !== after) {
    const what = `the list changes from ${before} to ${after}`
    changes.push(
      after === 'atomic'
        ? { path, what, why: 'appliers own the whole list instead of single items', breaking: false }
        : breaking(path, what, 'stored lists may have the same item twice'),
    )
  } else if (!deepEqual(keys(old), keys(now))) {
    changes.push(breaking(path, 'the keys of the list change', 'stored lists may have the same new keys twice'))
  }
  const map = (schema: JsonSchema) => String(schema['x-kubernetes-map-type'] ?? 'granular')
  if (map(old) !== map(now)) {
    const what = `the object changes from ${map(old)} to ${map(now)}`
    changes.push({ path, what, why: 'appliers own it in another way', breaking: false })
  }
  return changes
}

/** A new rule is reported as not breaking: whether it is weaker than an old one cannot be decided. */
function ruleChanges(old: JsonSchema, now: JsonSchema, path: string): DefinitionChange[] {
  const rules = (schema: JsonSchema): { rule?: unknown }[] =>
    Array.isArray(schema['x-kubernetes-validations']) ? schema['x-kubernetes-validations'] : []
  const known = rules(old).map(({ rule }) => rule)
  return rules(now)
    .filter(({ rule }) => !known.includes(rule))
    .map(({ rule }) => ({ path, what: `a rule is new: ${rule}`, why: 'stored objects may break it', breaking: false }))
}

function fieldChanges(old: JsonSchema, now: JsonSchema, path: string): DefinitionChange[] {
  const changes: DefinitionChange[] = []
  const [before, after] = [fieldsOf(old), fieldsOf(now)]
  const others = schemaOf(now.additionalProperties)
  for (const [name, field] of Object.entries(before)) {
    const at = `${path}.${name}`
    const next = after[name] ?? others
    if (next !== undefined) changes.push(...schemaChanges(field, next, at))
    else if (!keepsUnknown(now) && now.additionalProperties !== true) {
      changes.push(breaking(at, 'the field goes', DROPPED))
    }
  }
  for (const [name, field] of Object.entries(after)) {
    if (before[name] === undefined) changes.push(...describedChanges(old, field, `${path}.${name}`))
  }
  const needed = stringsOf(now.required).filter((name) => !stringsOf(old.required).includes(name))
  for (const name of needed) {
    if (after[name]?.default !== undefined) continue
    changes.push(
      breaking(`${path}.${name}`, 'the field is required now and has no default', 'objects without it are refused'),
    )
  }
  return changes
}

/** A field that the old schema did not name may nevertheless have stored values. */
function describedChanges(old: JsonSchema, field: JsonSchema, path: string): DefinitionChange[] {
  const values = schemaOf(old.additionalProperties)
  if (values !== undefined) return schemaChanges(values, field, path)
  const kept = keepsUnknown(old) || old.additionalProperties === true
  if (!kept || (keepsUnknown(field) && field.type === undefined)) return []
  const why = 'what was kept there unchecked may be refused now'
  return [{ path, what: 'the field is described now', why, breaking: false }]
}

function insideChanges(old: JsonSchema, now: JsonSchema, path: string): DefinitionChange[] {
  const changes: DefinitionChange[] = []
  const [items, nextItems] = [schemaOf(old.items), schemaOf(now.items)]
  if (items !== undefined && nextItems !== undefined) changes.push(...schemaChanges(items, nextItems, `${path}[]`))
  else if (nextItems !== undefined)
    changes.push(breaking(path, 'items have to fit a schema now', 'stored ones may not'))
  const [values, nextValues] = [schemaOf(old.additionalProperties), schemaOf(now.additionalProperties)]
  const open = old.additionalProperties === true || values !== undefined
  if (values !== undefined && nextValues !== undefined) changes.push(...schemaChanges(values, nextValues, `${path}.*`))
  else if (nextValues !== undefined && (keepsUnknown(old) || old.additionalProperties === true)) {
    changes.push(breaking(path, 'values under all keys have to fit a schema now', 'stored ones may not'))
  } else if (open && now.additionalProperties === undefined && !keepsUnknown(now)) {
    changes.push(breaking(path, 'only named fields are kept now', DROPPED))
  }
  if (keepsUnknown(old) && !keepsUnknown(now) && nextValues === undefined) {
    changes.push(breaking(path, 'unknown fields are not kept any more', DROPPED))
  }
  if (now['x-kubernetes-embedded-resource'] === true && old['x-kubernetes-embedded-resource'] !== true) {
    changes.push(breaking(path, 'it has to be a whole object with apiVersion and kind now', REFUSED))
  }
  return changes
}

function keepsUnknown(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true
}

function shown(value: unknown): string {
  return writeJson(value)
}

function schemaOf(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined
}

function fieldsOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schemaOf(schema.properties) ?? {}) as Record<string, JsonSchema>
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
