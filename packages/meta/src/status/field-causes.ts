// The problem of one field, in Kubernetes' wording. Validation collects causes, and `invalid` makes the response of them.

import { writeJson } from '../json/write-json.ts'

export type CauseReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueTypeInvalid'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'
  | 'InternalError'
  | 'FieldManagerConflict'
  | 'ResourceVersionTooLarge'
  | 'NamespaceTerminating'
  | 'UnexpectedServerResponse'

export interface Cause {
  reason: CauseReason | (string & {})
  message: string
  /** `spec.ports[0].name`; empty for the object as a whole. */
  field: string
}

export function required(field: string, detail = ''): Cause {
  return cause('FieldValueRequired', field, 'Required value', detail)
}

export function invalidValue(field: string, value: unknown, detail: string): Cause {
  return cause('FieldValueInvalid', field, `Invalid value: ${show(value)}`, detail)
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): Cause {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map((v) => JSON.stringify(v)).join(', ')}`
  return cause('FieldValueNotSupported', field, `Unsupported value: ${show(value)}`, detail)
}

export function typeInvalid(field: string, value: unknown, detail: string): Cause {
  return cause('FieldValueTypeInvalid', field, `Invalid value: ${show(value)}`, detail)
}

/** `limit` is in bytes; the value itself is never repeated. */
export function tooLong(field: string, limit: number): Cause {
  return cause(
    'FieldValueTooLong',
    field,
    'Too long',
    `may not be more than ${limit} ${limit === 1 ? 'byte' : 'bytes'}`,
  )
}

export function tooMany(field: string, actual: number, limit: number): Cause {
  return cause(
    'FieldValueTooMany',
    field,
    `Too many: ${actual}`,
    `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
  )
}

export function forbiddenField(field: string, detail: string): Cause {
  return cause('FieldValueForbidden', field, 'Forbidden', detail)
}

export function duplicate(field: string, value: unknown): Cause {
  return cause('FieldValueDuplicate', field, `Duplicate value: ${show(value)}`, '')
}

export function notFoundValue(field: string, value: unknown): Cause {
  return cause('FieldValueNotFound', field, `Not found: ${show(value)}`, '')
}

function cause(reason: CauseReason, field: string, message: string, detail: string): Cause {
  return { reason, message: detail === '' ? message : `${message}: ${detail}`, field }
}

/** Shortens a value for a message: it may be megabytes. */
const MAX_SHOWN = 10_000

function show(value: unknown): string {
  if (typeof value === 'string' && value.length > MAX_SHOWN) return writeJson(`${value.slice(0, MAX_SHOWN)}...`)
  const text = value === undefined ? 'null' : writeJson(value)
  return text.length > MAX_SHOWN && typeof value === 'object' ? `${text.slice(0, MAX_SHOWN)}...` : text
}
