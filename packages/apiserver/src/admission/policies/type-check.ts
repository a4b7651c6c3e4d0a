// Checks the expressions of a policy against the kinds that its rules name, as Kubernetes does it for the status of the policy.
// Nothing depends on what it finds: objects may have other types when the policy runs.

import { type Cel, type CelType, dynType } from '@homeostat/cel/without-compiler'
import { isObject } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'
import { admissionEnvironment } from '../../expressions/admission-environment.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { kindText } from './params.ts'

export interface ExpressionWarning {
  readonly fieldRef: string
  readonly warning: string
}

export interface CheckedKind {
  readonly text: string
  readonly type: CelType
}

const MOST_KINDS = 10

/** The served kinds that the rules name without wildcards, in order. */
export function kindsToCheck(spec: unknown, served: readonly ResourceType[]): ResourceType[] {
  const found = new Set<ResourceType>()
  for (const rule of listOf(fieldsOf(fieldsOf(spec).matchConstraints).resourceRules).map(fieldsOf)) {
    const [groups, versions, resources] = [rule.apiGroups, rule.apiVersions, rule.resources].map(
      (list) => new Set(listOf(list).map(textOf)),
    ) as [Set<string>, Set<string>, Set<string>]
    if (groups.has('*') || versions.has('*')) continue
    for (const type of served) {
      if (groups.has(type.group) && versions.has(type.version) && resources.has(type.resource)) found.add(type)
      if (found.size === MOST_KINDS) break
    }
  }
  return [...found].sort((a, b) => (kindText(a) < kindText(b) ? -1 : 1))
}

/** A step per expression and kind. */
export function* expressionWarnings(
  policySpec: unknown,
  kinds: readonly CheckedKind[],
  paramsType: CelType | undefined,
  cel: Cel,
): Generator<undefined, ExpressionWarning[], undefined> {
  const spec = fieldsOf(policySpec)
  const params = isObject(spec.paramKind)
  const checks: { kind: CheckedKind; own: Map<string, CelType> }[] = []
  for (const kind of kinds) {
    const own = new Map<string, CelType>()
    for (const variable of listOf(spec.variables).map(fieldsOf)) {
      const environment = admissionEnvironment(cel, { params, authorizer: true, own, object: kind.type, paramsType })
      const { program } = environment.compile(textOf(variable.expression))
      own.set(textOf(variable.name), program?.resultType ?? dynType)
      yield
    }
    checks.push({ kind, own })
  }
  const warnings: ExpressionWarning[] = []
  for (const [index, validation] of listOf(spec.validations).map(fieldsOf).entries()) {
    for (const field of ['expression', 'messageExpression']) {
      const expression = textOf(validation[field])
      if (expression === '') continue
      const problems: string[] = []
      for (const { kind, own } of checks) {
        const environment = admissionEnvironment(cel, { params, authorizer: true, own, object: kind.type, paramsType })
        const { issues } = environment.compile(expression)
        if (issues !== undefined) problems.push(`${kind.text}: ${issues.text}\n`)
        yield
      }
      if (problems.length > 0)
        warnings.push({ fieldRef: `spec.validations[${index}].${field}`, warning: problems.join('\n') })
    }
  }
  return warnings
}
