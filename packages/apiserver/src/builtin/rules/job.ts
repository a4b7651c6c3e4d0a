// Rules of Job and CronJob: pods that run to completion. The server generates a job's selector and its pod labels.

import { deepClone, dns1123Label, isObject, type KubeObject } from '@homeostat/meta'
import { readCronSchedule } from '@homeostat/meta/cron'
import { type Cause, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  choice,
  ensure,
  fill,
  fillMissing,
  immutable,
  isSet,
  items,
  nonNegativeFields,
  numberOf,
  structs,
} from './field-checks.ts'
import { isIndexed, jobSpecErrors } from './job-checks.ts'
import { labelsOf, selectorErrors, selectorOf } from './label-checks.ts'
import { defaultTemplate } from './pod-template.ts'

const NAME_LABELS = ['job-name', 'batch.kubernetes.io/job-name']
const UID_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid']
const UID_LABEL = 'batch.kubernetes.io/controller-uid'

export const jobRules: Partial<KindRules> = {
  prepareForCreate(job) {
    if (fieldsOf(job.spec).manualSelector !== true) makeSelector(job)
  },
  applyDefaults(job) {
    const spec = ensure(job, 'spec')
    defaultJobSpec(spec)
    copyTemplateLabels(job)
    if (!isSet(spec.completions) && !isSet(spec.parallelism)) spec.completions = 1
    fillMissing(spec, 'parallelism', 1)
    fillMissing(spec, 'backoffLimit', isSet(spec.backoffLimitPerIndex) ? 2 ** 31 - 1 : 6)
    fillMissing(spec, 'completionMode', 'NonIndexed')
    fillMissing(spec, 'suspend', false)
    fillMissing(spec, 'podReplacementPolicy', isSet(spec.podFailurePolicy) ? 'Failed' : 'TerminatingOrFailed')
    fillMissing(spec, 'manualSelector', false)
  },
  validate: (job) => jobErrors(job),
  // Kubernetes validates an update as a job and as a change, so that a cause in the spec appears twice.
  validateUpdate: (job, old) => [
    ...jobErrors(job, old),
    ...selectedJobErrors(job),
    ...frozenErrors(job, old),
    ...nonNegativeFields(fieldsOf(job.status), 'status', ['active', 'succeeded', 'failed', 'ready', 'terminating']),
  ],
  warnings: nameWarnings,
}

export const cronJobRules: Partial<KindRules> = {
  applyDefaults(cronJob) {
    const spec = ensure(cronJob, 'spec')
    fill(spec, 'concurrencyPolicy', 'Allow')
    fillMissing(spec, 'suspend', false)
    fillMissing(spec, 'successfulJobsHistoryLimit', 3)
    fillMissing(spec, 'failedJobsHistoryLimit', 1)
    defaultJobSpec(ensure(ensure(spec, 'jobTemplate'), 'spec'))
  },
  validate: (cronJob) => [...cronErrors(cronJob, undefined), ...cronNameErrors(cronJob)],
  validateUpdate: cronErrors,
  warnings: nameWarnings,
}

function jobErrors(job: KubeObject, old?: KubeObject): Cause[] {
  return [...generatedErrors(job, old), ...selectedJobErrors(job), ...hostNameErrors(job)]
}

/** The defaults that a CronJob's template gets too; a job created from it gets the rest. */
function defaultJobSpec(spec: Fields): void {
  for (const rule of structs(fieldsOf(spec.podFailurePolicy), 'rules')) {
    for (const pattern of structs(rule, 'onPodConditions')) fill(pattern, 'status', 'True')
  }
  defaultTemplate(spec)
}

function copyTemplateLabels(job: KubeObject): void {
  const { labels } = fieldsOf(fieldsOf(fieldsOf(job.spec).template).metadata)
  const empty = Object.keys(job.metadata.labels ?? {}).length === 0
  if (empty && Object.keys(fieldsOf(labels)).length > 0) job.metadata.labels = labelsOf(labels)
}

