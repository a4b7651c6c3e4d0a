// JSONPath in Kubernetes' dialect, as printer columns use it.

import type { JsonValue } from '../json/json-value.ts'

export interface JsonPath {
  /** Everything the path reaches, in order; empty when it reaches nothing. */
  find(document: unknown): JsonValue[]
}

/** Throws an Error that says what is wrong with the path. */
export function parseJsonPath(text: string): JsonPath {
  const steps = text
    .replace(/^\{|\}$/g, '')
    .split('.')
    .filter(Boolean)
  return {
    find(document) {
      let value = document as JsonValue | undefined
      for (const step of steps) {
        value = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[step] : undefined
      }
      return value === undefined ? [] : [value]
    },
  }
}
