// JSONPath in Kubernetes' dialect, as printer columns and scale paths use it: `.spec.x`, `.items[*].name`,
// `.conditions[?(@.type=="Ready")].status`. A path is parsed once, when its definition is stored.

import type { JsonValue } from '../json/json-value.ts'
import { Evaluation } from './evaluation.ts'
import { parsePath } from './path-parser.ts'

export interface JsonPath {
  /** Everything the path reaches, in order; empty when it reaches nothing. Only own properties are followed. */
  find(document: unknown): JsonValue[]
}

/** Longer than any sensible column; a bound on what a definition can make the server parse. */
const MAX_LENGTH = 4096

/** Throws an Error that says what is wrong with the path. */
export function parseJsonPath(text: string): JsonPath {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH) throw new Error(`a JSON path may not be longer than ${MAX_LENGTH} characters`)
  const braced = trimmed.startsWith('{') && trimmed.endsWith('}')
  const steps = parsePath(braced ? trimmed.slice(1, -1).trim() : trimmed)
  return { find: (document) => new Evaluation(document as JsonValue).run(steps) }
}
