// Checks labels, and selectors that are structs (`matchLabels`, `matchExpressions`), in the specs of kinds.

import { isObject, type LabelRequirement, type LabelSelector, labelSelector, labelValue } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { items, messages, qualified, texts } from './field-checks.ts'

/** Causes name the map and not the key, as in Kubernetes. */
export function labelErrors(path: string, labels: unknown): Cause[] {
  return Object.entries(fieldsOf(labels)).flatMap(([key, value]) => [
    ...qualified(path, key),
    ...messages(path, value, labelValue(textOf(value))),
  ])
}

export function selectorErrors(path: string, selector: unknown): Cause[] {
  if (!isObject(selector)) return []
  return [
    ...labelErrors(`${path}.matchLabels`, selector.matchLabels),
    ...items(selector.matchExpressions, `${path}.matchExpressions`).flatMap((one) =>
      requirementErrors(one.item, one.path),
    ),
  ]
}

function requirementErrors(requirement: Fields, path: string): Cause[] {
  return [
    ...operatorErrors(requirement, path),
    ...qualified(`${path}.key`, requirement.key),
    ...texts(requirement.values).flatMap((value, index) =>
      messages(`${path}.values[${index}]`, value, labelValue(value)),
    ),
  ]
}

/** Checks that the operator is known and has the number of values that it needs. */
function operatorErrors({ operator, values }: Fields, path: string): Cause[] {
  const some = listOf(values).length > 0
  switch (operator) {
    case 'In':
    case 'NotIn':
      return some ? [] : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return some
        ? [forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
        : []
    default:
      return [invalidValue(`${path}.operator`, textOf(operator), 'not a valid selector operator')]
  }
}

export function isEmptySelector(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = fieldsOf(selector)
  return Object.keys(fieldsOf(matchLabels)).length + listOf(matchExpressions).length === 0
}

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
}

/** Undefined when the selector is invalid. A missing selector selects nothing. */
export function selectorOf(selector: unknown): LabelSelector | undefined {
  if (selectorErrors('', selector).length > 0) return undefined
  const { matchLabels, matchExpressions } = fieldsOf(selector)
  const equals = Object.entries(fieldsOf(matchLabels)).map(([key, value]) => ({
    key,
    operator: 'in' as const,
    values: [textOf(value)],
  }))
  const others = items(matchExpressions, '').map(({ item }) => ({
    key: textOf(item.key),
    operator: OPERATORS[textOf(item.operator)] ?? 'exists',
    values: texts(item.values).sort(),
  }))
  return labelSelector([...equals, ...others])
}

export function labelsOf(labels: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(labels)).map(([key, value]) => [key, textOf(value)]))
}
