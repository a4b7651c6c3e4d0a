// The errors of a typed decoder: wrong types, numbers out of range, text that is not base64 or not a time. Built-in kinds
// respond 400 with them before any validation. null means: not set.

import { isObject } from '@homeostat/meta'
import { type Cause, typeInvalid } from '@homeostat/meta/server'
import { MAX_DEPTH } from '../compile/field-path.ts'
import { fieldNode, type SchemaNode } from '../compile/schema-node.ts'
import { kindName, kindOf, NULL } from '../compile/value-kind.ts'
import type { Format } from '../format/formats.ts'
import { Validation } from '../validate/validation.ts'

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
  else if (node.format !== undefined && !fits(node.format, value)) refuseFormat(run, node.format, value)
  else if (Array.isArray(value)) decodeItems(run, node.items, value)
  else if (isObject(value)) decodeFields(run, node, value)
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

/** Bytes may be a secret, so the message never repeats them; the wording is that of Go's decoder. */
function refuseFormat(run: Validation, { name }: Format, value: unknown): void {
  const text = String(value)
  if (name !== 'byte') refuse(run, name, text)
  else {
    const message = `illegal base64 data at input byte ${badByte(text)}`
    run.add({ reason: 'FieldValueTypeInvalid', field: run.field, message })
  }
}

/** The offset of the first bad byte; for an incomplete group of four it is the start of the group, as in Go. */
function badByte(text: string): number {
  const whole = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(text)?.[0] ?? ''
  const good = /^[A-Za-z0-9+/]*/.exec(text.slice(whole.length))?.[0] ?? ''
  const ended = whole.endsWith('=') || whole.length + good.length === text.length
  return ended ? whole.length : whole.length + good.length
}

function refuse(run: Validation, expected: string, actual: string): void {
  run.add(typeInvalid(run.field, actual, `${run.name} must be of type ${expected}: ${JSON.stringify(actual)}`))
}
