// Encodes an object once, with a gap for the resourceVersion, which is not known before the commit. The store keeps the
// bytes and the two offsets; filling the gap copies and never parses.

import { writeJson } from '../json/write-json.ts'
import type { FieldMemory } from '../managed-fields/field-memory.ts'
import { fieldsText } from '../managed-fields/fields-text.ts'
import type { KubeObject } from '../object/object.ts'

export interface Encoded {
  bytes: Buffer
  /** Byte offset between the quotes of the empty resourceVersion. */
  gap: number
  /** Byte offset just after metadata's closing brace. */
  metaEnd: number
}

/**
 * Keys in the order apiVersion, kind, metadata, then as the object has them. The object is not changed.
 * `managedFields` is their JSON, for objects that do not have them yet.
 */
export function encodeObject(object: KubeObject, managedFields?: string, memory?: FieldMemory): Encoded {
  const { apiVersion, kind, metadata, ...rest } = object
  const head = headOf(apiVersion, kind)
  const owned = metadata.managedFields
  // A field that is undefined is not written; taking it out would cost more than the writing.
  const bare = metadata.resourceVersion === undefined && owned === undefined
  const meta = writeJson(bare ? metadata : { ...metadata, resourceVersion: undefined, managedFields: undefined })
  let metaText = meta === '{}' ? '"}' : `",${meta.slice(1)}`
  const fields = managedFields ?? (owned && owned.length > 0 ? textOf(owned, memory) : undefined)
  // managedFields come last, where readStored expects them.
  if (fields !== undefined) metaText = `${metaText.slice(0, -1)},"managedFields":${fields}}`
  const others = writeJson(rest)
  const text = others === '{}' ? `${head}${metaText}}` : `${head}${metaText},${others.slice(1)}`
  const bytes = Buffer.from(text)
  if (bytes.length === text.length) return { bytes, gap: head.length, metaEnd: head.length + metaText.length }
  const gap = Buffer.byteLength(head)
  return { bytes, gap, metaEnd: gap + Buffer.byteLength(metaText) }
}

/** Up to the gap. */
function headOf(apiVersion: string, kind: string): string {
  return `{"apiVersion":${quoted(apiVersion)},"kind":${quoted(kind)},"metadata":{"resourceVersion":"`
}

/** A name without anything to escape, as nearly all are, needs no JSON.stringify: it costs more than a microsecond of a create. */
function quoted(name: string): string {
  return PLAIN.test(name) ? `"${name}"` : JSON.stringify(name)
}

const PLAIN = /^[\w./-]*$/

function textOf(managedFields: readonly unknown[], memory: FieldMemory | undefined): string {
  return memory === undefined ? fieldsText(managedFields) : memory.texts.write(managedFields)
}

/** The whole JSON with the digits of the revision in the gap. */
export function spliceRevision({ bytes, gap }: Gapped, revision: number): Buffer<ArrayBuffer> {
  const digits = String(revision)
  const whole = Buffer.allocUnsafe(bytes.length + digits.length)
  // Copies ranges and single bytes, because every slice would allocate an object.
  const source = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  source.copy(whole, 0, 0, gap)
  for (let i = 0; i < digits.length; i++) whole[gap + i] = digits.charCodeAt(i)
  source.copy(whole, gap + digits.length, gap)
  return whole
}

interface Gapped {
  readonly bytes: Uint8Array
  readonly gap: number
}
