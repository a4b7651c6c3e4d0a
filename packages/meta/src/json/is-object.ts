// Tells objects from everything else that JSON and callers may bring. Whoever reads a value of unknown shape asks it.

import type { JsonObject, JsonValue } from './json-value.ts'

/** An object with fields: neither null nor an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject
export function isObject(value: unknown): value is Record<string, unknown>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
