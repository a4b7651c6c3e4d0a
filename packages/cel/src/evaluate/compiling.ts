// What compiling one part of an expression needs of the whole. compile.ts is it; calls and loops are compiled with it.

import type { Checked } from '../check/checked.ts'
import type { FunctionTable } from '../functions/declaration.ts'
import type { Expression } from '../syntax/expression.ts'
import type { CelType } from '../types/cel-type.ts'
import type { Part, Run } from './frame.ts'

export interface Compiling {
  readonly checked: Checked
  readonly functions: FunctionTable
  compile(expression: Expression): Part
  type(expression: Expression): CelType
  /** Compiles with a variable of a comprehension in a slot of its own. */
  withLocal<T>(name: string, compile: (slot: number) => T): T
  /** Evaluates what depends on nothing at once; it then costs nothing. */
  fold(run: Run): Part
}
