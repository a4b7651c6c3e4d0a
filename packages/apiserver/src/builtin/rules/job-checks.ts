// Checks the spec of a job, in a Job or in the template of a CronJob.

import { isObject } from '@homeostat/meta'
import { type Cause, invalidValue, notSupported, required, tooLong } from '@homeostat/meta/server'
import { type Fields, fieldsOf, textOf } from '../fields-of.ts'
import { domainPath } from './domain-path.ts'
import { isSet, nonNegativeFields, numberOf, optionalChoice } from './field-checks.ts'
import { failurePolicyErrors, successPolicyErrors } from './job-policy-checks.ts'
import { templateErrors } from './pod-template.ts'

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
]
const MANY = 100_000

export function jobSpecErrors(spec: Fields, path: string): Cause[] {
  const causes = nonNegativeFields(spec, path, COUNTS)
  if (isSet(spec.maxFailedIndexes) && !isSet(spec.backoffLimitPerIndex)) {
    causes.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'))
  }
  if (isSet(spec.managedBy)) causes.push(...managerErrors(textOf(spec.managedBy), `${path}.managedBy`))
  causes.push(...optionalChoice(`${path}.completionMode`, spec.completionMode, ['NonIndexed', 'Indexed']))
  causes.push(...(isIndexed(spec) ? indexedErrors(spec, path) : []))
  if (!isSet(spec.completionMode) || spec.completionMode === 'NonIndexed') {
    for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      if (isSet(spec[key])) causes.push(invalidValue(`${path}.${key}`, spec[key], 'requires indexed completion mode'))
    }
  }
  return [
    ...causes,
    ...failurePolicyErrors(spec, `${path}.podFailurePolicy`),
    ...successErrors(spec, `${path}.successPolicy`),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...templateErrors(spec.template, `${path}.template`),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  ]
}

export function isIndexed(spec: Fields): boolean {
  return spec.completionMode === 'Indexed'
}

function managerErrors(name: string, path: string): Cause[] {
  return [...domainPath(path, name), ...(name.length > 63 ? [tooLong(path, 63)] : [])]
}

function indexedErrors(spec: Fields, path: string): Cause[] {
  const { completions, parallelism, maxFailedIndexes } = spec
  const causes: Cause[] = []
  const atMost = (key: string, most: number, when = '') => {
    if (numberOf(spec[key]) > most) {
      causes.push(invalidValue(`${path}.${key}`, spec[key], `must be less than or equal to ${most}${when}`))
    }
  }
  if (!isSet(completions)) causes.push(required(`${path}.completions`, 'when completion mode is Indexed'))
  if (isSet(parallelism)) atMost('parallelism', MANY, ' when completion mode is Indexed')
  if (isSet(completions) && numberOf(maxFailedIndexes) > numberOf(completions)) {
    causes.push(invalidValue(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'))
  }
  atMost('maxFailedIndexes', MANY)
  if (numberOf(completions) > MANY && isSet(spec.backoffLimitPerIndex)) {
    if (!isSet(maxFailedIndexes)) {
      causes.push(required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${MANY}`))
    }
    const when = ` when completions are above ${MANY} and used with backoff limit per index`
    atMost('parallelism', 10_000, when)
    atMost('maxFailedIndexes', 10_000, when)
  }
  return causes
}

function successErrors(spec: Fields, path: string): Cause[] {
  if (!isObject(spec.successPolicy)) return []
  if (!isIndexed(spec)) return [invalidValue(path, spec.successPolicy, 'requires indexed completion mode')]
  return successPolicyErrors(spec, path)
}

function replacementErrors(spec: Fields, path: string): Cause[] {
  const choices = isSet(spec.podFailurePolicy) ? ['Failed'] : ['Failed', 'TerminatingOrFailed']
  return optionalChoice(path, spec.podReplacementPolicy, choices)
}

/** A job ends, so that its pods must not have the restart policy Always. */
function restartErrors(spec: Fields, path: string): Cause[] {
  const policy = textOf(fieldsOf(fieldsOf(spec.template).spec).restartPolicy)
  if (policy === 'Always' || policy === '') return [required(path, 'valid values: "OnFailure", "Never"')]
  if (!['OnFailure', 'Never'].includes(policy)) return [notSupported(path, policy, ['OnFailure', 'Never'])]
  if (!isSet(spec.podFailurePolicy) || policy === 'Never') return []
  return [invalidValue(path, policy, 'only "Never" is supported when podFailurePolicy is specified')]
}
