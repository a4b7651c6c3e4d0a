// The expressions of a ValidatingAdmissionPolicy, compiled in the order in which it defines them: a variable sees those before
// it. Its validation asks what is wrong with them; admission evaluates them. Made once per stored policy.

import { yieldBetween } from '@homeostat/base'
import { type Cel, type CelEnvironment, type CelType, dynType } from '@homeostat/cel/without-compiler'
import { isObject } from '@homeostat/meta'
import { loadCel } from '../registry/load-cel.ts'
import { admissionEnvironment } from './admission-environment.ts'
import { type CompiledExpression, compileExpression, type Result } from './compile-expression.ts'

export interface PolicyExpression {
  /** Of a condition or a variable its name, of an annotation its key. */
  readonly name: string
  readonly text: string
  /** The place in the policy, for causes. */
  readonly path: string
  readonly compiled: CompiledExpression
}

export interface PolicyValidation extends PolicyExpression {
  readonly message: string
  readonly reason: string
  readonly messageExpression: PolicyExpression | undefined
}

export interface PolicyPrograms {
  readonly conditions: readonly PolicyExpression[]
  readonly variables: readonly PolicyExpression[]
  readonly validations: readonly PolicyValidation[]
  readonly annotations: readonly PolicyExpression[]
}

/** Yields to the event loop between expressions. The types of the fields have been checked, what is in them need not be. */
export async function compilePolicy(policySpec: unknown): Promise<PolicyPrograms> {
  return yieldBetween(policySteps(policySpec, await loadCel()))
}

function* policySteps(policySpec: unknown, cel: Cel): Generator<undefined, PolicyPrograms, undefined> {
  const spec = fieldsOf(policySpec)
  const params = isObject(spec.paramKind)
  const compiler = (own: ReadonlyMap<string, CelType> | undefined, authorizer = true) =>
    new Compiler(() => admissionEnvironment(cel, { params, authorizer, ...(own && { own }) }))
  const types = new Map<string, CelType>()
  const variables: PolicyExpression[] = []
  for (const [index, given] of listOf(spec.variables).entries()) {
    const { name, expression } = fieldsOf(given)
    // Each has an environment of its own: the type of the one before is known only now.
    const path = `spec.variables[${index}].expression`
    const variable = compiler(new Map(types)).compile(textOf(name), expression, path, 'any')
    types.set(variable.name, variable.compiled.program?.resultType ?? dynType)
    variables.push(variable)
    yield
  }
  const own = types.size === 0 ? undefined : types
  // Conditions see no variables: they say whether the policy has anything to do.
  const conditionCompiler = compiler(undefined)
  const conditions: PolicyExpression[] = []
  for (const [index, given] of listOf(spec.matchConditions).entries()) {
    const { name, expression } = fieldsOf(given)
    conditions.push(
      conditionCompiler.compile(textOf(name), expression, `spec.matchConditions[${index}].expression`, 'bool'),
    )
    yield
  }
  const plain = compiler(own)
  const messages = compiler(own, false)
  const validations: PolicyValidation[] = []
  for (const [index, given] of listOf(spec.validations).entries()) {
    const { expression, message, messageExpression, reason } = fieldsOf(given)
    const path = `spec.validations[${index}]`
    const made =
      textOf(messageExpression) === ''
        ? undefined
        : messages.compile('', messageExpression, `${path}.messageExpression`, 'string')
    validations.push({
      ...plain.compile('', expression, `${path}.expression`, 'bool'),
      message: textOf(message).trim(),
      reason: textOf(reason) || 'Invalid',
      messageExpression: made,
    })
    yield
  }
  const annotations: PolicyExpression[] = []
  for (const [index, given] of listOf(spec.auditAnnotations).entries()) {
    const { key, valueExpression } = fieldsOf(given)
    const path = `spec.auditAnnotations[${index}].valueExpression`
    annotations.push(plain.compile(textOf(key), valueExpression, path, 'text or null'))
    yield
  }
  return { conditions, variables, validations, annotations }
}

class Compiler {
  readonly #make: () => CelEnvironment
  #environment: CelEnvironment | undefined

  constructor(make: () => CelEnvironment) {
    this.#make = make
  }

  compile(name: string, given: unknown, path: string, result: Result): PolicyExpression {
    const text = textOf(given)
    this.#environment ??= this.#make()
    return { name, text, path, compiled: compileExpression(this.#environment, text, result) }
  }
}

/** Every expression, in the order of validation. */
export function expressionsOf({ conditions, variables, validations, annotations }: PolicyPrograms): PolicyExpression[] {
  return [
    ...conditions,
    ...variables,
    ...validations.flatMap((one) => (one.messageExpression ? [one, one.messageExpression] : [one])),
    ...annotations,
  ]
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
