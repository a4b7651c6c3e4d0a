// Reads a value from an object whose type is not known yet. Callers are the rules of kinds, which run on
// bodies that may hold anything.

import { isObject } from '@homeostat/meta'

export type Fields = Record<string, unknown>

/** The value's fields; none when it is not an object. The empty answer is not part of the value. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
