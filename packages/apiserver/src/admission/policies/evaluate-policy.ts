// Evaluates one policy for one write with one parameter, and decides nothing about what follows from it. Messages and the order
// of what is asked are those of Kubernetes. A generator: the caller yields to the event loop between expressions.

import { matchConditionsCostBudget, maxMessageBytes, perObjectCostBudget } from '@homeostat/cel/without-compiler'
import { Budget, OUT_OF_BUDGET, type Outcome, type WorkMeter } from '../../expressions/budget.ts'
import type { PolicyExpression, PolicyPrograms, PolicyValidation } from '../../expressions/policy-programs.ts'
import type { WriteBindings } from './policy-bindings.ts'
import { policyVariables } from './policy-variables.ts'

/** The validation that refuses the write, or that could not be evaluated while failures refuse. */
export interface Denial {
  /** Of the validation in the policy. */
  readonly index: number
  readonly message: string
  readonly reason: string
  /** An annotation failed: that refuses whatever the binding's actions are. */
  readonly always?: boolean
}

export interface PolicyResult {
  readonly denials: readonly Denial[]
  readonly annotations: readonly { readonly key: string; readonly value: string }[]
}

export interface Evaluated {
  readonly programs: PolicyPrograms
  /** Whether what cannot be evaluated lets the write pass. */
  readonly ignoresFailures: boolean
}

const NOTHING: PolicyResult = { denials: [], annotations: [] }
const INVALID = 'Invalid'

type Steps<T> = Generator<undefined, T, undefined>

export function* evaluatePolicy(
  policy: Evaluated,
  shared: WriteBindings,
  params: unknown,
  meter: WorkMeter,
): Steps<PolicyResult> {
  const run = new PolicyRun(policy, shared, params, meter)
  const matched = yield* run.matches()
  if (matched !== true) return matched === false ? NOTHING : run.failure(matched)
  const validated = yield* run.validate()
  if (validated === undefined) return run.failure(OUT_OF_BUDGET)
  return yield* run.annotate(validated)
}

/** Whether the match conditions of a webhook hold; why that is not known, when failures refuse. */
export function evaluateConditions(
  webhook: Evaluated,
  shared: WriteBindings,
  meter: WorkMeter,
): Steps<boolean | string> {
  return new PolicyRun(webhook, shared, null, meter).matches()
}

class PolicyRun {
  readonly #policy: Evaluated
  readonly #meter: WorkMeter
  readonly #bindings: Readonly<Record<string, unknown>>
  #budget: Budget

  constructor(policy: Evaluated, shared: WriteBindings, params: unknown, meter: WorkMeter) {
    this.#policy = policy
    this.#meter = meter
    this.#budget = new Budget(matchConditionsCostBudget, meter)
    this.#bindings = bindingsOf(shared, params, (bindings) =>
      policyVariables(policy.programs.variables, bindings, () => this.#budget),
    )
  }

  /** What follows when the policy as a whole cannot be evaluated. */
  failure(message: string): PolicyResult {
    return this.#policy.ignoresFailures
      ? NOTHING
      : { denials: [{ index: 0, message, reason: INVALID }], annotations: [] }
  }

