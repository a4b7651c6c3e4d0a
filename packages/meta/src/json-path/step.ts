// The parts of a parsed JSON path.

import type { JsonValue } from '../json/json-value.ts'

export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly start: number; readonly end: number | undefined; readonly by: number }
  | { readonly kind: 'wildcard' }
  /** The value itself and everything below it. */
  | { readonly kind: 'recursive' }
  | { readonly kind: 'union'; readonly paths: readonly (readonly Step[])[] }
  | { readonly kind: 'filter'; readonly left: Operand; readonly comparison?: Comparison }

export interface Comparison {
  readonly operator: Operator
  readonly right: Operand
}

export type Operator = '==' | '!=' | '<=' | '>=' | '<' | '>'

/** One side of a filter: a literal, or a path from the item (`@`) or the document (`$`). */
export type Operand =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'path'; readonly from: 'item' | 'document'; readonly steps: readonly Step[] }
