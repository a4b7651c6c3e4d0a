// Rules of PodDisruptionBudget: how many of the selected pods must stay available during evictions.

import type { KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { fieldsOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { atMostAllPercent, isSet, nonNegativeFields, numberOrPercent, optionalChoice } from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'

export const disruptionBudgetRules: Partial<KindRules> = {
  validate: errors,
  validateUpdate: (budget) => [...errors(budget), ...nonNegativeFields(fieldsOf(budget.status), 'status', COUNTERS)],
}

const COUNTERS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']

function errors(budget: KubeObject): Cause[] {
  const spec = fieldsOf(budget.spec)
  const causes: Cause[] = []
  if (isSet(spec.minAvailable) && isSet(spec.maxUnavailable)) {
    causes.push(invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set'))
  }
  for (const key of ['minAvailable', 'maxUnavailable']) {
    const path = `spec.${key}`
    if (isSet(spec[key])) causes.push(...numberOrPercent(path, spec[key]), ...atMostAllPercent(path, spec[key]))
  }
  return [
    ...causes,
    ...selectorErrors('spec.selector', spec.selector),
    ...optionalChoice('spec.unhealthyPodEvictionPolicy', spec.unhealthyPodEvictionPolicy, [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ]
}