  /** False when a condition does not hold, else true, or why that is not known. */
  *matches(): Steps<boolean | string> {
    const problems: string[] = []
    for (const condition of this.#policy.programs.conditions) {
      const outcome = this.#evaluate(condition)
      if (outcome === undefined) return this.#policy.ignoresFailures ? false : OUT_OF_BUDGET
      if ('problem' in outcome) problems.push(outcome.problem)
      else if (outcome.value === false) return false
      if (this.#meter.isStepDue) yield
    }
    if (problems.length === 0) return true
    if (this.#policy.ignoresFailures) return false
    return problems.length === 1 ? (problems[0] as string) : `[${[...new Set(problems)].join(', ')}]`
  }

  /** Undefined when the budget does not suffice. */
  *validate(): Steps<Denial[] | undefined> {
    this.#budget = new Budget(perObjectCostBudget, this.#meter)
    const { programs, ignoresFailures } = this.#policy
    const failed: { readonly validation: PolicyValidation; readonly index: number; readonly problem?: string }[] = []
    for (const [index, validation] of programs.validations.entries()) {
      const outcome = this.#evaluate(validation)
      if (outcome === undefined) return undefined
      if ('problem' in outcome) {
        if (!ignoresFailures) failed.push({ validation, index, problem: outcome.problem })
      } else if (outcome.value !== true) failed.push({ validation, index })
      if (this.#meter.isStepDue) yield
    }
    const denials: Denial[] = []
    for (const { validation, index, problem } of failed) {
      if (problem !== undefined) denials.push({ index, message: problem, reason: INVALID })
      else denials.push(...this.#denial(validation, index))
      if (this.#meter.isStepDue) yield
    }
    return denials
  }

  *annotate(denials: readonly Denial[]): Steps<PolicyResult> {
    this.#budget = new Budget(perObjectCostBudget, this.#meter)
    const { programs, ignoresFailures } = this.#policy
    const annotations: { key: string; value: string }[] = []
    const failures: Denial[] = []
    for (const [index, annotation] of programs.annotations.entries()) {
      const outcome = this.#evaluate(annotation)
      if (outcome === undefined) return this.failure(OUT_OF_BUDGET)
      if ('problem' in outcome) {
        if (!ignoresFailures) failures.push({ index, message: outcome.problem, reason: INVALID, always: true })
      } else {
        const value = typeof outcome.value === 'string' ? outcome.value.trim() : ''
        if (value !== '') annotations.push({ key: annotation.name, value })
      }
      if (this.#meter.isStepDue) yield
    }
    return { denials: [...denials, ...failures], annotations }
  }

  #denial({ messageExpression, message, text, reason }: PolicyValidation, index: number): Denial[] {
    const plain = message === '' ? `failed expression: ${text.trim()}` : message
    if (messageExpression === undefined) return [{ index, message: plain, reason }]
    const outcome = this.#evaluate(messageExpression)
    if (outcome === undefined) {
      const problem = `failed messageExpression: ${OUT_OF_BUDGET}`
      return this.#policy.ignoresFailures ? [] : [{ index, message: problem, reason: INVALID }]
    }
    const made = 'value' in outcome && typeof outcome.value === 'string' ? outcome.value.trim() : ''
    const isUsable = made !== '' && !made.includes('\n') && Buffer.byteLength(made) <= maxMessageBytes
    return [{ index, message: isUsable ? made : plain, reason }]
  }

  #evaluate({
    compiled,
    text,
  }: PolicyExpression): { readonly value: unknown } | { readonly problem: string } | undefined {
    if (compiled.problem !== undefined) return { problem: `compilation error: ${compiled.problem}` }
    const outcome: Outcome | undefined = this.#budget.evaluate(compiled.program, this.#bindings)
    if (outcome?.error === undefined) return outcome
    return { problem: `expression '${text}' resulted in error: ${outcome.error.message}` }
  }
}

/** The bindings of the write, and those of the policy. Getters: what no expression reads is not made. */
function bindingsOf(
  shared: WriteBindings,
  params: unknown,
  variables: (bindings: () => Readonly<Record<string, unknown>>) => object,
): Readonly<Record<string, unknown>> {
  const bindings: Readonly<Record<string, unknown>> = {
    get object() {
      return shared.object
    },
    get oldObject() {
      return shared.oldObject
    },
    get request() {
      return shared.request
    },
    get namespaceObject() {
      return shared.namespaceObject
    },
    get authorizer() {
      return shared.authorizer
    },
    get 'authorizer.requestResource'() {
      return shared['authorizer.requestResource']
    },
    params,
    variables: variables(() => bindings),
  }
  return bindings
}
