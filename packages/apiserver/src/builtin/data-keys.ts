// Checks that ConfigMaps and Secrets share: the form of keys, the total size, and `immutable`.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue } from '@homeostat/meta/server'
import type { Fields } from './fields-of.ts'

/** The limit on the sum of all values, in bytes. */
export const MAX_DATA_BYTES = 1024 * 1024

const MAX_KEY_LENGTH = 253

export function keyErrors(data: Fields, path: string): Cause[] {
  return Object.keys(data).flatMap((key) =>
    keyMessages(key).map((message) => invalidValue(`${path}[${key}]`, key, message)),
  )
}

function keyMessages(key: string): string[] {
  if (key.length > MAX_KEY_LENGTH) return [`must be no more than ${MAX_KEY_LENGTH} characters`]
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    return ["a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name')"]
  }
  if (key === '.' || key === '..') return [`must not be '${key}'`]
  return key.startsWith('..') ? ["must not start with '..'"] : []
}

/** A cause for each of `fields` that changes although the old object was immutable. */
export function immutableErrors(object: KubeObject, old: KubeObject, fields: readonly string[]): Cause[] {
  if (old.immutable !== true) return []
  const changed = fields.filter((field) => !deepEqual(object[field] ?? {}, old[field] ?? {}))
  return [...(object.immutable === true ? [] : ['immutable']), ...changed].map((field) =>
    forbiddenField(field, 'field is immutable when `immutable` is set'),
  )
}

/** The number of bytes that canonical base64 decodes to. */
export function decodedLength(base64: unknown): number {
  if (typeof base64 !== 'string') return 0
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return (base64.length / 4) * 3 - padding
}
