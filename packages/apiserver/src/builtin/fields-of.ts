// Reads a value from an object that is not validated yet. The rules of kinds use it, because bodies may hold any
// values.

import { isObject } from '@homeostat/meta'

export type Fields = Record<string, unknown>

/** The value's fields; a new empty object when it is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
