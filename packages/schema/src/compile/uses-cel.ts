// Whether a schema can be compiled without CEL, which a server loads with the first one that cannot.

import type { JsonSchema } from '../json-schema.ts'

/** True for a schema with a pattern or a rule anywhere in it, or with something in a default that looks like one. */
export function usesCel(schema: JsonSchema): boolean {
  const waiting: unknown[] = [schema]
  const seen = new Set<unknown>(waiting)
  for (const next of waiting) {
    for (const [keyword, value] of Object.entries(next as object)) {
      if (keyword === 'pattern' && typeof value === 'string' && value !== '') return true
      if (keyword === 'x-kubernetes-validations' && Array.isArray(value) && value.length > 0) return true
      if (typeof value !== 'object' || value === null || seen.has(value)) continue
      seen.add(value)
      waiting.push(value)
    }
  }
  return false
}