function makeSelector(job: KubeObject): void {
  const spec = ensure(job, 'spec')
  const labels = ensure(ensure(ensure(spec, 'template'), 'metadata'), 'labels')
  for (const key of NAME_LABELS) fillMissing(labels, key, job.metadata.name ?? '')
  for (const key of UID_LABELS) fillMissing(labels, key, job.metadata.uid ?? '')
  fillMissing(ensure(ensure(spec, 'selector'), 'matchLabels'), UID_LABEL, job.metadata.uid ?? '')
}

/** With a generated selector, a client must not set the generated labels. */
function generatedErrors(job: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = fieldsOf(job.spec)
  if (spec.manualSelector === true || !isObject(spec.selector)) return []
  const path = 'spec.template.metadata.labels'
  const labels = labelsOf(fieldsOf(fieldsOf(spec.template).metadata).labels)
  const [name, uid] = [job.metadata.name ?? '', job.metadata.uid ?? '']
  const expected: Record<string, string> = {}
  // Jobs that are older than the label prefixes may lack the prefixed labels.
  const before = old && labelsOf(fieldsOf(fieldsOf(fieldsOf(old.spec).template).metadata).labels)
  const prefixed = !before || [...NAME_LABELS, ...UID_LABELS].every((key) => !key.includes('/') || key in before)
  for (const key of NAME_LABELS) if (prefixed || !key.includes('/')) expected[key] = name
  for (const key of UID_LABELS) if (prefixed || !key.includes('/')) expected[key] = uid
  const causes = Object.entries(expected).flatMap(([key, value]) => {
    if (labels[key] === undefined) return [required(`${path}[${key}]`, `must be '${value}'`)]
    return labels[key] === value ? [] : [invalidValue(`${path}[${key}]`, labels, `must be '${value}'`)]
  })
  const selector = selectorOf(spec.selector)
  if (selector && !selector.matches(expected)) {
    causes.push(invalidValue('spec.selector', spec.selector, '`selector` not auto-generated'))
  }
  return causes
}

function selectedJobErrors(job: KubeObject): Cause[] {
  const spec = fieldsOf(job.spec)
  const causes = jobSpecErrors(spec, 'spec')
  if (!isObject(spec.selector)) causes.push(required('spec.selector'))
  causes.push(...selectorErrors('spec.selector', spec.selector))
  const selector = selectorOf(spec.selector)
  const { labels } = fieldsOf(fieldsOf(spec.template).metadata)
  if (selector && !(isObject(spec.selector) && selector.matches(labelsOf(labels)))) {
    causes.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'))
  }
  return causes
}

/** The host name of each pod of an indexed job ends in its index. */
function hostNameErrors(job: KubeObject): Cause[] {
  const spec = fieldsOf(job.spec)
  const completions = numberOf(spec.completions)
  if (!isIndexed(spec) || completions <= 0) return []
  const longest = `${job.metadata.name ?? ''}-${completions - 1}`
  if (dns1123Label(longest).length === 0) return []
  const detail = `will not able to create pod with invalid DNS label: ${longest}`
  return [invalidValue('metadata.name', job.metadata.name, detail)]
}

function frozenErrors(job: KubeObject, old: KubeObject): Cause[] {
  const [spec, before] = [fieldsOf(job.spec), fieldsOf(old.spec)]
  const same = (key: string) => immutable(`spec.${key}`, spec[key], before[key])
  return [
    ...completionErrors(spec, before),
    ...same('selector'),
    ...immutable('spec.template', spec.template, oldTemplate(spec, old)),
    ...['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'].flatMap(same),
  ]
}

function completionErrors(spec: Fields, old: Fields): Cause[] {
  const path = 'spec.completions'
  if (!isIndexed(spec)) return immutable(path, spec.completions, old.completions)
  if (!isSet(spec.completions) || spec.completions === old.completions) return []
  if (numberOf(spec.completions) === numberOf(spec.parallelism)) return []
  return [invalidValue(path, spec.completions, 'can only be modified in tandem with spec.parallelism')]
}

