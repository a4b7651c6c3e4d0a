// Calls that are written like functions and become other expressions: has, comprehensions over one and two variables, optMap, cel.bind.
// The parser offers every call; the costs of Kubernetes follow from exactly these expansions.

import type { Expression } from './expression.ts'
import type { ExpressionBuilder } from './expression-builder.ts'

/** No identifier that can be written. */
export const accumulator = '@result'
const unusedVariable = '#unused'

export interface MacroCall {
  readonly name: string
  /** Of the parenthesis. */
  readonly offset: number
  readonly target: Expression | undefined
  readonly args: readonly Expression[]
}

export interface MacroProblem {
  readonly offset: number
  readonly problem: string
}

type Expand = (build: ExpressionBuilder, call: MacroCall & { target: Expression }) => Expression | MacroProblem

/** Undefined for a call that is no macro. */
export function expandMacro(
  build: ExpressionBuilder,
  call: MacroCall,
  isExtended: boolean,
): Expression | MacroProblem | undefined {
  const { name, target, args } = call
  if (target === undefined) return name === 'has' && args.length === 1 ? expandHas(build, call) : undefined
  if (isExtended && name === 'bind' && args.length === 3 && target.kind === 'identifier' && target.name === 'cel')
    return expandBind(build, call)
  if (isExtended && name === 'existsOne' && args.length === 2)
    return expandMacro(build, { ...call, name: 'exists_one' }, true)
  return macros.get(`${name}/${args.length}`)?.(build, { ...call, target })
}

function expandHas(build: ExpressionBuilder, call: MacroCall): Expression | MacroProblem {
  const tested = call.args[0] as Expression
  if (tested.kind !== 'select' || tested.testOnly)
    return { offset: tested.offset, problem: 'invalid argument to has() macro' }
  return build.select(call.offset, tested.operand, tested.field, true)
}

function expandBind(build: ExpressionBuilder, { args, offset }: MacroCall): Expression | MacroProblem {
  const [variable, value, result] = args as [Expression, Expression, Expression]
  if (variable.kind !== 'identifier') {
    return { offset: variable.offset, problem: 'cel.bind() variable names must be simple identifiers' }
  }
  return bind(build, offset, variable.name, value, result)
}

/** A comprehension over nothing, of which only start and result are evaluated. */
function bind(
  build: ExpressionBuilder,
  offset: number,
  variable: string,
  start: Expression,
  result: Expression,
): Expression {
  return build.comprehension(offset, {
    range: build.list(offset, []),
    variable: unusedVariable,
    accumulator: variable,
    start,
    condition: build.literal(offset, false),
    step: build.identifier(offset, variable),
    result,
  })
}

interface Loop {
  start: Expression
  condition: Expression
  step: Expression
  result?: Expression
}

type MakeLoop = (build: ExpressionBuilder, offset: number, args: readonly Expression[], variable: Expression) => Loop

const accu = (build: ExpressionBuilder, offset: number) => build.identifier(offset, accumulator)

const all: MakeLoop = (build, offset, [predicate]) => ({
  start: build.literal(offset, true),
  condition: build.call(offset, '@not_strictly_false', accu(build, offset)),
  step: build.call(offset, '_&&_', accu(build, offset), predicate as Expression),
})

const exists: MakeLoop = (build, offset, [predicate]) => ({
  start: build.literal(offset, false),
  condition: build.call(offset, '@not_strictly_false', build.call(offset, '!_', accu(build, offset))),
  step: build.call(offset, '_||_', accu(build, offset), predicate as Expression),
})

const existsOne: MakeLoop = (build, offset, [predicate]) => ({
  start: build.literal(offset, 0),
  condition: build.literal(offset, true),
  step: build.call(
    offset,
    '_?_:_',
    predicate as Expression,
    build.call(offset, '_+_', accu(build, offset), build.literal(offset, 1)),
    accu(build, offset),
  ),
  result: build.call(offset, '_==_', accu(build, offset), build.literal(offset, 1)),
})

const map: MakeLoop = (build, offset, args) => {
  const [filter, made] = args.length === 2 ? args : [undefined, args[0]]
  const step = build.call(offset, '_+_', accu(build, offset), build.list(offset, [made as Expression]))
  return {
    start: build.list(offset, []),
    condition: build.literal(offset, true),
    step: filtered(build, offset, filter, step),
  }
}

const filter: MakeLoop = (build, offset, [predicate], variable) =>
  map(build, offset, [predicate as Expression, variable], variable)

const transformMap: MakeLoop = (build, offset, args, variable) => {
  const [filter, made] = args.length === 2 ? args : [undefined, args[0]]
  const step = build.call(offset, 'cel.@mapInsert', accu(build, offset), build.copy(variable), made as Expression)
  return {
    start: build.map(offset, []),
    condition: build.literal(offset, true),
    step: filtered(build, offset, filter, step),
  }
}

