// A label selector as objects hold it, with matchLabels and matchExpressions. Whoever reads one from a validated object calls
// it; absent, it matches everything.

import { isObject } from '../json/is-object.ts'
import type { LabelOperator, LabelRequirement } from './label-requirement.ts'
import { type LabelSelector, labelSelector } from './label-selector.ts'

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
}

export function selectorOf(given: unknown): LabelSelector {
  if (!isObject(given)) return labelSelector([])
  const { matchLabels, matchExpressions } = given
  const equal = Object.entries(isObject(matchLabels) ? matchLabels : {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: '=', values: [String(value)] }),
  )
  const others = (Array.isArray(matchExpressions) ? matchExpressions : []).filter(isObject).map(requirementOf)
  return labelSelector([...equal, ...others])
}

function requirementOf({ key, operator, values }: Record<string, unknown>): LabelRequirement {
  return {
    key: String(key),
    operator: OPERATORS[String(operator)] ?? 'in',
    values: Array.isArray(values) ? values.map(String) : [],
  }
}
