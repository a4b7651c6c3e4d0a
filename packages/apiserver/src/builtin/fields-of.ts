// Reads a value from an object whose type is not known yet. Callers are the rules of kinds, which run on
// bodies that may hold anything.

export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value's fields; none when it is not an object. The empty answer is not part of the value. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
