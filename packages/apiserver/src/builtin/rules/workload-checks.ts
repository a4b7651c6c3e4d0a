// Checks that workloads share.

import { isObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf } from '../fields-of.ts'
import { isSet, nonNegativeFields, numberOf } from './field-checks.ts'
import { isEmptySelector, selectorErrors, selectorOf } from './label-checks.ts'
import { selectsTemplate, templateErrors } from './pod-template.ts'

/** The selector is required and must not be empty. */
export function workloadSelectorErrors(spec: Fields, path: string, kind: string): Cause[] {
  const { selector } = spec
  if (!isObject(selector)) return [required(`${path}.selector`)]
  const causes = selectorErrors(`${path}.selector`, selector)
  if (isEmptySelector(selector)) {
    causes.push(invalidValue(`${path}.selector`, selector, `empty selector is invalid for ${kind}`))
  }
  if (!selectorOf(selector)) causes.push(invalidValue(`${path}.selector`, selector, 'invalid label selector'))
  return causes
}

/** Pods of these workloads must have the restart policy Always. */
export function runningTemplateErrors(spec: Fields, path: string, kind: string): Cause[] {
  const template = fieldsOf(spec.template)
  const at = `${path}.template`
  if (isObject(spec.selector) && !selectorOf(spec.selector)) return []
  return [
    ...selectsTemplate(spec.selector, template, at),
    ...templateErrors(template, at),
    ...alwaysRestarted(template, at, kind),
  ]
}

export function alwaysRestarted(template: Fields, path: string, kind: string): Cause[] {
  const { restartPolicy, activeDeadlineSeconds } = fieldsOf(template.spec)
  return [
    ...(restartPolicy === 'Always' ? [] : [notSupported(`${path}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(isSet(activeDeadlineSeconds)
      ? [forbiddenField(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]
      : []),
  ]
}

/** Counters of a status: none is negative or exceeds the total that it is part of. */
export function statusCountErrors(status: unknown, counters: readonly string[], parts: readonly string[]): Cause[] {
  const fields = fieldsOf(status)
  const causes = nonNegativeFields(fields, 'status', counters)
  for (const part of parts) {
    if (numberOf(fields[part]) > numberOf(fields.replicas)) {
      causes.push(invalidValue(`status.${part}`, fields[part], 'cannot be greater than status.replicas'))
    }
  }
  if (numberOf(fields.availableReplicas) > numberOf(fields.readyReplicas)) {
    const detail = 'cannot be greater than readyReplicas'
    causes.push(invalidValue('status.availableReplicas', fields.availableReplicas, detail))
  }
  return causes
}
