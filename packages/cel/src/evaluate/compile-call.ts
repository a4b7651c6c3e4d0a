// Calls: operators that the language knows, and functions of libraries, which are chosen by the types that their arguments turn out to
// have where the checker could not choose.

import { type Charge, chargeOf, equalityCharge } from '../cost/call-charges.ts'
import type { Overload } from '../functions/declaration.ts'
import type { Call, Expression } from '../syntax/expression.ts'
import { accumulator } from '../syntax/macros.ts'
import { compare, isNaNValue } from '../values/compare.ts'
import { contains, equals } from '../values/equals.ts'
import { GrowingList } from '../values/lists.ts'
import { GrowingMap } from '../values/maps.ts'
import { typeNameOf } from '../values/type-of-value.ts'
import { CelList, CelMap, CelOptional, CelTypeValue, Failure, Opaque, type Value } from '../values/value.ts'
import { divided, minus, modulo, multiplied, negated, plus } from './arithmetic.ts'
import type { Compiling } from './compiling.ts'
import { failureOf, noOverload } from './failures.ts'
import { Aborted, type Frame, type Part, type Run } from './frame.ts'
import { conjunction, disjunction } from './logic.ts'
import { attribute, constant } from './parts.ts'
import { select, selectOptional } from './qualify.ts'
import { readOnce } from './read-once.ts'
import { acceptsAtRunTime } from './run-time-types.ts'

export function compileCall(compiler: Compiling, call: Call): Part {
  const name = compiler.checked.names.get(call.id) ?? call.name.replace(/^\./, '')
  const isQualified = compiler.checked.names.has(call.id)
  const expressions = call.target === undefined || isQualified ? call.args : [call.target, ...call.args]
  const special = Object.hasOwn(specials, name) ? specials[name] : undefined
  const parts = expressions.map((expression) => compiler.compile(expression))
  const ids = compiler.checked.overloads.get(call.id) ?? []
  const id = ids.length === 1 ? (ids[0] as string) : ''
  const made = special?.(compiler, parts, call, id)
  if (made !== undefined) return made
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
  const charge = chargeOf(name, id)
  if (operator !== undefined) return { run: binary(operator, parts, charge) }
  const run = libraryCall(compiler, name, ids, expressions, parts, charge)
  if (parts.length === 0 || !parts.every(({ constant }) => constant !== undefined)) return { run }
  if (conversions.has(name) && parts.length === 1) return compiler.fold(run)
  return { run: readOnce(name, run) }
}

type Special = (compiler: Compiling, parts: readonly Part[], call: Call, id: string) => Part | undefined

const specials: Readonly<Record<string, Special>> = {
  '_&&_': (_compiler, parts) => logical(parts, false, conjunction),
  '_||_': (_compiler, parts) => logical(parts, true, disjunction),
  '!_': (_compiler, parts) => ({ run: unary((value) => (typeof value === 'boolean' ? !value : noOverload), parts) }),
  '-_': (_compiler, parts) => ({ run: unary(negated, parts) }),
  '@not_strictly_false': (_compiler, [part]) => ({
    run: (frame) => {
      const value = (part as Part).run(frame)
      frame.charge(1)
      return value !== false
    },
  }),
  '_?_:_': (_compiler, parts) => conditional(parts),
  '_==_': (_compiler, parts) => ({ run: equality(parts, true) }),
  '_!=_': (_compiler, parts) => ({ run: equality(parts, false) }),
  '_[_]': (_compiler, parts) => index(parts, select),
  '_[?_]': (_compiler, parts) => index(parts, selectOptional),
  '_?._': (_compiler, parts) => index(parts, selectOptional),
  '_+_': (_compiler, parts, call) => growing(parts, call),
  '@in': (_compiler, parts, _call, id) => membership(parts, id),
  'cel.@mapInsert': (_compiler, parts) => ({ run: insertion(parts) }),
  type: (compiler, parts) => typeCall(compiler, parts),
  dyn: (_compiler, [part]) =>
    part?.constant === undefined ? { run: unary((value) => value, [part as Part]) } : constant(part.constant.value),
  or: (_compiler, parts, _call, id) =>
    id === '' || id === 'optional_or_optional' ? { run: orOptional(parts) } : undefined,
  orValue: (_compiler, parts, _call, id) =>
    id === '' || id === 'optional_orValue_value' ? { run: orValue(parts) } : undefined,
}

/** Functions that are evaluated at once when their argument is constant. */
const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'string',
  'timestamp',
  'uint',
])

type Binary = (a: Value, b: Value) => Value

function ordered(test: (order: number) => boolean): Binary {
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return test(a - b)
    const order = compare(a, b)
    if (order !== undefined) return test(order)
    return isNaNValue(a) || isNaNValue(b) ? false : noOverload
  }
}

