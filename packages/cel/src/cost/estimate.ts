// The cost of an expression in the best and in the worst case, as Kubernetes estimates it when a rule is written. Sizes come from
// literals, from operations on them, and from the bounds of declared types, to which paths such as `self.items.@items.name` lead.

import type { Checked } from '../check/checked.ts'
import type { Call, Comprehension, Expression } from '../syntax/expression.ts'
import { accumulator } from '../syntax/macros.ts'
import type { CelType } from '../types/cel-type.ts'
import { chargedSize } from '../values/size-of.ts'
import { type CallEstimate, type EstimatedArg, estimateCall, unionOfResults } from './call-estimates.ts'
import { listCreation, mapCreation } from './factors.ts'
import { Path } from './path.ts'
import { fixed, plus, type Range, times, union, unknownSize } from './ranges.ts'
import { standardEstimate } from './standard-estimates.ts'

/** Sizes of the keys and values, or items, of a container. */
interface EntrySize {
  readonly isList: boolean
  readonly key: Range
  readonly value: Range
}

interface Local {
  readonly path: Path
  readonly size: Range | undefined
  readonly entries: EntrySize | undefined
}

const nothing = fixed(0)
const single = fixed(1)

export function estimateCost(checked: Checked, variables: Readonly<Record<string, CelType>>): Range {
  return new Estimator(checked, variables).cost(checked.root)
}

class Estimator {
  readonly #checked: Checked
  readonly #variables: Readonly<Record<string, CelType>>
  readonly #paths: Path[] = []
  readonly #sizes: Range[] = []
  readonly #entries: EntrySize[] = []
  readonly #locals = new Map<string, Local[]>()

  constructor(checked: Checked, variables: Readonly<Record<string, CelType>>) {
    this.#checked = checked
    this.#variables = variables
  }

  cost(expression: Expression): Range {
    const name = this.#checked.names.get(expression.id) ?? this.#checked.typeNames.get(expression.id)
    if (name !== undefined && expression.kind !== 'call') return this.#identifier(expression, name)
    switch (expression.kind) {
      case 'literal':
      case 'struct':
        return nothing
      case 'identifier':
        return this.#identifier(expression, expression.name)
      case 'select':
        return this.#select(expression)
      case 'call':
        return this.#call(expression)
      case 'list':
        return this.#list(expression)
      case 'map':
        return this.#map(expression)
      case 'comprehension':
        return expression.accumulator === accumulator ? this.#comprehension(expression) : this.#bind(expression)
    }
  }