/** The scheduling of the template is mutable while a job is suspended and none of its pods run. */
function oldTemplate(spec: Fields, old: KubeObject): unknown {
  const before = fieldsOf(old.spec)
  const suspended = items(fieldsOf(old.status).conditions, '').some(
    ({ item }) => item.type === 'Suspended' && item.status === 'True',
  )
  const waits = before.suspend === true && (!isSet(fieldsOf(old.status).startTime) || suspended)
  if (!waits) return before.template
  const template = deepClone(fieldsOf(before.template))
  const wanted = fieldsOf(spec.template)
  const [metadata, podSpec] = [ensure(template, 'metadata'), ensure(template, 'spec')]
  copyFields(metadata, fieldsOf(wanted.metadata), ['labels', 'annotations'])
  copyFields(podSpec, fieldsOf(wanted.spec), ['nodeSelector', 'tolerations', 'schedulingGates'])
  const affinity = { ...fieldsOf(podSpec.affinity) }
  copyFields(affinity, fieldsOf(fieldsOf(wanted.spec).affinity), ['nodeAffinity'])
  if (Object.keys(affinity).length > 0) podSpec.affinity = affinity
  else delete podSpec.affinity
  return template
}

function copyFields(into: Fields, from: Fields, keys: readonly string[]): void {
  for (const key of keys) {
    if (isSet(from[key])) into[key] = from[key]
    else delete into[key]
  }
}

function cronErrors(cronJob: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = fieldsOf(cronJob.spec)
  const job = fieldsOf(fieldsOf(spec.jobTemplate).spec)
  const before = old && fieldsOf(old.spec)
  const causes = scheduleErrors(spec, before)
  causes.push(...nonNegativeFields(spec, 'spec', ['startingDeadlineSeconds']))
  if (before === undefined || before.timeZone !== spec.timeZone) causes.push(...timeZoneErrors(spec.timeZone))
  causes.push(...choice('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']))
  causes.push(...jobSpecErrors(job, 'spec.jobTemplate.spec'))
  if (isSet(job.selector)) {
    causes.push(invalidValue('spec.jobTemplate.spec.selector', job.selector, '`selector` will be auto-generated'))
  }
  if (job.manualSelector === true) {
    causes.push(notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']))
  }
  return [...causes, ...nonNegativeFields(spec, 'spec', ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'])]
}

function scheduleErrors(spec: Fields, old: Fields | undefined): Cause[] {
  const [path, schedule] = ['spec.schedule', textOf(spec.schedule)]
  if (schedule === '') return [required(path)]
  const read = readCronSchedule(schedule)
  const causes = typeof read === 'string' ? [invalidValue(path, schedule, read)] : []
  if (!schedule.includes('TZ')) return causes
  if (!textOf(old?.schedule).includes('TZ')) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
    causes.push(invalidValue(path, schedule, detail))
  } else if (isSet(spec.timeZone)) {
    causes.push(invalidValue(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'))
  }
  return causes
}

function timeZoneErrors(timeZone: unknown): Cause[] {
  if (!isSet(timeZone)) return []
  const [path, name] = ['spec.timeZone', textOf(timeZone)]
  if (name === '') return [invalidValue(path, name, 'timeZone must be nil or non-empty string')]
  const causes: Cause[] = []
  if (name.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
    causes.push(invalidValue(path, name, detail))
  }
  return isTimeZone(name) ? causes : [...causes, invalidValue(path, name, `unknown time zone ${name}`)]
}

function isTimeZone(name: string): boolean {
  // JavaScript accepts offsets such as `+01:00` as time zones; Go does not.
  if (!/^[A-Za-z][\w+\-/]*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A CronJob adds eleven characters to its name for each job. */
function cronNameErrors({ metadata }: KubeObject): Cause[] {
  const name = metadata.name ?? ''
  return name.length > 52 ? [invalidValue('metadata.name', name, 'must be no more than 52 characters')] : []
}

function nameWarnings({ metadata }: KubeObject, old: KubeObject | undefined): string[] {
  const found = old ? [] : dns1123Label(metadata.name ?? '')
  if (found.length === 0) return []
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${found.join(' ')}]`,
  ]
}