const transformMapEntry: MakeLoop = (build, offset, args) => {
  const [filter, made] = args.length === 2 ? args : [undefined, args[0]]
  const step = build.call(offset, 'cel.@mapInsert', accu(build, offset), made as Expression)
  return {
    start: build.map(offset, []),
    condition: build.literal(offset, true),
    step: filtered(build, offset, filter, step),
  }
}

function filtered(
  build: ExpressionBuilder,
  offset: number,
  filter: Expression | undefined,
  step: Expression,
): Expression {
  return filter === undefined ? step : build.call(offset, '_?_:_', filter, step, accu(build, offset))
}

function oneVariable(make: MakeLoop, complaint: string): Expand {
  return (build, { target, args, offset }) => {
    const variable = args[0] as Expression
    if (variable.kind !== 'identifier') return { offset: variable.offset, problem: complaint }
    if (variable.name === '__result__') {
      return { offset: variable.offset, problem: 'iteration variable overwrites accumulator variable' }
    }
    return comprehension(
      build,
      offset,
      { range: target, variable: variable.name },
      make(build, offset, args.slice(1), variable),
    )
  }
}

function twoVariables(make: MakeLoop): Expand {
  return (build, { target, args, offset }) => {
    const [first, second] = args as [Expression, Expression]
    for (const variable of [first, second]) {
      if (variable.kind !== 'identifier') return { offset: variable.offset, problem: 'argument must be a simple name' }
      if (variable.name === '__result__') {
        return { offset: variable.offset, problem: 'iteration variable overwrites accumulator variable' }
      }
    }
    if (first.kind !== 'identifier' || second.kind !== 'identifier')
      throw new TypeError('not reached: both are identifiers')
    if (first.name === second.name) return { offset: second.offset, problem: `duplicate variable name: ${first.name}` }
    const variables = { range: target, variable: first.name, variable2: second.name }
    return comprehension(build, offset, variables, make(build, offset, args.slice(2), first))
  }
}

function comprehension(
  build: ExpressionBuilder,
  offset: number,
  over: { range: Expression; variable: string; variable2?: string },
  loop: Loop,
): Expression {
  return build.comprehension(offset, { ...over, accumulator, ...loop, result: loop.result ?? accu(build, offset) })
}

function optional(
  name: string,
  wrap: (build: ExpressionBuilder, offset: number, made: Expression) => Expression,
): Expand {
  return (build, { target, args, offset }) => {
    const [variable, made] = args as [Expression, Expression]
    if (variable.kind !== 'identifier') {
      return { offset: variable.offset, problem: `${name}() variable name must be a simple identifier` }
    }
    const bound = bind(build, offset, variable.name, build.memberCall(offset, build.copy(target), 'value'), made)
    return build.call(
      offset,
      '_?_:_',
      build.memberCall(offset, target, 'hasValue'),
      wrap(build, offset, bound),
      build.call(offset, 'optional.none'),
    )
  }
}

const sortInput = '@__sortBy_input__'

/** Sorts by keys that are made of the items; the list is evaluated once. */
const sortBy: Expand = (build, { target, args, offset }) => {
  const keys = oneVariable(map, identifierComplaint)(build, {
    name: 'map',
    offset,
    target: build.identifier(offset, sortInput),
    args,
  })
  if ('problem' in keys) return keys
  return bind(
    build,
    offset,
    sortInput,
    target,
    build.memberCall(offset, build.identifier(offset, sortInput), '@sortByAssociatedKeys', keys),
  )
}

const simpleName = 'argument must be a simple name'
const identifierComplaint = 'argument is not an identifier'

const macros: ReadonlyMap<string, Expand> = new Map([
  ['all/2', oneVariable(all, simpleName)],
  ['exists/2', oneVariable(exists, simpleName)],
  ['exists_one/2', oneVariable(existsOne, simpleName)],
  ['map/2', oneVariable(map, identifierComplaint)],
  ['map/3', oneVariable(map, identifierComplaint)],
  ['filter/2', oneVariable(filter, identifierComplaint)],
  ['all/3', twoVariables(all)],
  ['exists/3', twoVariables(exists)],
  ['exists_one/3', twoVariables(existsOne)],
  ['existsOne/3', twoVariables(existsOne)],
  ['transformList/3', twoVariables(map)],
  ['transformList/4', twoVariables(map)],
  ['transformMap/3', twoVariables(transformMap)],
  ['transformMap/4', twoVariables(transformMap)],
  ['transformMapEntry/3', twoVariables(transformMapEntry)],
  ['transformMapEntry/4', twoVariables(transformMapEntry)],
  ['sortBy/2', sortBy],
  ['optMap/2', optional('optMap', (build, offset, made) => build.call(offset, 'optional.of', made))],
  ['optFlatMap/2', optional('optFlatMap', (_build, _offset, made) => made)],
])