  #identifier(expression: Expression, name: string): Range {
    this.#paths[expression.id] = this.#local(name)?.path ?? Path.of(name)
    return single
  }

  #select(select: Expression & { kind: 'select' }): Range {
    const operand = this.cost(select.operand)
    if (select.testOnly) return operand
    this.#paths[select.id] = this.#path(select.operand).append(select.field)
    const { kind } = this.#type(select.operand)
    return kind === 'map' || kind === 'object' ? plus(operand, single) : operand
  }

  #list(list: Expression & { kind: 'list' }): Range {
    let sum = fixed(listCreation)
    const item = new Collected()
    for (const one of list.items) {
      sum = plus(sum, this.cost(one))
      item.add(this.#sizeOrUnknown(one))
    }
    this.#entries[list.id] = { isList: true, key: single, value: item.range }
    return sum
  }

  #map(map: Expression & { kind: 'map' }): Range {
    let sum = fixed(mapCreation)
    const keys = new Collected()
    const values = new Collected()
    for (const { key, value } of map.entries) {
      sum = plus(plus(sum, this.cost(key)), this.cost(value))
      keys.add(this.#sizeOrUnknown(key))
      values.add(this.#sizeOrUnknown(value))
    }
    this.#entries[map.id] = { isList: false, key: keys.range, value: values.range }
    return sum
  }

  #bind(bind: Comprehension): Range {
    const start = plus(this.cost(bind.range), this.cost(bind.start))
    this.#push(bind.accumulator, this.#path(bind.start), this.#size(bind.start), this.#entrySize(bind.start))
    const sum = plus(start, this.cost(bind.result))
    this.#pop(bind.accumulator)
    this.#copySizes(bind, bind.result)
    return sum
  }

  #comprehension(loop: Comprehension): Range {
    let sum = plus(this.cost(loop.range), this.cost(loop.start))
    this.#push(loop.accumulator, this.#path(loop.start), this.#size(loop.start), this.#entrySize(loop.start))
    const names = this.#pushVariables(loop)
    const each = plus(this.cost(loop.condition), this.cost(loop.step))
    for (const name of names) this.#pop(name)
    sum = plus(sum, this.cost(loop.result))
    this.#pop(loop.accumulator)
    const count = this.#sizeOrUnknown(loop.range)
    if (loop.start.kind === 'literal') this.#setSize(loop, this.#size(loop.start))
    else if (loop.start.kind === 'list' || loop.start.kind === 'map') {
      this.#sizes[loop.id] = count
      const entries = this.#entrySize(loop.step)
      if (entries !== undefined) this.#entries[loop.id] = entries
    }
    return plus(sum, times(count, each))
  }

  #pushVariables(loop: Comprehension): string[] {
    const entries = this.#entrySize(loop.range)
    const isList = entries?.isList ?? this.#type(loop.range).kind === 'list'
    const path = this.#path(loop.range)
    if (loop.variable2 !== undefined) {
      this.#push(loop.variable, path.append(isList ? '@indices' : '@keys'), entries?.key, undefined)
      this.#push(loop.variable2, path.append(isList ? '@items' : '@values'), entries?.value, undefined)
      return [loop.variable, loop.variable2]
    }
    if (isList) this.#push(loop.variable, path.append('@items'), entries?.value, undefined)
    else this.#push(loop.variable, path.append('@keys'), entries?.key, undefined)
    return [loop.variable]
  }

  #call(call: Call): Range {
    const name = this.#checked.names.get(call.id) ?? call.name
    if (name === 'dyn' && call.args[0] !== undefined) {
      const inner = this.cost(call.args[0])
      this.#copySizes(call, call.args[0])
      return plus(single, inner)
    }
    const costs = call.args.map((arg) => this.cost(arg))
    const args = call.args.map((arg) => this.#arg(arg))
    const target = this.#checked.names.has(call.id) ? undefined : call.target
    const targetCost = target === undefined ? nothing : this.cost(target)
    const targetArg = target === undefined ? undefined : this.#arg(target)
    let cost: Range | undefined
    let result: Range | undefined
    for (const id of this.#checked.overloads.get(call.id) ?? []) {
      const estimate = this.#overload(call, name, id, targetArg, args, costs)
      cost = cost === undefined ? estimate.cost : union(cost, estimate.cost)
      result = unionOfResults(result, estimate.result)
      result = this.#indexed(call, id) ?? result ?? this.#size(call)
    }
    this.#setSize(call, result)
    return plus(targetCost, cost ?? nothing)
  }

  /** The size of what an index finds, by the items of the container. */
  #indexed(call: Call, id: string): Range | undefined {
    const [container] = call.args
    if (container === undefined || (id !== 'index_list' && id !== 'index_map')) return undefined
    this.#paths[call.id] = this.#path(container).append(id === 'index_list' ? '@items' : '@values')
    return this.#entrySize(container)?.value
  }

  #overload(
    call: Call,
    name: string,
    id: string,
    target: EstimatedArg | undefined,
    args: readonly EstimatedArg[],
    costs: readonly Range[],
  ): CallEstimate {
    const sum = costs.reduce(plus, nothing)
    const known = estimateCall(name, id, target, args)
    if (known !== undefined) return withArgs(known, sum)
    const [first, second, third] = costs as [Range, Range, Range]
    if (id === 'logical_or' || id === 'logical_and') return { cost: { min: first.min, max: plus(first, second).max } }
    if (id === 'conditional') {
      const [, truthy, falsy] = call.args as [Expression, Expression, Expression]
      this.#setEntries(call, this.#entrySize(truthy), this.#entrySize(falsy))
      return {
        cost: plus(first, union(second, third)),
        result: union(this.#sizeOrUnknown(truthy), this.#sizeOrUnknown(falsy)),
      }
    }
    if (id === 'add_list' || id === 'add_string' || id === 'add_bytes') {
      const [left, right] = call.args as [Expression, Expression]
      this.#setEntries(call, this.#entrySize(left), this.#entrySize(right))
    }
    return withArgs(standardEstimate(id, target, args) ?? { cost: single }, sum)
  }

  #arg(expression: Expression): EstimatedArg {
    const type = this.#type(expression)
    const computedSize = this.#size(expression)
    const path = this.#visiblePath(expression)
    const int = expression.kind === 'literal' && typeof expression.value === 'number' ? expression.value : undefined
    return {
      type,
      computedSize,
      size: () => computedSize ?? this.#bound(path.steps()),
      int,
      itemSize: () => this.#bound(path.length === 0 ? [] : [...path.steps(), '@items']) ?? unknownSize,
    }
  }

  /** The path of an accumulator leads nowhere. */
  #visiblePath(expression: Expression): Path {
    const path = this.#path(expression)
    return path.steps()[0] === accumulator ? Path.none : path
  }

  #path(expression: Expression): Path {
    if (expression.kind === 'identifier') {
      const local = this.#local(expression.name)
      if (local !== undefined) return local.path
    }
    return this.#paths[expression.id] ?? Path.none
  }

  #size(expression: Expression): Range | undefined {
    const known = this.#sizes[expression.id] ?? literalSize(expression)
    if (known !== undefined) return known
    const bound = this.#bound(this.#path(expression).steps())
    if (bound !== undefined) {
      this.#sizes[expression.id] = bound
      return bound
    }
    if (isScalar(this.#type(expression))) return single
    return expression.kind === 'identifier' ? this.#local(expression.name)?.size : undefined
  }

  #sizeOrUnknown(expression: Expression): Range {
    return this.#size(expression) ?? unknownSize
  }

  /** By the declared type at the end of a path. A path of no variable starts at `self`, as Kubernetes' does. */
  #bound(path: readonly string[]): Range | undefined {
    if (path.length === 0) return undefined
    let type: CelType | undefined = this.#variables[path[0] as string] ?? this.#variables.self
    if (type?.kind === 'optional') type = type.parameters[0]
    for (const step of path.slice(1)) type = type === undefined ? undefined : stepInto(type, step)
    return type === undefined ? undefined : { min: 0, max: type.maxElements }
  }

  #entrySize(expression: Expression): EntrySize | undefined {
    const known = this.#entries[expression.id]
    if (known !== undefined) return known
    return expression.kind === 'identifier' ? this.#local(expression.name)?.entries : undefined
  }

  #setEntries(expression: Expression, a: EntrySize | undefined, b: EntrySize | undefined): void {
    if (a === undefined || b === undefined) return
    this.#entries[expression.id] = { isList: a.isList, key: union(a.key, b.key), value: union(a.value, b.value) }
  }

  #setSize(expression: Expression, size: Range | undefined): void {
    if (size !== undefined) this.#sizes[expression.id] = size
  }

  #copySizes(to: Expression, from: Expression): void {
    this.#setSize(to, this.#size(from))
    const entries = this.#entrySize(from)
    if (entries !== undefined) this.#entries[to.id] = entries
  }

  #type(expression: Expression): CelType {
    return this.#checked.types[expression.id] as CelType
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1)
  }

  #push(name: string, path: Path, size: Range | undefined, entries: EntrySize | undefined): void {
    const stack = this.#locals.get(name) ?? []
    stack.push({ path, size, entries })
    this.#locals.set(name, stack)
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop()
  }
}

