// Encodes options as the query of a URL. Undefined values are left out.

import type { SelectOptions, WriteOptions } from '../api/client.ts'

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/** The query with its question mark; empty without values. */
export function query(values: QueryValues): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parts.push(`${name}=${encodeURIComponent(value)}`)
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

export function selecting({ labelSelector, fieldSelector }: SelectOptions): QueryValues {
  return { labelSelector: labelSelector || undefined, fieldSelector: fieldSelector || undefined }
}

export function writing({ fieldManager, dryRun, fieldValidation }: WriteOptions): QueryValues {
  return { fieldManager, dryRun: dryRun ? 'All' : undefined, fieldValidation }
}
