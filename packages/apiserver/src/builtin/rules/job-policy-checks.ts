// Checks podFailurePolicy and successPolicy: when a job fails or succeeds before all its pods do.

import { isObject } from '@homeostat/meta'
import { type Cause, duplicate, invalidValue, required, tooLong, tooMany } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { choice, isSet, items, nonNegative, numberOf, qualified } from './field-checks.ts'

const MAX_RULES = 20
const MAX_EXIT_CODES = 255
const MAX_INDEXES = 64 * 1024

export function failurePolicyErrors(spec: Fields, path: string): Cause[] {
  const policy = spec.podFailurePolicy
  if (!isObject(policy)) return []
  const podSpec = fieldsOf(fieldsOf(spec.template).spec)
  const containers = [...items(podSpec.containers, ''), ...items(podSpec.initContainers, '')]
  const names = containers.map(({ item }) => textOf(item.name))
  return [
    ...few(policy.rules, `${path}.rules`, MAX_RULES),
    ...items(policy.rules, `${path}.rules`).flatMap((one) => failureRuleErrors(one.item, one.path, spec, names)),
  ]
}

function few(list: unknown, path: string, most: number): Cause[] {
  const { length } = listOf(list)
  return length > most ? [tooMany(path, length, most)] : []
}

function failureRuleErrors(rule: Fields, path: string, spec: Fields, names: readonly string[]): Cause[] {
  const causes: Cause[] = []
  if (rule.action === 'FailIndex') {
    if (!isSet(spec.backoffLimitPerIndex)) {
      causes.push(invalidValue(`${path}.action`, 'FailIndex', 'requires the backoffLimitPerIndex to be set'))
    }
  } else causes.push(...choice(`${path}.action`, rule.action, ['Count', 'FailIndex', 'FailJob', 'Ignore']))
  const { onExitCodes, onPodConditions } = rule
  const conditions = listOf(onPodConditions).length > 0
  if (isObject(onExitCodes)) causes.push(...exitCodeErrors(onExitCodes, `${path}.onExitCodes`, names))
  causes.push(...few(onPodConditions, `${path}.onPodConditions`, MAX_RULES))
  for (const { item, path: at } of items(onPodConditions, `${path}.onPodConditions`)) {
    causes.push(...qualified(`${at}.type`, item.type))
    causes.push(...choice(`${at}.status`, item.status, ['False', 'True', 'Unknown']))
  }
  if (isObject(onExitCodes) === conditions) {
    const detail = conditions
      ? 'specifying both OnExitCodes and OnPodConditions is not supported'
      : 'specifying one of OnExitCodes and OnPodConditions is required'
    causes.push(invalidValue(path, undefined, detail))
  }
  return causes
}

function exitCodeErrors(codes: Fields, path: string, names: readonly string[]): Cause[] {
  const causes = choice(`${path}.operator`, codes.operator, ['In', 'NotIn'])
  if (isSet(codes.containerName) && !names.includes(textOf(codes.containerName))) {
    const detail = 'must be one of the container or initContainer names in the pod template'
    causes.push(invalidValue(`${path}.containerName`, codes.containerName, detail))
  }
  const values = listOf(codes.values).map(numberOf)
  if (values.length === 0) causes.push(invalidValue(`${path}.values`, values, 'at least one value is required'))
  causes.push(...few(values, `${path}.values`, MAX_EXIT_CODES))
  values.forEach((value, index) => {
    const at = `${path}.values[${index}]`
    if (codes.operator === 'In' && value === 0) {
      causes.push(invalidValue(at, value, 'must not be 0 for the In operator'))
    }
    if (values.indexOf(value) < index) causes.push(duplicate(at, value))
  })
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value)) {
    causes.push(invalidValue(`${path}.values`, values, 'must be ordered'))
  }
  return causes
}

export function successPolicyErrors(spec: Fields, path: string): Cause[] {
  const { rules } = fieldsOf(spec.successPolicy)
  const at = `${path}.rules`
  if (listOf(rules).length === 0) {
    return [required(at, 'at least one rules must be specified when the successPolicy is specified')]
  }
  const completions = numberOf(spec.completions)
  return [
    ...few(rules, at, MAX_RULES),
    ...items(rules, at).flatMap((one) => successRuleErrors(one.item, one.path, completions)),
  ]
}

function successRuleErrors(rule: Fields, path: string, completions: number): Cause[] {
  const { succeededIndexes: indexes, succeededCount: count } = rule
  const causes: Cause[] = []
  if (!isSet(indexes) && !isSet(count)) {
    causes.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'))
  }
  const total = isSet(indexes) ? countIndexes(textOf(indexes), completions) : 0
  if (textOf(indexes).length > MAX_INDEXES) causes.push(tooLong(`${path}.succeededIndexes`, MAX_INDEXES))
  if (total === undefined) {
    const detail = 'error parsing succeededIndexes: must be increasing numbers and ranges below completions'
    causes.push(invalidValue(`${path}.succeededIndexes`, indexes, detail))
  }
  if (!isSet(count)) return causes
  causes.push(...nonNegative(`${path}.succeededCount`, count))
  const limits = [completions, ...(isSet(indexes) ? [total ?? 0] : [])]
  for (const limit of limits) {
    if (numberOf(count) > limit) {
      causes.push(invalidValue(`${path}.succeededCount`, count, `must be less than or equal to ${limit}`))
    }
  }
  return causes
}

/** The number of indexes in a list such as `1,3-5`; undefined when it is invalid. */
function countIndexes(text: string, completions: number): number | undefined {
  let [total, last] = [0, -1]
  if (text === '') return 0
  for (const part of text.split(',')) {
    const [, low, high] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? []
    if (low === undefined) return undefined
    const [from, to] = [Number(low), Number(high ?? low)]
    if (from <= last || to >= completions || (high !== undefined && from >= to)) return undefined
    total += to - from + 1
    last = to
  }
  return total
}