const operators: Readonly<Record<string, Binary>> = {
  '_+_': plus,
  '_-_': minus,
  '_*_': multiplied,
  '_/_': divided,
  '_%_': modulo,
  '_<_': ordered((order) => order < 0),
  '_<=_': ordered((order) => order <= 0),
  '_>_': ordered((order) => order > 0),
  '_>=_': ordered((order) => order >= 0),
  '@in': (item, container) => {
    if (container instanceof CelList) return contains(container, item)
    return container instanceof CelMap ? container.has(item) : noOverload
  },
}

function binary(operator: Binary, parts: readonly Part[], charge: Charge): Run {
  const [left, right] = runs(parts)
  const charged = typeof charge === 'number' ? undefined : charge
  const fixed = typeof charge === 'number' ? charge : 0
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    frame.charge(charged === undefined ? fixed : charged([a, b], null))
    if (a instanceof Failure) return a
    return b instanceof Failure ? b : operator(a, b)
  }
}

function unary(operator: (value: Value) => Value, parts: readonly Part[]): Run {
  const [run] = runs(parts)
  return (frame) => {
    const value = run(frame)
    frame.charge(1)
    return value instanceof Failure ? value : operator(value)
  }
}

function typeCall(compiler: Compiling, parts: readonly Part[]): Part {
  const run = unary((value) => new CelTypeValue(typeNameOf(value)), parts)
  return parts[0]?.constant === undefined ? { run } : compiler.fold(run)
}

function logical(parts: readonly Part[], decides: boolean, join: Binary): Part {
  const [left, right] = runs(parts)
  return {
    run: (frame) => {
      const a = left(frame)
      if (a === decides) return a
      const b = right(frame)
      return a === !decides && typeof b === 'boolean' ? b : join(a, b)
    },
  }
}

/** A name or selection in a branch is one attribute with the condition, so that its own last charge falls away. */
function conditional(parts: readonly Part[]): Part {
  const [condition, truthy, falsy] = parts as [Part, Part, Part]
  const test = condition.run
  const yes = truthy.attribute?.bare ?? truthy.run
  const no = falsy.attribute?.bare ?? falsy.run
  return attribute((frame) => {
    const value = test(frame)
    if (value === true) return yes(frame)
    return value === false ? no(frame) : failureOf(value)
  }, true)
}

function equality(parts: readonly Part[], isEquals: boolean): Run {
  const [left, right] = runs(parts)
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    frame.charge(equalityCharge(a, b, isEquals))
    if (a instanceof Failure) return a
    if (b instanceof Failure) return b
    if (a instanceof Opaque && a.length > shortText) frame.chargeCharacters(a.length)
    const equal = equals(a, b)
    return isEquals ? equal : equal !== true
  }
}

function index(parts: readonly Part[], find: (frame: Frame, operand: Value, key: Value) => Value): Part {
  const [operand, key] = parts as [Part, Part]
  const container = operand.attribute?.bare ?? operand.run
  const at = key.attribute?.bare ?? key.run
  return attribute((frame) => {
    const value = container(frame)
    if (value instanceof Failure) return value
    if (value instanceof CelOptional && value.value === undefined) return value
    return find(frame, value, at(frame))
  }, operand.attribute?.isConditional)
}

/** `accumulator + [item]`, as macros write it: the list that is being made takes the item. */
function growing(parts: readonly Part[], call: Call): Part | undefined {
  const [target] = call.args as [Expression]
  if (target.kind !== 'identifier' || target.name !== accumulator) return undefined
  const [left, right] = runs(parts)
  return {
    run: (frame) => {
      const list = left(frame)
      const added = right(frame)
      frame.charge(1)
      if (list instanceof Failure) return list
      if (added instanceof Failure) return added
      if (!(list instanceof GrowingList) || !(added instanceof CelList)) return plus(list, added)
      for (let place = 0; place < added.size; place++) list.push(added.get(place))
      return list
    },
  }
}

/** `in` a constant list costs nothing itself, as in Kubernetes. */
function membership(parts: readonly Part[], id: string): Part | undefined {
  const [item, list] = parts as [Part, Part]
  const known = list.constant?.value
  if (id !== 'in_list' || !(known instanceof CelList)) return undefined
  if (known.size === 0) return constant(false)
  const items = Array.from({ length: known.size }, (_, place) => known.get(place))
  if (
    !items.every(
      (one) => typeof one !== 'object' || (one !== null && !(one instanceof CelList) && !(one instanceof CelMap)),
    )
  ) {
    return undefined
  }
  const isSimple = items.every((one) => typeof one === 'string' || typeof one === 'boolean')
  const set = new Set(items)
  return {
    run: (frame) => {
      const value = item.run(frame)
      if (value instanceof Failure || (isSimple && typeof value === 'string'))
        return value instanceof Failure ? value : set.has(value)
      return contains(known, value) === true
    },
  }
}

