// A checked expression to closures. Each part charges what Kubernetes charges for it and hands failures on as values; nothing is thrown
// but the end of the budget.

import type { Checked } from '../check/checked.ts'
import { listCreation, mapCreation } from '../cost/factors.ts'
import type { FunctionTable } from '../functions/declaration.ts'
import type { Comprehension, Expression, ListLiteral, MapLiteral, Select } from '../syntax/expression.ts'
import { accumulator } from '../syntax/macros.ts'
import type { CelType } from '../types/cel-type.ts'
import type { JsonReaders } from '../values/json-values.ts'
import { ValueList } from '../values/lists.ts'
import { ValueMap } from '../values/maps.ts'
import { CelOptional, CelTypeValue, Failure, type Value } from '../values/value.ts'
import { compileCall } from './compile-call.ts'
import { compileComprehension } from './compile-comprehension.ts'
import type { Compiling } from './compiling.ts'
import { failureOf, noOverload } from './failures.ts'
import { compileFieldPath, type FieldPath } from './field-path.ts'
import { Frame, type Part, type Run } from './frame.ts'
import { attribute, constant } from './parts.ts'
import { isPresent, select } from './qualify.ts'

export interface Compiled {
  readonly run: Run
  readonly slots: number
}

/** A constant call that fails: known when the program is made, as in Kubernetes. */
export class ConstantFailure {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

export function compileExpression(
  checked: Checked,
  functions: FunctionTable,
  variables: Readonly<Record<string, CelType>>,
  readers: JsonReaders,
): Compiled | ConstantFailure {
  const compiler = new Compiler(checked, functions, variables, readers)
  try {
    const { run } = compiler.compile(checked.root)
    return { run, slots: compiler.slots }
  } catch (error) {
    if (error instanceof ConstantFailure) return error
    throw error
  }
}

class Compiler implements Compiling {
  readonly checked: Checked
  readonly functions: FunctionTable
  readonly #variables: Readonly<Record<string, CelType>>
  readonly #readers: JsonReaders
  readonly #scopes = new Map<string, number[]>()
  readonly #lazy = new Map<number, Run>()
  slots = 0

  constructor(
    checked: Checked,
    functions: FunctionTable,
    variables: Readonly<Record<string, CelType>>,
    readers: JsonReaders,
  ) {
    this.#readers = readers
    this.checked = checked
    this.functions = functions
    this.#variables = variables
  }

  compile(expression: Expression): Part {
    const name = expression.kind === 'call' ? undefined : this.checked.names.get(expression.id)
    const typeName = this.checked.typeNames.get(expression.id)
    if (typeName !== undefined) return constant(new CelTypeValue(typeName))
    if (name !== undefined) return this.#variable(name)
    switch (expression.kind) {
      case 'literal':
        return constant(expression.value)
      case 'identifier':
        return this.#local(expression.name) ?? this.#variable(expression.name)
      case 'select':
        return this.#select(expression)
      case 'call':
        return compileCall(this, expression)
      case 'list':
        return this.#list(expression)
      case 'map':
        return this.#map(expression)
      case 'struct':
        return { run: () => noOverload }
      case 'comprehension':
        return this.#comprehension(expression)
    }
  }

  type(expression: Expression): CelType {
    return this.checked.types[expression.id] as CelType
  }

  withLocal<T>(name: string, compile: (slot: number) => T): T {
    const slot = this.slots++
    const stack = this.#scopes.get(name) ?? []
    this.#scopes.set(name, [...stack, slot])
    const made = compile(slot)
    this.#scopes.set(name, stack)
    return made
  }

  #local(name: string): Part | undefined {
    const slot = this.#scopes.get(name)?.at(-1)
    if (slot === undefined) return undefined
    const start = this.#lazy.get(slot)
    const bare: Run =
      start === undefined ? (frame) => frame.locals[slot] as Value : (frame) => boundLazily(frame, slot, start)
    return attribute(bare)
  }

