// How a library says what functions it has: the overloads by name, each with its signature and what it does. The checker reads the
// signatures, the evaluator calls; costs are told by name and id in cost/.

import type { CelType } from '../types/cel-type.ts'
import type { Value } from '../values/value.ts'

export interface Overload {
  readonly id: string
  readonly isMember: boolean
  /** With that of the target first. */
  readonly params: readonly CelType[]
  readonly result: CelType
  /** Called with values of these types, none of them a failure. An operator has none: the evaluator knows it. */
  readonly call?: (...args: never[]) => Value
}

export interface FunctionDeclaration {
  readonly name: string
  readonly overloads: readonly Overload[]
}

export interface Library {
  readonly functions: readonly FunctionDeclaration[]
  /** Types whose names an expression may write. */
  readonly types?: readonly CelType[]
}

export type FunctionTable = ReadonlyMap<string, readonly Overload[]>

export function functionTable(libraries: readonly Library[]): FunctionTable {
  const table = new Map<string, readonly Overload[]>()
  for (const { functions } of libraries) {
    for (const { name, overloads } of functions) table.set(name, [...(table.get(name) ?? []), ...overloads])
  }
  return table
}

export function define(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads }
}

type Params = readonly CelType[]

/** An overload that is called as `name(args)`. */
export function global(id: string, params: Params, result: CelType, call?: (...args: never[]) => Value): Overload {
  return call === undefined ? { id, isMember: false, params, result } : { id, isMember: false, params, result, call }
}

/** An overload that is called as `target.name(args)`. */
export function member(id: string, params: Params, result: CelType, call?: (...args: never[]) => Value): Overload {
  return call === undefined ? { id, isMember: true, params, result } : { id, isMember: true, params, result, call }
}
