// Encodes an object once, with a gap where the resourceVersion goes: the one thing a writer cannot know before
// its commit. The store keeps the bytes and the two offsets; filling the gap is a copy and never a parse.

import type { KubeObject } from '../object/object.ts'
import { writeJson } from './write-json.ts'

export interface Encoded {
  bytes: Buffer
  /** Byte offset between the quotes of the empty resourceVersion. */
  gap: number
  /** Byte offset just after metadata's closing brace. */
  metaEnd: number
}

/** Keys in the order apiVersion, kind, metadata, then as the object has them. The object is not changed. */
export function encodeObject(object: KubeObject): Encoded {
  const { apiVersion, kind, metadata, ...others } = object
  const { resourceVersion: _, ...meta } = metadata
  const head = `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},"metadata":{"resourceVersion":"`
  const metaText = continued('"', writeJson(meta))
  const text = head + metaText + continued('', writeJson(others))
  const bytes = Buffer.from(text)
  if (bytes.length === text.length) return { bytes, gap: head.length, metaEnd: head.length + metaText.length }
  const gap = Buffer.byteLength(head)
  return { bytes, gap, metaEnd: gap + Buffer.byteLength(metaText) }
}

/** The whole JSON with the digits of the revision in the gap. */
export function spliceRevision(
  encoded: { readonly bytes: Uint8Array; readonly gap: number },
  revision: number,
): Buffer<ArrayBuffer> {
  const { bytes, gap } = encoded
  const digits = String(revision)
  const whole = Buffer.allocUnsafe(bytes.length + digits.length)
  whole.set(bytes.subarray(0, gap))
  whole.write(digits, gap, 'latin1')
  whole.set(bytes.subarray(gap), gap + digits.length)
  return whole
}

/** An object's JSON as the continuation of one that is already open. */
function continued(before: string, json: string): string {
  return json === '{}' ? `${before}}` : `${before},${json.slice(1)}`
}
