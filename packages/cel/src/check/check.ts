// Gives every part of an expression its type and finds the overloads that calls mean. What does not fit becomes an issue, and the check
// goes on with dyn, so that the author sees all of them at once.

import type { FunctionTable, Overload } from '../functions/declaration.ts'
import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  MapLiteral,
  Select,
  StructLiteral,
} from '../syntax/expression.ts'
import type { Issue } from '../syntax/issues.ts'
import {
  boolType,
  type CelType,
  dynType,
  intType,
  listOf,
  mapOf,
  optionalOf,
  stringType,
  typeParameter,
} from '../types/cel-type.ts'
import { signatureText, typeText } from '../types/type-text.ts'
import type { Checked } from './checked.ts'
import { literalType } from './literal-type.ts'
import type { Scope } from './scope.ts'
import { isExact, mostGeneral, Unification } from './unification.ts'

export interface CheckOptions {
  readonly scope: Scope
  readonly functions: FunctionTable
}

export function check(
  root: Expression,
  size: number,
  options: CheckOptions,
): { checked: Checked } | { issues: Issue[] } {
  const checker = new Checker(options, size)
  checker.check(root, options.scope)
  return checker.issues.length > 0 ? { issues: checker.issues } : { checked: checker.checked(root, size) }
}

/** In place of a type where an issue was found: fits everything, and is found nowhere else. */
const errorType: CelType = { ...dynType, name: '!error!' }

class Checker {
  readonly issues: Issue[] = []
  readonly #options: CheckOptions
  readonly #types: CelType[]
  readonly #overloads = new Map<number, readonly string[]>()
  readonly #names = new Map<number, string>()
  readonly #typeNames = new Map<number, string>()
  readonly #variables = new Set<string>()
  readonly #unification = new Unification()
  #parameters = 0

  constructor(options: CheckOptions, size: number) {
    this.#options = options
    this.#types = new Array(size).fill(errorType)
  }

  checked(root: Expression, size: number): Checked {
    return {
      root,
      size,
      types: this.#types.map((type) => this.#unification.resolve(type, true)),
      overloads: this.#overloads,
      names: this.#names,
      typeNames: this.#typeNames,
      variables: this.#variables,
    }
  }

  check(expression: Expression, scope: Scope): CelType {
    const type = this.#typeOf(expression, scope)
    this.#types[expression.id] = type
    return type
  }

