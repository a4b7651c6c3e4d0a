// JSON merge patch (RFC 7386). The result is all new: it shares nothing with the document or the patch.

import { deepClone } from '../json/deep.ts'
import type { JsonValue } from '../json/json-value.ts'

export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return deepClone(patch)
  const result: { [key: string]: JsonValue } = {}
  if (isObject(document)) {
    for (const key of Object.keys(document)) {
      if (!Object.hasOwn(patch, key)) put(result, key, deepClone(document[key] ?? null))
      else if (patch[key] !== null) put(result, key, applyMergePatch(document[key] ?? null, patch[key] ?? null))
    }
  }
  for (const key of Object.keys(patch)) {
    if (patch[key] === null || Object.hasOwn(result, key)) continue
    put(result, key, applyMergePatch(null, patch[key] ?? null))
  }
  return result
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The reader lets no `__proto__` in; a value from elsewhere must not reach a prototype either. */
function put(object: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value
}
