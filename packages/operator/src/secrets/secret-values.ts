// The values of a Secret as plain text, and their validation. Pure. No value ever appears in a message.

import type { z } from 'zod'

export type SecretSchema = z.ZodObject

export type SecretValues = Readonly<Record<string, string>>

export function encodeValues(values: SecretValues): Record<string, string> {
  const entries = Object.entries(values).map(([key, value]) => [key, Buffer.from(value, 'utf8').toString('base64')])
  return Object.fromEntries(entries)
}

export function decodeValues(data: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  const entries = Object.entries(data ?? {}).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, Buffer.from(value, 'base64').toString('utf8')]] : [],
  )
  return Object.fromEntries(entries)
}

/** Checks a generator's values: undefined keys are left out, all others must be strings. */
export function textValues(values: Readonly<Record<string, unknown>>, of: string): SecretValues {
  const text: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === 'string') text[key] = value
    else if (value !== undefined) throw new Error(`${of}: the value of ${key} is no text: a Secret holds text only`)
  }
  return text
}

export type Parsed<V> = { readonly value: V } | { readonly problems: readonly string[] }

/** Problems name keys and rules. A custom message of the schema could contain the value, so it is left out. */
export function parseValues<S extends SecretSchema>(schema: S, values: SecretValues): Parsed<z.output<S>> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return { value: parsed.data }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'} (${issue.code})`)
  return { problems }
}

/** The wanted values whose keys are missing. An existing key is never among them, whatever its value. */
export function missingValues(existing: SecretValues, wanted: SecretValues): Record<string, string> {
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !Object.hasOwn(existing, key)))
}

/** Changes with the values and reveals nothing of them; the salt keeps equal values of two Secrets apart. */
export function digestValues(values: SecretValues, salt: string): string {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256')
    .update(JSON.stringify([salt, sorted]))
    .digest('hex')
    .slice(0, 16)
}
