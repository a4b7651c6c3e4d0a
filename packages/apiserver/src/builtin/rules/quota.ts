// Rules of ResourceQuota: how much a namespace may hold.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { items, texts } from './field-checks.ts'
import { roundAmounts } from './pod-spec-defaults.ts'
import { amountErrors, isQuotaResource, resourceName } from './resource-checks.ts'

export const quotaRules: Partial<KindRules> = {
  applyDefaults(quota) {
    roundAmounts(fieldsOf(quota.spec).hard)
    roundAmounts(fieldsOf(quota.status).hard)
    roundAmounts(fieldsOf(quota.status).used)
  },
  validate: errors,
  validateUpdate: (quota, old) => {
    const [now, before] = [texts(fieldsOf(quota.spec).scopes), texts(fieldsOf(old.spec).scopes)]
    const same = new Set([...now, ...before]).size === new Set(now).size && new Set(now).size === new Set(before).size
    return [...errors(quota), ...(same ? [] : [invalidValue('spec.scopes', now, 'field is immutable')])]
  },
}

function errors(quota: KubeObject): Cause[] {
  const spec = fieldsOf(quota.spec)
  const { hard, used } = fieldsOf(quota.status)
  return [
    ...amountsErrors(spec.hard, 'spec.hard'),
    ...scopeErrors(spec),
    ...selectorErrors(spec),
    ...amountsErrors(hard, 'status.hard'),
    ...amountsErrors(used, 'status.used'),
  ]
}

function amountsErrors(amounts: unknown, path: string): Cause[] {
  return Object.entries(fieldsOf(amounts)).flatMap(([name, value]) => {
    const at = `${path}[${name}]`
    const causes = resourceName(at, name)
    if (!name.includes('/') && !isQuotaResource(name)) {
      causes.push(invalidValue(at, name, 'must be a standard resource for quota'))
    }
    return [...causes, ...amountErrors(at, name, value)]
  })
}

const COMPUTE = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']
/** The resources that each scope can limit. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: COMPUTE,
  NotTerminating: COMPUTE,
  BestEffort: ['pods'],
  NotBestEffort: COMPUTE,
  PriorityClass: COMPUTE,
  CrossNamespacePodAffinity: COMPUTE,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
}
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
]

function scopeErrors(spec: Fields): Cause[] {
  const scopes = texts(spec.scopes)
  const causes = scopes.flatMap((scope) => [
    ...(SCOPES[scope] ? [] : [invalidValue('spec.scopes', scopes, 'unsupported scope')]),
    ...misapplied(scope, spec).map(() => invalidValue('spec.scopes', scopes, 'unsupported scope applied to resource')),
  ])
  return [...causes, ...conflicting(scopes).map(() => invalidValue('spec.scopes', scopes, 'conflicting scopes'))]
}

/** The limited resources that the scope does not apply to. */
function misapplied(scope: string, spec: Fields): string[] {
  const allowed = SCOPES[scope]
  if (!allowed) return []
  return Object.keys(fieldsOf(spec.hard)).filter((name) => isQuotaResource(name) && !allowed.includes(name))
}

function conflicting(scopes: readonly string[]): readonly string[][] {
  return OPPOSITES.filter((pair) => pair.every((scope) => scopes.includes(scope)))
}

function selectorErrors(spec: Fields): Cause[] {
  if (!isObject(spec.scopeSelector)) return []
  const path = 'spec.scopeSelector.matchExpressions'
  const { matchExpressions } = spec.scopeSelector
  const scopes = items(matchExpressions, path).map(({ item }) => textOf(item.scopeName))
  const causes = items(matchExpressions, path).flatMap(({ item }) => expressionErrors(item, path, spec))
  return [...causes, ...conflicting(scopes).map(() => invalidValue(path, scopes, 'conflicting scopes'))]
}

/** Paths omit the index of the expression, as in Kubernetes. */
function expressionErrors(expression: Fields, path: string, spec: Fields): Cause[] {
  const [scope, operator] = [textOf(expression.scopeName), textOf(expression.operator)]
  const count = listOf(expression.values).length
  const causes: Cause[] = []
  if (!SCOPES[scope]) causes.push(invalidValue(`${path}.scopeName`, scope, 'unsupported scope'))
  causes.push(...misapplied(scope, spec).map(() => invalidValue(path, scope, 'unsupported scope applied to resource')))
  const valued = scope === 'PriorityClass' || scope === 'VolumeAttributesClass'
  if (SCOPES[scope] && !valued && operator !== 'Exists') {
    causes.push(invalidValue(`${path}.operator`, operator, `must be 'Exists' when scope is ${scope}`))
  }
  if (operator === 'In' || operator === 'NotIn') {
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
    return count > 0 ? causes : [...causes, required(`${path}.values`, detail)]
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
    return count === 0 ? causes : [...causes, invalidValue(`${path}.values`, expression.values, detail)]
  }
  return [...causes, invalidValue(`${path}.operator`, operator, 'not a valid selector operator')]
}