  #typeOf(expression: Expression, scope: Scope): CelType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value)
      case 'identifier':
        return this.#named(expression, expression.name, scope) ?? this.#undeclared(expression, expression.name)
      case 'select':
        return this.#select(expression, scope)
      case 'call':
        return this.#call(expression, scope)
      case 'list':
        return this.#list(expression, scope)
      case 'map':
        return this.#map(expression, scope)
      case 'struct':
        return this.#struct(expression, scope)
      case 'comprehension':
        return this.#comprehension(expression, scope)
    }
  }

  #named(expression: Expression, written: string, scope: Scope): CelType | undefined {
    const name = written.startsWith('.') ? written.slice(1) : written
    const found = written.startsWith('.') ? this.#options.scope.find(name) : scope.find(name)
    if (found === undefined) return undefined
    if (found.kind === 'variable') this.#variables.add(name)
    if (found.kind === 'type') this.#typeNames.set(expression.id, name)
    else if (expression.kind === 'select' || name !== written) this.#names.set(expression.id, name)
    return found.type
  }

  #undeclared(at: Expression, name: string): CelType {
    return this.#issue(at, `undeclared reference to '${name.replace(/^\./, '')}' (in container '')`)
  }

  #select(select: Select, scope: Scope): CelType {
    const qualified = select.testOnly ? undefined : qualifiedName(select)
    const named = qualified === undefined ? undefined : this.#named(select, qualified, scope)
    if (named !== undefined) return named
    const type = this.#field(select, select.operand, select.field, false, scope)
    return select.testOnly ? boolType : this.#unification.resolve(type)
  }

  /** The type of a field; an optional has optional fields. */
  #field(at: Expression, operand: Expression, field: string, isOptional: boolean, scope: Scope): CelType {
    const operandType = this.#unification.resolve(this.check(operand, scope))
    const isInOptional = operandType.kind === 'optional'
    const target = isInOptional ? (operandType.parameters[0] as CelType) : operandType
    const type = this.#fieldOf(at, target, field)
    return isInOptional || isOptional ? optionalOf(type) : type
  }

  #fieldOf(at: Expression, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.parameters[1] as CelType
      case 'object': {
        const found = target.fields?.get(field) ?? target.fields?.get(`__${field}__`)
        return found?.type ?? this.#issue(at, `undefined field '${field}'`)
      }
      case 'parameter':
        this.#unification.fit([dynType], [target])
        return dynType
      case 'dyn':
        return dynType
      default:
        this.#issue(at, `type '${typeText(target)}' does not support field selection`)
        return dynType
    }
  }

  #call(call: Call, scope: Scope): CelType {
    if (call.name === '_?._') return this.#optionalSelect(call, scope)
    for (const arg of call.args) this.check(arg, scope)
    if (call.target === undefined) return this.#function(call, call.name.replace(/^\./, ''), undefined)
    const prefix = qualifiedName(call.target)
    const qualified = prefix === undefined ? undefined : `${prefix.replace(/^\./, '')}.${call.name}`
    if (qualified !== undefined && this.#options.functions.has(qualified)) {
      this.#names.set(call.id, qualified)
      return this.#function(call, qualified, undefined)
    }
    this.check(call.target, scope)
    return this.#function(call, call.name, call.target)
  }

  #optionalSelect(call: Call, scope: Scope): CelType {
    const [operand, field] = call.args as [Expression, Expression]
    this.#types[field.id] = stringType
    this.#overloads.set(call.id, ['select_optional_field'])
    const name = field.kind === 'literal' ? String(field.value) : ''
    return this.#unification.resolve(this.#field(call, operand, name, true, scope))
  }

  #function(call: Call, name: string, target: Expression | undefined): CelType {
    const overloads = this.#options.functions.get(name)
    if (overloads === undefined) return this.#undeclared(call, name)
    const args = (target === undefined ? call.args : [target, ...call.args]).map(
      (arg) => this.#types[arg.id] as CelType,
    )
    if (name === '_&&_' || name === '_||_') return this.#logical(call, overloads[0] as Overload, args)
    const fitting: string[] = []
    let result: CelType | undefined
    for (const overload of overloads) {
      if (overload.isMember !== (target !== undefined)) continue
      const made = this.#fit(overload, args)
      if (made === undefined) continue
      fitting.push(overload.id)
      if (result === undefined) result = made
      else if (result.kind !== 'dyn' && !isExact(result, made)) result = dynType
    }
    if (result !== undefined) {
      this.#overloads.set(call.id, fitting)
      return result
    }
    const shown = args.map((arg) => this.#unification.resolve(arg, true))
    return this.#issue(
      call,
      `found no matching overload for '${name}' applied to '${signatureText(shown, target !== undefined)}'`,
    )
  }

  /** Says which side is no bool. */
  #logical(call: Call, overload: Overload, args: readonly CelType[]): CelType {
    this.#overloads.set(call.id, [overload.id])
    for (const [index, arg] of args.entries()) this.#assert(call.args[index] as Expression, arg, boolType)
    return boolType
  }

  /** The type of the result if the arguments fit. */
  #fit(overload: Overload, args: readonly CelType[]): CelType | undefined {
    const fresh = new Map<string, CelType>()
    const params = overload.params.map((param) => this.#renamed(param, fresh))
    const result = this.#renamed(overload.result, fresh)
    return this.#unification.fit(args, params) ? this.#unification.resolve(result) : undefined
  }

  #renamed(type: CelType, fresh: Map<string, CelType>): CelType {
    if (type.kind === 'parameter') {
      const made = fresh.get(type.name) ?? this.#parameter()
      fresh.set(type.name, made)
      return made
    }
    if (type.parameters.length === 0) return type
    return { ...type, parameters: type.parameters.map((parameter) => this.#renamed(parameter, fresh)) }
  }

  #parameter(): CelType {
    return typeParameter(`_var${this.#parameters++}`)
  }

  #list(list: ListLiteral, scope: Scope): CelType {
    let joined: CelType | undefined
    for (const [index, item] of list.items.entries()) {
      const type = this.check(item, scope)
      joined = this.#join(joined, list.optional.has(index) ? this.#unwrapped(item, type) : type)
    }
    return listOf(joined ?? this.#parameter())
  }

  #map(map: MapLiteral, scope: Scope): CelType {
    let keys: CelType | undefined
    let values: CelType | undefined
    for (const { key, value, optional } of map.entries) {
      keys = this.#join(keys, this.check(key, scope))
      const type = this.check(value, scope)
      values = this.#join(values, optional ? this.#unwrapped(value, type) : type)
    }
    return mapOf(keys ?? this.#parameter(), values ?? this.#parameter())
  }

  /** What an optional item holds. */
  #unwrapped(at: Expression, type: CelType): CelType {
    if (type.kind === 'optional') return type.parameters[0] as CelType
    if (type.kind !== 'dyn')
      this.#issue(at, `expected type '${typeText(optionalOf(type))}' but found '${typeText(type)}'`)
    return type
  }

  #join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type
    if (this.#unification.fit([before], [type])) return mostGeneral(before, type)
    return dynType
  }

  /** No type of these environments can be made by an expression. */
  #struct(struct: StructLiteral, scope: Scope): CelType {
    for (const field of struct.fields) this.check(field.value, scope)
    const found = scope.find(struct.name)
    if (found === undefined) return this.#undeclared(struct, struct.name)
    return this.#issue(
      struct,
      found.kind === 'type' ? `'${struct.name}' is not a message type` : `'${typeText(found.type)}' is not a type`,
    )
  }

  #comprehension(comprehension: Comprehension, scope: Scope): CelType {
    const range = this.#unification.resolve(this.check(comprehension.range, scope))
    const accumulated = this.check(comprehension.start, scope)
    const outer = scope.inner({ [comprehension.accumulator]: accumulated })
    const [first, second] = this.#variableTypes(comprehension, range)
    const { variable, variable2 } = comprehension
    const inner = outer.inner(
      variable2 === undefined ? { [variable]: first } : { [variable]: first, [variable2]: second },
    )
    this.#assert(comprehension.condition, this.check(comprehension.condition, inner), boolType)
    this.#assert(comprehension.step, this.check(comprehension.step, inner), accumulated)
    return this.#unification.resolve(this.check(comprehension.result, outer))
  }

  /** Of the index or key and the item or value; with one variable, of the item or key. */
  #variableTypes(comprehension: Comprehension, range: CelType): [CelType, CelType] {
    const hasTwo = comprehension.variable2 !== undefined
    const [first, second] = range.parameters as [CelType, CelType]
    switch (range.kind) {
      case 'list':
        return hasTwo ? [intType, first] : [first, first]
      case 'map':
        return [first, second]
      case 'dyn':
      case 'parameter':
        this.#unification.fit([dynType], [range])
        return [dynType, dynType]
      default:
        this.#issue(
          comprehension.range,
          `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        )
        return [errorType, errorType]
    }
  }

  #assert(at: Expression, type: CelType, wanted: CelType): void {
    if (this.#unification.fit([wanted], [type])) return
    const shown = [wanted, type].map((one) => typeText(this.#unification.resolve(one)))
    this.#issue(at, `expected type '${shown[0]}' but found '${shown[1]}'`)
  }

  #issue(at: Expression, message: string): CelType {
    this.issues.push({ offset: at.offset, message })
    return errorType
  }
}

/** `a.b.c` as one name, which may be declared as such. */
function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') return expression.name
  if (expression.kind !== 'select' || expression.testOnly) return undefined
  const prefix = qualifiedName(expression.operand)
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`
}
