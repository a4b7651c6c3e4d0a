// Rules of Deployment and ReplicaSet: a number of equal pods.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported } from '@homeostat/meta/server'
import { type Fields, fieldsOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  amountOf,
  atMostAllPercent,
  ensure,
  fill,
  fillMissing,
  immutable,
  isSet,
  nonNegativeFields,
  numberOf,
  numberOrPercent,
} from './field-checks.ts'
import { defaultTemplate } from './pod-template.ts'
import { runningTemplateErrors, statusCountErrors, workloadSelectorErrors } from './workload-checks.ts'

export const deploymentRules: Partial<KindRules> = {
  applyDefaults(deployment) {
    const spec = ensure(deployment, 'spec')
    fillMissing(spec, 'replicas', 1)
    fillMissing(spec, 'revisionHistoryLimit', 10)
    fillMissing(spec, 'progressDeadlineSeconds', 600)
    const strategy = ensure(spec, 'strategy')
    fill(strategy, 'type', 'RollingUpdate')
    if (strategy.type === 'RollingUpdate') {
      const rolling = ensure(strategy, 'rollingUpdate')
      fillMissing(rolling, 'maxUnavailable', '25%')
      fillMissing(rolling, 'maxSurge', '25%')
    }
    defaultTemplate(spec)
  },
  validate: deploymentErrors,
  validateUpdate: (deployment, old) => [
    ...deploymentErrors(deployment),
    ...immutable('spec.selector', fieldsOf(deployment.spec).selector, fieldsOf(old.spec).selector),
    ...statusCountErrors(deployment.status, DEPLOYMENT_COUNTERS, ['updatedReplicas', ...PARTS]),
  ],
}

export const replicaSetRules: Partial<KindRules> = {
  applyDefaults(set) {
    const spec = ensure(set, 'spec')
    fillMissing(spec, 'replicas', 1)
    defaultTemplate(spec)
  },
  validate: replicaSetErrors,
  validateUpdate: (set, old) => [
    ...replicaSetErrors(set),
    ...immutable('spec.selector', fieldsOf(set.spec).selector, fieldsOf(old.spec).selector),
    ...statusCountErrors(set.status, REPLICA_COUNTERS, ['fullyLabeledReplicas', ...PARTS]),
  ],
}

const PARTS = ['readyReplicas', 'availableReplicas']
const SHARED_COUNTERS = ['observedGeneration', 'replicas', ...PARTS, 'terminatingReplicas']
const DEPLOYMENT_COUNTERS = [...SHARED_COUNTERS, 'updatedReplicas', 'unavailableReplicas', 'collisionCount']
const REPLICA_COUNTERS = [...SHARED_COUNTERS, 'fullyLabeledReplicas']

function deploymentErrors(deployment: KubeObject): Cause[] {
  const spec = fieldsOf(deployment.spec)
  const causes = [
    ...nonNegativeFields(spec, 'spec', ['replicas']),
    ...workloadSelectorErrors(spec, 'spec', 'deployment'),
    ...runningTemplateErrors(spec, 'spec', 'ReplicaSet'),
    ...strategyErrors(fieldsOf(spec.strategy), 'spec.strategy'),
    ...nonNegativeFields(spec, 'spec', ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds']),
  ]
  if (numberOf(spec.progressDeadlineSeconds) <= numberOf(spec.minReadySeconds)) {
    const detail = 'must be greater than minReadySeconds'
    causes.push(invalidValue('spec.progressDeadlineSeconds', spec.progressDeadlineSeconds, detail))
  }
  return causes
}

function strategyErrors(strategy: Fields, path: string): Cause[] {
  const rolling = strategy.rollingUpdate
  if (strategy.type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'"
    return isSet(rolling) ? [forbiddenField(`${path}.rollingUpdate`, detail)] : []
  }
  if (strategy.type !== 'RollingUpdate') return [notSupported(path, strategy, ['Recreate', 'RollingUpdate'])]
  if (!isObject(rolling)) return []
  const { maxUnavailable, maxSurge } = rolling
  const at = `${path}.rollingUpdate`
  const causes = [
    ...numberOrPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...numberOrPercent(`${at}.maxSurge`, maxSurge),
  ]
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    causes.push(invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'))
  }
  return [...causes, ...atMostAllPercent(`${at}.maxUnavailable`, maxUnavailable)]
}

function replicaSetErrors(set: KubeObject): Cause[] {
  const spec = fieldsOf(set.spec)
  return [
    ...nonNegativeFields(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...workloadSelectorErrors(spec, 'spec', 'deployment'),
    ...runningTemplateErrors(spec, 'spec', 'ReplicaSet'),
  ]
}
