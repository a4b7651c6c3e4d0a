// What a typed decoder would not accept: wrong types, numbers out of range, text that is not base64 or no time.
// Built-in kinds answer 400 with these before any validation. null means: not set.

import { type Cause, typeInvalid } from '@homeostat/meta'
import { fieldNode, type SchemaNode } from '../compile/schema-node.ts'
import { kindName, kindOf, NULL, STRING } from '../compile/value-kind.ts'
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
  if (node.types !== 0 && (node.types & kind) === 0) return refuse(run, node.typeName, kindName(kind))
  const format = node.format
  if (format?.number && (typeof value === 'number' || typeof value === 'bigint') && !format.number(value)) {
    return refuse(run, format.name, String(value))
  }
  if (
    kind === STRING &&
    value !== '' &&
    format?.text &&
    decodedFormats.has(format.name) &&
    !format.text(String(value))
  ) {
    return refuse(run, format.name, String(value))
  }
  if (Array.isArray(value)) decodeItems(run, node.items, value)
  else if (isRecord(value)) decodeFields(run, node, value)
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
