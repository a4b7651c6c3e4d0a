// Tells objects from other JSON values. Code that reads a value of unknown shape calls it.

import type { JsonObject, JsonValue } from './json-value.ts'

/** An object with fields: neither null nor an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject
export function isObject(value: unknown): value is Record<string, unknown>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
