// What a typed decoder would not accept: wrong types, numbers out of range, text that is not base64 or no time.
// Built-in kinds answer 400 with these before any validation. null means: not set.

import { type Cause, typeInvalid } from '@homeostat/meta'
import { fieldNode, type SchemaNode } from '../compile/schema-node.ts'
import { kindName, kindOf, NULL } from '../compile/value-kind.ts'
import type { Format } from '../format/formats.ts'
import { isRecord } from '../json-schema.ts'
import { Validation } from '../validate/validation.ts'
import { MAX_DEPTH } from './prune.ts'

const decodedFormats: ReadonlySet<string> = new Set(['byte', 'date-time'])

export function decodeErrors(value: unknown, root: SchemaNode): Cause[] {
  const run = new Validation()
  decode(run, root, value)
  return run.causes
}

function decode(run: Validation, node: SchemaNode, value: unknown): void {
  const kind = kindOf(value)
  if (kind === NULL || run.full || run.path.depth > MAX_DEPTH) return
  if (node.types !== 0 && (node.types & kind) === 0) refuse(run, node.typeName, kindName(kind))
  else if (node.format !== undefined && !fits(node.format, value)) refuse(run, node.format.name, String(value))
  else if (Array.isArray(value)) decodeItems(run, node.items, value)
  else if (isRecord(value)) decodeFields(run, node, value)
}

function fits(format: Format, value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return format.number?.(value) ?? true
  if (typeof value !== 'string' || value === '' || !decodedFormats.has(format.name)) return true
  return format.text?.(value) ?? true
}

function decodeItems(run: Validation, items: SchemaNode | undefined, list: unknown[]): void {
  if (items === undefined) return
  for (let i = 0; i < list.length; i++) {
    run.path.push(i)
    decode(run, items, list[i])
    run.path.pop()
  }
}

function decodeFields(run: Validation, node: SchemaNode, object: Record<string, unknown>): void {
  for (const name in object) {
    const child = fieldNode(node, name)
    if (child === undefined) continue
    run.path.push(name)
    decode(run, child, object[name])
    run.path.pop()
  }
}

function refuse(run: Validation, expected: string, actual: string): void {
  run.add(typeInvalid(run.field, actual, `${run.name} must be of type ${expected}: ${JSON.stringify(actual)}`))
}
