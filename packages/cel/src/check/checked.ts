// What the checker found out about an expression. The estimate and the compiler read it.

import type { Expression } from '../syntax/expression.ts'
import type { CelType } from '../types/cel-type.ts'

export interface Checked {
  readonly root: Expression
  readonly size: number
  /** By id of a part. */
  readonly types: readonly CelType[]
  /** The ids of the overloads that a call may mean, by its id. */
  readonly overloads: ReadonlyMap<number, readonly string[]>
  /** Selections that are the qualified name of a variable or type, and calls that are a function with a qualified name: the name by id. */
  readonly names: ReadonlyMap<number, string>
  /** Identifiers that name a type: the type's name by id. */
  readonly typeNames: ReadonlyMap<number, string>
  /** The declared variables that it reads. */
  readonly variables: ReadonlySet<string>
}
