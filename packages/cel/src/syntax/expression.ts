// The parts of an expression as a tree. The parser makes it, macros included; the checker, the estimate and the compiler read it. A node's
// id is its place in their tables.

import type { Value } from '../values/value.ts'

interface Node {
  readonly id: number
  /** Where messages point to: the operator of a call, the dot of a selection, else the first character. In code points. */
  readonly offset: number
}

export interface Literal extends Node {
  readonly kind: 'literal'
  readonly value: Value
}

export interface Identifier extends Node {
  readonly kind: 'identifier'
  readonly name: string
}

export interface Select extends Node {
  readonly kind: 'select'
  readonly operand: Expression
  readonly field: string
  /** Made by has(). */
  readonly testOnly: boolean
}

export interface Call extends Node {
  readonly kind: 'call'
  readonly name: string
  readonly target?: Expression
  readonly args: readonly Expression[]
}

export interface ListLiteral extends Node {
  readonly kind: 'list'
  readonly items: readonly Expression[]
  /** The places of items that are written `?item`. */
  readonly optional: ReadonlySet<number>
}

export interface MapEntry {
  readonly id: number
  readonly key: Expression
  readonly value: Expression
  readonly optional: boolean
}

export interface MapLiteral extends Node {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
}

export interface StructLiteral extends Node {
  readonly kind: 'struct'
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly value: Expression; readonly optional: boolean }[]
}

/** For each item of the range, while the condition holds: the accumulator becomes the value of the step. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension'
  readonly range: Expression
  readonly variable: string
  /** With two variables, the first is an index or a key, and this one the item or the value. */
  readonly variable2?: string
  readonly accumulator: string
  readonly start: Expression
  readonly condition: Expression
  readonly step: Expression
  readonly result: Expression
}

export type Expression = Literal | Identifier | Select | Call | ListLiteral | MapLiteral | StructLiteral | Comprehension

export interface Parsed {
  readonly root: Expression
  /** Ids are below it. */
  readonly size: number
}