  #variable(name: string): Part {
    const type = this.#variables[name] as CelType
    const read = this.#readers.of(type)
    const missing = new Failure(`no such attribute(s): ${name}`)
    const isOptional = type.kind === 'optional'
    return attribute(({ bindings }) => {
      const value = Object.hasOwn(bindings, name) ? bindings[name] : undefined
      return value === undefined && !isOptional ? missing : read(value)
    })
  }

  #select(expression: Select): Part {
    const path = this.#fieldPath(expression)
    if (path !== undefined) return compileFieldPath(path, expression.testOnly)
    const operand = this.compile(expression.operand)
    const inner = operand.attribute?.bare ?? operand.run
    const { field } = expression
    if (expression.testOnly) return { run: (frame) => isPresent(frame, inner(frame), field) }
    return attribute((frame) => select(frame, inner(frame), field), operand.attribute?.isConditional)
  }

  /** Selections of declared fields from a variable, which can be walked in JSON. */
  #fieldPath(expression: Select): FieldPath | undefined {
    const keys: { key: string; name: string }[] = []
    let at: Expression = expression
    while (at.kind === 'select' && !this.checked.names.has(at.id) && (at === expression || !at.testOnly)) {
      const type = this.type(at.operand)
      const field = type.fields?.get(at.field) ?? type.fields?.get(`__${at.field}__`)
      if (type.kind !== 'object' || field === undefined) return undefined
      keys.unshift({ key: field.key, name: at.field })
      at = at.operand
    }
    const name = this.checked.names.get(at.id) ?? (at.kind === 'identifier' ? at.name : undefined)
    if (name === undefined) return undefined
    const last = this.#fieldType(expression)
    const slot = at.kind === 'identifier' ? this.#scopes.get(name)?.at(-1) : undefined
    if (slot !== undefined) return this.#lazy.has(slot) ? undefined : { slot, keys, read: this.#readers.of(last) }
    return { variable: name, keys, read: this.#readers.of(last) }
  }

  #fieldType(expression: Select): CelType {
    const { fields } = this.type(expression.operand)
    return (fields?.get(expression.field) ?? fields?.get(`__${expression.field}__`))?.type as CelType
  }

  #list({ items, optional }: ListLiteral): Part {
    const parts = items.map((item) => this.compile(item))
    if (optional.size === 0 && parts.every((part) => part.constant !== undefined)) {
      return constant(new ValueList(parts.map((part) => part.constant?.value as Value)))
    }
    const runs = parts.map(({ run }) => run)
    return {
      run: (frame) => {
        const values: Value[] = []
        let failure: Failure | undefined
        for (let index = 0; index < runs.length && failure === undefined; index++) {
          const value = (runs[index] as Run)(frame)
          if (value instanceof Failure) failure = value
          else if (!optional.has(index)) values.push(value)
          else if (!(value instanceof CelOptional))
            failure = new Failure('cannot initialize optional list element from non-optional value')
          else if (value.value !== undefined) values.push(value.value)
        }
        frame.charge(listCreation)
        return failure ?? new ValueList(values)
      },
    }
  }

  #map({ entries }: MapLiteral): Part {
    const parts = entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      value: this.compile(value),
      optional,
    }))
    const run: Run = (frame) => {
      const map = new ValueMap()
      let failure: Failure | undefined
      for (const { key, value, optional } of parts) {
        failure ??= putEntry(map, key.run(frame), value.run, optional, frame)
        if (failure !== undefined) break
      }
      frame.charge(mapCreation)
      return failure ?? map
    }
    const isConstant = parts.every(
      ({ key, value, optional }) => !optional && key.constant !== undefined && value.constant !== undefined,
    )
    return isConstant ? this.fold(run) : { run }
  }

  #comprehension(expression: Comprehension): Part {
    if (expression.accumulator === accumulator) return { run: compileComprehension(this, expression) }
    // cel.bind and its like: the variable is evaluated when it is first read, and never twice.
    const start = this.compile(expression.start).run
    return this.withLocal(expression.accumulator, (slot) => {
      this.#lazy.set(slot, start)
      const result = this.compile(expression.result).run
      return {
        run: (frame) => {
          frame.locals[slot] = undefined
          return result(frame)
        },
      }
    })
  }

  fold(run: Run): Part {
    const value = run(new Frame({}, Number.POSITIVE_INFINITY, 0))
    if (value instanceof Failure) throw new ConstantFailure(value.message)
    return constant(value)
  }
}

function boundLazily(frame: Frame, slot: number, start: Run): Value {
  const known = frame.locals[slot]
  if (known !== undefined) return known
  const value = start(frame)
  frame.locals[slot] = value
  return value
}

function putEntry(map: ValueMap, key: Value, run: Run, isOptional: boolean, frame: Frame): Failure | undefined {
  if (key instanceof Failure) return key
  const value = run(frame)
  if (value instanceof Failure) return value
  if (!isOptional) return map.set(key, value)
  if (!(value instanceof CelOptional)) return failureOf(value)
  if (value.value !== undefined) return map.set(key, value.value)
  map.delete(key)
  return undefined
}
