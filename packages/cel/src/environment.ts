// Puts the parts together: text to program, and program to value. Whoever compiles expressions starts here.

import { CelError, isCelError } from './cel-error.ts'
import { check } from './check/check.ts'
import { checkLiterals, type LiteralTest } from './check/check-literals.ts'
import type { Checked } from './check/checked.ts'
import { type Name, Scope } from './check/scope.ts'
import type { CelEnvironment, CelProgram, Compilation, EnvironmentOptions, Evaluation } from './contract.ts'
import { estimateCost } from './cost/estimate.ts'
import { type Compiled, ConstantFailure, compileExpression } from './evaluate/compile.ts'
import { Aborted, Frame, LimitExceeded } from './evaluate/frame.ts'
import { toDuration, toTimestamp } from './library/conversions.ts'
import { type LibrarySet, librariesOf } from './library/libraries.ts'
import { patternProblem } from './library/regex.ts'
import { perCallCostLimit } from './limits.ts'
import { describeIssues, type Issue } from './syntax/issues.ts'
import { type LiteralValues, parse } from './syntax/parse.ts'
import { sourceOf } from './syntax/source.ts'
import { type CelType, typeOfType } from './types/cel-type.ts'
import { intOf, uintOf } from './values/int64.ts'
import { JsonReaders } from './values/json-values.ts'
import { CelDouble, CelUint, Failure } from './values/value.ts'

export function createEnvironment(options: EnvironmentOptions): CelEnvironment {
  const libraries = librariesOf(options.libraries ?? 'kubernetes')
  const scope = new Scope(namesOf(options.variables, libraries))
  const made: Made = { variables: options.variables, scope, libraries, readers: new JsonReaders() }
  return { compile: (text) => compile(text, made) }
}

interface Made {
  readonly variables: Readonly<Record<string, CelType>>
  readonly scope: Scope
  readonly libraries: LibrarySet
  readonly readers: JsonReaders
}

function namesOf(variables: Readonly<Record<string, CelType>>, libraries: LibrarySet): ReadonlyMap<string, Name> {
  const types = libraries.types.map((type): [string, Name] => [type.name, { type: typeOfType(type), kind: 'type' }])
  const declared = Object.entries(variables).map(([name, type]): [string, Name] => [name, { type, kind: 'variable' }])
  return new Map([...types, ...declared])
}

const literals: LiteralValues = {
  int: intOf,
  uint: (value) => {
    const made = uintOf(value)
    return made === undefined ? undefined : new CelUint(made)
  },
  double: (value) => new CelDouble(value),
}

const literalTests: Readonly<Record<string, LiteralTest>> = {
  matches: (text) => patternProblem(text) === undefined,
  duration: (text) => !(toDuration(text) instanceof Failure),
  timestamp: (text) => !(toTimestamp(text) instanceof Failure),
}

function compile(text: string, { variables, scope, libraries, readers }: Made): Compilation {
  const refused = (issues: readonly Issue[]) => ({ issues: describeIssues(sourceOf(text), issues) })
  const parsed = parse(text, { literals, extended: !libraries.isStrict })
  if ('issues' in parsed) return refused(parsed.issues)
  const { root, size } = parsed.parsed
  const found = check(root, size, { scope, functions: libraries.functions })
  if ('issues' in found) return refused(found.issues)
  const unsound = libraries.isStrict ? checkLiterals(found.checked, literalTests) : []
  if (unsound.length > 0) return refused(unsound)
  const pattern = libraries.isStrict ? wrongPattern(found.checked) : undefined
  if (pattern !== undefined) return notInstantiated(pattern)
  const compiled = compileExpression(found.checked, libraries.functions, variables, readers)
  if (compiled instanceof ConstantFailure) return notInstantiated(compiled.message)
  return { program: programOf(found.checked, compiled, variables) }
}

function notInstantiated(message: string): Compilation {
  return { issues: { stage: 'program instantiation', list: [{ line: 1, column: 1, message }], text: message } }
}

/** Kubernetes reads the patterns of its own functions later than those of `matches`. */
function wrongPattern(checked: Checked): string | undefined {
  const problems: string[] = []
  const test = (pattern: string) => {
    const problem = patternProblem(pattern)
    if (problem !== undefined) problems.push(problem)
    return true
  }
  checkLiterals(checked, { find: test, findAll: test })
  return problems[0]
}

function programOf(checked: Checked, compiled: Compiled, variables: Readonly<Record<string, CelType>>): CelProgram {
  return {
    resultType: checked.types[checked.root.id] as CelType,
    variables: checked.variables,
    cost: estimateCost(checked, variables),
    evaluate: (bindings, limit = perCallCostLimit) => evaluate(compiled, bindings, limit),
  }
}

function evaluate({ run, slots }: Compiled, bindings: Readonly<Record<string, unknown>>, limit: number): Evaluation {
  const frame = new Frame(bindings, limit, slots)
  try {
    const value = run(frame)
    if (value instanceof Failure) return { error: new CelError(value.message), cost: frame.cost }
    return { value, cost: frame.cost }
  } catch (error) {
    return { error: errorOf(error), cost: frame.cost }
  }
}

/** Besides the end of the budget, only getters of bindings throw. */
function errorOf(error: unknown): CelError {
  if (error instanceof LimitExceeded) {
    return new CelError('operation cancelled: actual cost limit exceeded', 'CostLimitExceeded')
  }
  if (error instanceof Aborted) return new CelError(error.message)
  return isCelError(error) ? error : new CelError(error instanceof Error ? error.message : String(error))
}