class Collected {
  #range: Range | undefined

  add(size: Range): void {
    this.#range = this.#range === undefined ? size : union(this.#range, size)
  }

  get range(): Range {
    return this.#range ?? nothing
  }
}

function withArgs(estimate: CallEstimate, args: Range): CallEstimate {
  return { ...estimate, cost: plus(estimate.cost, args) }
}

function stepInto(type: CelType, step: string): CelType | undefined {
  switch (step) {
    case '@items':
      return type.kind === 'list' ? type.parameters[0] : type.kind === 'map' ? type.parameters[1] : undefined
    case '@values':
      return type.kind === 'map' ? type.parameters[1] : type.kind === 'list' ? type.parameters[0] : undefined
    case '@keys':
      return type.kind === 'map' ? type.parameters[0] : undefined
    default:
      return type.fields?.get(step)?.type
  }
}

function literalSize(expression: Expression): Range | undefined {
  switch (expression.kind) {
    case 'literal':
      return fixed(chargedSize(expression.value))
    case 'list':
      return fixed(expression.items.length)
    case 'map':
      return fixed(expression.entries.length)
    default:
      return undefined
  }
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])

function isScalar(type: CelType): boolean {
  return scalars.has(type.kind) || (type.kind === 'optional' && isScalar(type.parameters[0] as CelType))
}
