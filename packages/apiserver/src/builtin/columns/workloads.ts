// Tables of workloads: apps, batch, autoscaling and policy.

import { humanDuration, type KubeObject, parseRfc3339 } from '@homeostat/meta'
import { selectorText } from '../../registry/selector-text.ts'
import { fieldsOf, listOf, textOf } from '../fields-of.ts'
import {
  age,
  type Cell,
  type Cells,
  containers,
  count,
  labels,
  NONE,
  name,
  number,
  numberAt,
  selector,
  since,
  text,
  textAt,
  UNSET,
  valueAt,
} from './cells.ts'
import { HPA_CELLS } from './hpa.ts'

const POD_SPEC = 'spec.template.spec'
const ready: Cell = (object) => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`

export const WORKLOAD_CELLS: Readonly<Record<string, Cells>> = {
  'apps/controllerrevisions': [name, controller, number('revision'), age],
  'apps/daemonsets': [
    name,
    number('status.desiredNumberScheduled'),
    number('status.currentNumberScheduled'),
    number('status.numberReady'),
    number('status.updatedNumberScheduled'),
    number('status.numberAvailable'),
    labels(`${POD_SPEC}.nodeSelector`),
    age,
    ...containers(`${POD_SPEC}.containers`),
    selector('spec.selector'),
  ],
  'apps/deployments': [
    name,
    ready,
    number('status.updatedReplicas'),
    number('status.availableReplicas'),
    age,
    ...containers(`${POD_SPEC}.containers`),
    (object) => selectorText(valueAt(object, 'spec.selector')),
  ],
  'apps/replicasets': [
    name,
    number('spec.replicas'),
    number('status.replicas'),
    number('status.readyReplicas'),
    age,
    ...containers(`${POD_SPEC}.containers`),
    selector('spec.selector'),
  ],
  'apps/statefulsets': [name, ready, age, ...containers(`${POD_SPEC}.containers`)],
  'autoscaling/horizontalpodautoscalers': HPA_CELLS,
  'batch/cronjobs': [
    name,
    text('spec.schedule'),
    text('spec.timeZone', NONE),
    suspended,
    count('status.active'),
    (object, now) => {
      const last = textAt(object, 'status.lastScheduleTime')
      return last === '' ? NONE : since(last, now)
    },
    age,
    ...containers(`spec.jobTemplate.${POD_SPEC}.containers`),
    selector('spec.jobTemplate.spec.selector'),
  ],
  'batch/jobs': [
    name,
    jobStatus,
    completions,
    jobDuration,
    age,
    ...containers(`${POD_SPEC}.containers`),
    selector('spec.selector'),
  ],
  'policy/poddisruptionbudgets': [
    name,
    (object) => String(valueAt(object, 'spec.minAvailable') ?? 'N/A'),
    (object) => String(valueAt(object, 'spec.maxUnavailable') ?? 'N/A'),
    number('status.disruptionsAllowed'),
    age,
  ],
}

function controller({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller === true)
  if (!owner) return NONE
  const slash = owner.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`
}

function suspended(object: KubeObject): string {
  const value = valueAt(object, 'spec.suspend')
  return value === undefined ? UNSET : value === true ? 'True' : 'False'
}

const JOB_ENDS = ['Complete', 'Failed']
const JOB_STATES = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet']

function jobStatus(job: KubeObject): string {
  const conditions = listOf(valueAt(job, 'status.conditions')).map(fieldsOf)
  const holds = (type: string) => conditions.some((one) => one.type === type && one.status === 'True')
  const end = JOB_ENDS.find(holds)
  if (end) return end
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  return JOB_STATES.find(holds) ?? 'Running'
}

function completions(job: KubeObject): string {
  const succeeded = numberAt(job, 'status.succeeded')
  const wanted = valueAt(job, 'spec.completions')
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`
  const parallelism = numberAt(job, 'spec.parallelism')
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function jobDuration(job: KubeObject, now: number): string {
  const { startTime, completionTime } = fieldsOf(job.status)
  const start = parseRfc3339(textOf(startTime))
  if (start === undefined) return ''
  return humanDuration((parseRfc3339(textOf(completionTime)) ?? now) - start)
}
