// Rules of PriorityClass and RuntimeClass, which pods refer to by name.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField } from '@homeostat/meta/server'
import { fieldsOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { choice, dnsLabel, fillMissing, immutable, items, numberOf } from './field-checks.ts'
import { labelErrors } from './label-checks.ts'
import { roundAmounts } from './pod-spec-defaults.ts'
import { resourceErrors } from './resource-checks.ts'
import { tolerationErrors } from './scheduling-checks.ts'

const HIGHEST_PRIORITY = 1_000_000_000
export const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

export const priorityClassRules: Partial<KindRules> = {
  applyDefaults: (priority) => fillMissing(priority, 'preemptionPolicy', 'PreemptLowerPriority'),
  validate: priorityErrors,
  validateUpdate: (priority, old) => [
    ...(numberOf(priority.value) === numberOf(old.value)
      ? []
      : [forbiddenField('value', 'may not be changed in an update.')]),
    ...immutable('preemptionPolicy', priority.preemptionPolicy, old.preemptionPolicy),
  ],
}

function priorityErrors(priority: KubeObject): Cause[] {
  const name = priority.metadata.name ?? ''
  const causes: Cause[] = []
  if (name.startsWith('system-')) {
    if (SYSTEM_PRIORITIES[name] !== numberOf(priority.value) || priority.globalDefault === true) {
      const detail = "priority class names with 'system-' prefix are reserved for system use only"
      causes.push(forbiddenField('metadata.name', detail))
    }
  } else if (numberOf(priority.value) > HIGHEST_PRIORITY) {
    causes.push(forbiddenField('value', `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`))
  }
  return [...causes, ...choice('preemptionPolicy', priority.preemptionPolicy, ['PreemptLowerPriority', 'Never'])]
}

export const runtimeClassRules: Partial<KindRules> = {
  applyDefaults: (runtime) => roundAmounts(fieldsOf(runtime.overhead).podFixed),
  validate: runtimeErrors,
  validateUpdate: (runtime, old) => [...runtimeErrors(runtime), ...immutable('handler', runtime.handler, old.handler)],
}

function runtimeErrors(runtime: KubeObject): Cause[] {
  const causes = dnsLabel('handler', runtime.handler)
  if (isObject(runtime.overhead)) {
    causes.push(...resourceErrors({ limits: runtime.overhead.podFixed }, 'overhead', []))
  }
  if (!isObject(runtime.scheduling)) return causes
  const { nodeSelector, tolerations } = runtime.scheduling
  const seen = new Set<string>()
  return [
    ...causes,
    ...labelErrors('scheduling.nodeSelector', nodeSelector),
    ...tolerationErrors(tolerations, 'scheduling.tolerations'),
    ...items(tolerations, 'scheduling.tolerations').flatMap(({ item, path }) => {
      const key = ['key', 'operator', 'value', 'effect'].map((part) => textOf(item[part])).join('\n')
      if (seen.has(key)) return [duplicate(path, item)]
      seen.add(key)
      return []
    }),
  ]
}
