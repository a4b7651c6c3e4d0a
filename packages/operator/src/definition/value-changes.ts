// Finds values that the old schema accepts and the new one refuses: enums, bounds, patterns, formats and alternatives.

import { deepEqual, writeJson } from '@homeostat/meta'
import type { JsonSchema } from '@homeostat/schema'
import type { DefinitionChange } from './definition-change.ts'

const WHY = 'stored objects may have values that are refused now'

export function valueChanges(old: JsonSchema, now: JsonSchema, path: string): DefinitionChange[] {
  const problems = [
    ...enumChanges(old, now),
    ...boundChanges(old, now),
    ...multipleChanges(old, now),
    ...textChanges(old, now),
    ...junctionChanges(old, now),
  ]
  if (old.nullable === true && now.nullable !== true) problems.push('null is no value any more')
  return problems.map((what) => ({ path, what, why: WHY, breaking: true }))
}

function enumChanges(old: JsonSchema, now: JsonSchema): string[] {
  if (!Array.isArray(now.enum)) return []
  const { enum: allowed } = now
  if (!Array.isArray(old.enum)) return [`only ${allowed.map(shown).join(', ')} are allowed now`]
  const gone = old.enum.filter((value) => !allowed.some((one) => deepEqual(one, value)))
  return gone.length === 0 ? [] : [`${gone.map(shown).join(', ')} is not allowed any more`]
}

const lower = ['minimum', 'minLength', 'minItems', 'minProperties']
const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const exclusive: Readonly<Record<string, string>> = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' }

function boundChanges(old: JsonSchema, now: JsonSchema): string[] {
  const narrower = (keyword: string, sign: 1 | -1): string[] => {
    const after = now[keyword]
    if (typeof after !== 'number') return []
    const before = old[keyword]
    const open = exclusive[keyword] ?? ''
    const stricter = now[open] === true && old[open] !== true
    if (typeof before !== 'number') return trivial(keyword, after) ? [] : [`${keyword} ${after} is new`]
    if ((after - before) * sign > 0) return [`${keyword} changes from ${before} to ${after}`]
    return after === before && stricter ? [`${keyword} ${after} itself is not allowed any more`] : []
  }
  return [...lower.flatMap((keyword) => narrower(keyword, 1)), ...upper.flatMap((keyword) => narrower(keyword, -1))]
}

/** A minimum length of 0 is no constraint. */
function trivial(keyword: string, bound: number): boolean {
  return keyword.startsWith('min') && keyword !== 'minimum' && bound <= 0
}

function multipleChanges(old: JsonSchema, now: JsonSchema): string[] {
  if (typeof now.multipleOf !== 'number') return []
  if (typeof old.multipleOf === 'number' && old.multipleOf % now.multipleOf === 0) return []
  return [`only multiples of ${now.multipleOf} are allowed now`]
}

const widerFormats: Readonly<Record<string, string>> = {
  int32: 'int64',
  float: 'double',
  uuid3: 'uuid',
  uuid4: 'uuid',
  uuid5: 'uuid',
}

function textChanges(old: JsonSchema, now: JsonSchema): string[] {
  const problems: string[] = []
  if (now.pattern !== undefined && now.pattern !== old.pattern) {
    problems.push(
      old.pattern === undefined ? `the pattern ${now.pattern} is new` : `the pattern changes to ${now.pattern}`,
    )
  }
  const { format } = now
  if (format !== undefined && format !== old.format && widerFormats[String(old.format)] !== format) {
    // Every integer fits in int64, every number in double, so these formats are no constraint.
    if (format !== 'int64' && format !== 'double') problems.push(`the format ${format} is new`)
  }
  return problems
}

function junctionChanges(old: JsonSchema, now: JsonSchema): string[] {
  const problems: string[] = []
  const parts = (schema: JsonSchema, keyword: string): unknown[] =>
    Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : []
  const within = (some: unknown[], all: unknown[]) => some.every((one) => all.some((other) => deepEqual(one, other)))
  if (!within(parts(now, 'allOf'), parts(old, 'allOf'))) problems.push('more has to hold (allOf)')
  for (const keyword of ['anyOf', 'oneOf']) {
    const [before, after] = [parts(old, keyword), parts(now, keyword)]
    if (after.length === 0) continue
    const added = after.filter((one) => !within([one], before))
    const distinct = keyword === 'anyOf' || added.every((one) => before.every((other) => exclude(one, other)))
    if (before.length === 0 || !within(before, after) || !distinct) {
      problems.push(`the alternatives change (${keyword})`)
    }
  }
  if (now.not !== undefined && !deepEqual(now.not, old.not)) problems.push('something is excluded now (not)')
  return problems
}

/** Whether no value fits both alternatives, as in a discriminated union. */
function exclude(one: unknown, other: unknown): boolean {
  const [left, right] = [enumsOf(one), enumsOf(other)]
  return Object.keys(left).some((name) => {
    const values = right[name]
    return values !== undefined && !left[name]?.some((value) => values.some((known) => deepEqual(value, known)))
  })
}

function enumsOf(alternative: unknown): Record<string, unknown[]> {
  const { properties = {} } = alternative as { properties?: Record<string, { enum?: unknown }> }
  const entries = Object.entries(properties).map(([name, field]) => [name, field.enum] as const)
  return Object.fromEntries(entries.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])))
}

function shown(value: unknown): string {
  return writeJson(value)
}
