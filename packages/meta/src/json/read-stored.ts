// Reads an object that encodeObject wrote. Its managedFields are the last of its metadata; they are read apart, since
// most objects share theirs with many others.

import { readFieldsText } from '../managed-fields/fields-text.ts'
import type { KubeObject } from '../object/object.ts'
import { parseJson } from './parse-json.ts'

// No Buffer at load: browsers have none, and clients there read errors and selectors from this package.
const MANAGED_FIELDS = new TextEncoder().encode(',"managedFields":[')
const CLOSING_BRACKET = 0x5d

/** A fresh copy, but for the managedFields, which must not be changed. `metaEnd` is just after metadata's brace. */
export function readStored(bytes: Buffer, metaEnd: number): KubeObject {
  const start = managedFieldsStart(bytes, metaEnd)
  if (start < 0) return parseJson(bytes.toString()) as KubeObject
  const object = parseJson(bytes.toString('utf8', 0, start) + bytes.toString('utf8', metaEnd - 1)) as KubeObject
  object.metadata.managedFields = fieldsIn(bytes, start + MANAGED_FIELDS.length - 1, metaEnd - 1)
  return object
}

/** Whoever changes many objects reads the same again and again: their bytes are quicker to compare than to look up. */
let last: { readonly bytes: Buffer; readonly fields: readonly unknown[] } | undefined

function fieldsIn(bytes: Buffer, start: number, end: number): readonly unknown[] {
  const length = end - start
  if (last?.bytes.length === length && bytes.compare(last.bytes, 0, length, start, end) === 0) return last.fields
  const fields = readFieldsText(bytes.toString('utf8', start, end))
  if (length <= MAX_KEPT) last = { bytes: Buffer.from(bytes.subarray(start, end)), fields }
  return fields
}

const MAX_KEPT = 32 << 10

/** The metadata without managedFields, as text. `metaStart` is at its opening brace. */
export function storedMetadata(bytes: Buffer, metaStart: number, metaEnd: number): string {
  const start = managedFieldsStart(bytes, metaEnd)
  return start < 0 ? bytes.toString('utf8', metaStart, metaEnd) : `${bytes.toString('utf8', metaStart, start)}}`
}

/**
 * Where the comma before them is; -1 without any. Inside a text the quotes would be escaped, so that the bytes are
 * found nowhere else in metadata.
 */
function managedFieldsStart(bytes: Buffer, metaEnd: number): number {
  return bytes[metaEnd - 2] === CLOSING_BRACKET ? bytes.lastIndexOf(MANAGED_FIELDS, metaEnd) : -1
}
