// JSON merge patch (RFC 7386). The result shares unchanged parts with the document, or is the document itself, so that later
// steps see by identity what changed. It shares nothing with the patch, and neither input is changed.

import { deepClone, deepEqual } from '../json/deep.ts'
import { isObject } from '../json/is-object.ts'
import type { JsonValue } from '../json/json-value.ts'

export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return deepEqual(document, patch) ? document : deepClone(patch)
  if (!isObject(document)) return withoutNulls(patch)
  let result: { [key: string]: JsonValue } | undefined
  let removes = false
  for (const key in patch) {
    const wanted = patch[key] ?? null
    const before = fieldOf(document, key)
    if (wanted === null) removes ||= before !== undefined
    else {
      const after = applyMergePatch(before ?? null, wanted)
      if (after === before) continue
      result ??= { ...document }
      put(result, key, after)
    }
  }
  return removes ? without(result ?? document, patch) : (result ?? document)
}

/** Inherited properties are functions, which JSON never holds; checking the value is faster than Object.hasOwn. */
function fieldOf(object: { [key: string]: JsonValue }, key: string): JsonValue | undefined {
  const value = object[key]
  return typeof value === 'function' || key === '__proto__' ? undefined : value
}

/** A copy without the fields that the patch takes away. Deleting from an object would slow down all that follows. */
function without(object: { [key: string]: JsonValue }, patch: { [key: string]: JsonValue }): JsonValue {
  const result: { [key: string]: JsonValue } = {}
  for (const key of Object.keys(object)) {
    if (!Object.hasOwn(patch, key) || patch[key] !== null) put(result, key, object[key] ?? null)
  }
  return result
}

function withoutNulls(patch: { [key: string]: JsonValue }): JsonValue {
  const result: { [key: string]: JsonValue } = {}
  for (const key of Object.keys(patch)) {
    const wanted = patch[key] ?? null
    if (wanted !== null) put(result, key, applyMergePatch(null, wanted))
  }
  return result
}

/** The reader lets no `__proto__` in; a value from elsewhere must not reach a prototype either. */
function put(object: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value
}