function insertion(parts: readonly Part[]): Run {
  const all = parts.map(({ run }) => run)
  return (frame) => {
    const [map, key, value] = all.map((run) => run(frame))
    frame.charge(1)
    for (const part of [map, key, value]) if (part instanceof Failure) return part
    if (!(map instanceof GrowingMap)) return noOverload
    if (value !== undefined) return map.insert(key as Value, value) ?? map
    if (!(key instanceof CelMap)) return noOverload
    for (const one of key.keys()) {
      const failure = map.insert(one, key.get(one) as Value)
      if (failure !== undefined) return failure
    }
    return map
  }
}

function orOptional(parts: readonly Part[]): Run {
  const [left, right] = runs(parts)
  return (frame) => {
    const value = left(frame)
    if (!(value instanceof CelOptional)) return failureOf(value)
    return value.value === undefined ? right(frame) : value
  }
}

function orValue(parts: readonly Part[]): Run {
  const [left, right] = runs(parts)
  return (frame) => {
    const value = left(frame)
    if (!(value instanceof CelOptional)) return failureOf(value)
    return value.value ?? (value.value === null ? null : right(frame))
  }
}

function runs(parts: readonly Part[]): [Run, Run] {
  return parts.map(({ run }) => run) as [Run, Run]
}

/** The length of texts that nobody counts. */
const shortText = 1000

const patterns: ReadonlySet<string> = new Set(['matches', 'find', 'findAll'])

function libraryCall(
  compiler: Compiling,
  name: string,
  ids: readonly string[],
  expressions: readonly Expression[],
  parts: readonly Part[],
  charge: Charge,
): Run {
  const overloads = (compiler.functions.get(name) ?? []).filter(({ id }) => ids.includes(id))
  const isCertain =
    overloads.length === 1 && expressions.every((expression) => compiler.type(expression).kind !== 'dyn')
  const apply = isCertain ? applyOne(overloads[0] as Overload) : applyFitting(name, overloads)
  const all = parts.map(({ run }) => run)
  // Kubernetes evaluates calls with a constant pattern like those with three arguments: it stops at the first that fails.
  const hasPattern = patterns.has(name) && parts[1]?.constant !== undefined
  const stopsEarly = all.length > 2 || hasPattern
  const bringsPattern = patterns.has(name) && !hasPattern
  const needsZone = all.length === 2 && ids.some((id) => id.endsWith('_with_tz'))
  const isFlat = typeof charge === 'number'
  const panics = name === 'distinct' || name === 'sort' || name === '@sortByAssociatedKeys'
  return (frame) => {
    const args: Value[] = []
    let failure: Failure | undefined
    for (const run of all) {
      const value = run(frame)
      args.push(value)
      if (isFlat && (typeof value === 'string' || value instanceof Opaque) && value.length > shortText)
        frame.chargeCharacters(value.length)
      if (!(value instanceof Failure)) continue
      failure ??= value
      if (stopsEarly) return value
    }
    if (failure !== undefined) {
      if (panics) throw new Aborted(goPanic)
      frame.charge(typeof charge === 'number' ? charge : charge(args, failure))
      return failure
    }
    if (bringsPattern) frame.chargePattern(args[1] as Value)
    if (needsZone) frame.chargeZone(args[1] as Value)
    // Charged before it works wherever the charge does not need the result, so that no call works beyond the budget.
    if (typeof charge === 'number' || charge.length < 2)
      frame.charge(typeof charge === 'number' ? charge : charge(args, null))
    const result = apply(args)
    if (typeof charge !== 'number' && charge.length >= 2) frame.charge(charge(args, result))
    return result
  }
}

/** What Kubernetes answers where its charge for these two functions meets a failed argument. */
const goPanic = 'internal error: interface conversion: *types.Err is not traits.Lister: missing method Add'

type Apply = (args: readonly Value[]) => Value

function applyOne({ call }: Overload): Apply {
  const invoke = call as unknown as (...args: readonly Value[]) => Value
  return (args) => invoke(...args)
}

function applyFitting(name: string, overloads: readonly Overload[]): Apply {
  const failure = new Failure(`no such overload: ${name}`)
  return (args) => {
    const fitting = overloads.find(({ params }) => args.every((arg, place) => acceptsAtRunTime(params[place], arg)))
    return fitting === undefined ? failure : applyOne(fitting)(args)
  }
}
