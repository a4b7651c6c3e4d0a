import { describe, expect, it } from 'vitest'
import { type Body, changed, creating, updating } from './rules.fixture.ts'

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } }
const job: Body = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { template } }
const cron: Body = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'j' },
  spec: { schedule: '@daily', jobTemplate: { spec: { template } } },
}

it('a job gets its selector, its labels and its defaults', () => {
  const { causes, object } = creating(job)
  expect(causes).toEqual([])
  const labels = {
    'batch.kubernetes.io/controller-uid': 'the-uid',
    'batch.kubernetes.io/job-name': 'j',
    'controller-uid': 'the-uid',
    'job-name': 'j',
  }
  expect(object.spec).toMatchObject({
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    completions: 1,
    manualSelector: false,
    parallelism: 1,
    podReplacementPolicy: 'TerminatingOrFailed',
    selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'the-uid' } },
    suspend: false,
    template: { metadata: { labels } },
  })
  expect(object.metadata.labels).toEqual(labels)
})

it('a job with parallelism alone has no completions', () => {
  const { object } = creating(changed(job, { 'spec.parallelism': 3 }))
  expect(object.spec).toMatchObject({ parallelism: 3 })
  expect(object.spec).not.toHaveProperty('completions')
})

it('a cron job completes its template only as far as a template goes', () => {
  const { causes, object } = creating(cron)
  expect(causes).toEqual([])
  expect(object.spec).toMatchObject({
    concurrencyPolicy: 'Allow',
    failedJobsHistoryLimit: 1,
    successfulJobsHistoryLimit: 3,
    suspend: false,
  })
  expect(object.spec).not.toHaveProperty('jobTemplate.spec.backoffLimit')
})

const indexed = { 'spec.completionMode': 'Indexed', 'spec.completions': 3 }

it.each<[Body, Record<string, unknown>, string[]]>([
  [job, { 'spec.template.spec.restartPolicy': 'Always' }, ['Required spec.template.spec.restartPolicy']],
  [job, { 'spec.template.spec.restartPolicy': undefined }, ['Required spec.template.spec.restartPolicy']],
  [job, { 'spec.completions': -1 }, ['Invalid spec.completions']],
  [job, { 'spec.completionMode': 'Indexed', 'spec.parallelism': 1 }, ['Required spec.completions']],
  [job, { 'spec.backoffLimitPerIndex': 1 }, ['Invalid spec.backoffLimitPerIndex']],
  [job, { ...indexed, 'spec.maxFailedIndexes': 1 }, ['Required spec.backoffLimitPerIndex']],
  [job, { ...indexed, 'metadata.name': 'a.b' }, ['Invalid metadata.name']],
  [
    job,
    { 'spec.selector': { matchLabels: { a: 'b' } } },
    ['Invalid spec.selector', 'Invalid spec.template.metadata.labels'],
  ],
  [job, { 'spec.manualSelector': true }, ['Invalid spec.template.metadata.labels', 'Required spec.selector']],
  [job, { 'spec.managedBy': 'me' }, ['Invalid spec.managedBy']],
  [
    job,
    { 'spec.podFailurePolicy': { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [2, 1] } }] } },
    ['Invalid spec.podFailurePolicy.rules[0].onExitCodes.values'],
  ],
  [
    job,
    { ...indexed, 'spec.successPolicy': { rules: [{ succeededIndexes: '0,5' }] } },
    ['Invalid spec.successPolicy.rules[0].succeededIndexes'],
  ],
  [cron, { 'spec.schedule': undefined }, ['Required spec.schedule']],
  [cron, { 'spec.schedule': 'now and then' }, ['Invalid spec.schedule']],
  [cron, { 'spec.schedule': 'TZ=UTC 0 0 * * *' }, ['Invalid spec.schedule']],
  [cron, { 'spec.timeZone': 'Europe/Nowhere' }, ['Invalid spec.timeZone']],
  [cron, { 'spec.timeZone': 'Europe/Berlin' }, []],
  [cron, { 'spec.concurrencyPolicy': 'Maybe' }, ['NotSupported spec.concurrencyPolicy']],
  [cron, { 'spec.jobTemplate.spec.selector': {} }, ['Invalid spec.jobTemplate.spec.selector']],
  [cron, { 'metadata.name': 'a'.repeat(53) }, ['Invalid metadata.name']],
])('%j is refused with %j', (body, changes, causes) => {
  expect(creating(changed(body, changes)).causes).toEqual(causes)
})

describe('a change of a job', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ 'spec.parallelism': 5 }, []],
    [{ 'spec.suspend': true }, []],
    [{ 'spec.completions': 5 }, ['Invalid spec.completions']],
    [{ 'spec.template.spec.containers.0.image': 'other' }, ['Invalid spec.template']],
    [{ 'spec.completionMode': 'Indexed' }, ['Invalid spec.completionMode']],
  ])('%j', (changes, causes) => {
    expect(updating(job, changes).causes).toEqual(causes)
  })

  it('may move its pods elsewhere before it has run', () => {
    const waiting = changed(job, { 'spec.suspend': true })
    expect(updating(waiting, { 'spec.template.spec.nodeSelector': { a: 'b' } }).causes).toEqual([])
    expect(updating(waiting, { 'spec.template.spec.hostNetwork': true }).causes).toEqual(['Invalid spec.template'])
  })
})
