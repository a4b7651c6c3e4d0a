// Options as the query of a URL. What is undefined is left out.

import type { SelectOptions, WriteOptions } from '../api/client.ts'

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/** With its question mark; empty when there is nothing to say. */
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
