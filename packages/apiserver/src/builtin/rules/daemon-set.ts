// Rules of DaemonSet: one pod on every node. An annotation counts the changes of its template.

import { deepClone, deepEqual, isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  amountOf,
  atMostAllPercent,
  ensure,
  fill,
  fillMissing,
  immutable,
  nonNegativeFields,
  numberOrPercent,
} from './field-checks.ts'
import { isEmptySelector, labelsOf, selectorErrors, selectorOf } from './label-checks.ts'
import { defaultTemplate, templateErrors } from './pod-template.ts'
import { alwaysRestarted } from './workload-checks.ts'

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

export const daemonSetRules: Partial<KindRules> = {
  prepareForCreate(set) {
    setTemplateGeneration(set, Math.max(1, templateGeneration(set)))
  },
  prepareForUpdate(set, old) {
    const changed = !deepEqual(completeTemplate(set), completeTemplate(old))
    setTemplateGeneration(set, templateGeneration(old) + (changed ? 1 : 0))
  },
  applyDefaults(set) {
    // Set the annotation while defaulting: the manager that writes the whole set owns it.
    if (set.metadata.annotations?.[TEMPLATE_GENERATION] === undefined) setTemplateGeneration(set, 0)
    const spec = ensure(set, 'spec')
    const strategy = ensure(spec, 'updateStrategy')
    fill(strategy, 'type', 'RollingUpdate')
    if (strategy.type === 'RollingUpdate') {
      const rolling = ensure(strategy, 'rollingUpdate')
      fillMissing(rolling, 'maxUnavailable', 1)
      fillMissing(rolling, 'maxSurge', 0)
    }
    fillMissing(spec, 'revisionHistoryLimit', 10)
    defaultTemplate(spec)
  },
  validate: errors,
  validateUpdate: (set, old) => [
    ...errors(set),
    ...immutable('spec.selector', fieldsOf(set.spec).selector, fieldsOf(old.spec).selector),
    ...nonNegativeFields(fieldsOf(set.status), 'status', COUNTERS),
  ],
}

const COUNTERS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
]

function templateGeneration({ metadata }: KubeObject): number {
  const text = metadata.annotations?.[TEMPLATE_GENERATION] ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

function setTemplateGeneration(set: KubeObject, generation: number): void {
  set.metadata.annotations = { ...set.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) }
}

function completeTemplate(set: KubeObject): unknown {
  const holder: Fields = { template: deepClone(fieldsOf(fieldsOf(set.spec).template)) }
  defaultTemplate(holder)
  return holder.template
}

function errors(set: KubeObject): Cause[] {
  const spec = fieldsOf(set.spec)
  const { selector, template } = spec
  const { labels } = fieldsOf(fieldsOf(template).metadata)
  const causes = selectorErrors('spec.selector', selector)
  const parsed = selectorOf(selector)
  // A missing selector selects nothing, not even the set's own pods.
  if (parsed && !(isObject(selector) && parsed.matches(labelsOf(labels)))) {
    causes.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'))
  }
  if (isObject(selector) && isEmptySelector(selector)) {
    causes.push(invalidValue('spec.selector', selector, 'empty selector is invalid for daemonset'))
  }
  return [
    ...causes,
    ...templateErrors(template, 'spec.template'),
    ...alwaysRestarted(fieldsOf(template), 'spec.template', 'DaemonSet'),
    ...nonNegativeFields(spec, 'spec', ['minReadySeconds']),
    ...strategyErrors(fieldsOf(spec.updateStrategy)),
    ...nonNegativeFields(spec, 'spec', ['revisionHistoryLimit']),
  ]
}

function strategyErrors(strategy: Fields): Cause[] {
  const path = 'spec.updateStrategy'
  if (strategy.type === 'OnDelete') return []
  if (strategy.type !== 'RollingUpdate') return [notSupported(path, strategy, ['RollingUpdate', 'OnDelete'])]
  const { maxUnavailable, maxSurge } = fieldsOf(strategy.rollingUpdate)
  const at = `${path}.rollingUpdate`
  const causes = [
    ...numberOrPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...numberOrPercent(`${at}.maxSurge`, maxSurge),
    ...atMostAllPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...atMostAllPercent(`${at}.maxSurge`, maxSurge),
  ]
  const [unavailable, surge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0]
  if (unavailable && surge) {
    causes.push(invalidValue(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  }
  if (!unavailable && !surge) causes.push(required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'))
  return causes
}
