// Reads an object that encodeObject wrote. Its managedFields come last in its metadata and are parsed separately, because
// many objects share the same ones.

import { parseJson } from '../json/parse-json.ts'
import type { FieldMemory } from '../managed-fields/field-memory.ts'
import { readFieldsText } from '../managed-fields/fields-text.ts'
import type { KubeObject } from '../object/object.ts'

// No Buffer at load: browsers have none, and clients there read errors and selectors from this package.
const MANAGED_FIELDS = new TextEncoder().encode(',"managedFields":[')
const CLOSING_BRACKET = 0x5d

/** A fresh copy, but for the managedFields, which must not be changed. `metaEnd` is just after metadata's brace. */
export function readStored(bytes: Buffer, metaEnd: number, memory?: FieldMemory): KubeObject {
  const start = managedFieldsStart(bytes, metaEnd)
  if (start < 0) return parseJson(bytes.toString()) as KubeObject
  const object = parseJson(bytes.toString('utf8', 0, start) + bytes.toString('utf8', metaEnd - 1)) as KubeObject
  const fields = bytes.toString('utf8', start + MANAGED_FIELDS.length - 1, metaEnd - 1)
  object.metadata.managedFields = memory === undefined ? readFieldsText(fields) : memory.texts.read(fields)
  return object
}

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
