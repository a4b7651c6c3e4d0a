// Decides whether an object is ready, by the rules of its kind. Pure. A kind without a rule or a Ready condition is
// ready as soon as it exists.

import type { ApiObject } from '@homeostat/client'
import { type Condition, findCondition } from '@homeostat/meta'

export interface Readiness {
  readonly ready: boolean
  /** A CamelCase word. */
  readonly reason: string
  readonly message: string
}

interface Loose extends ApiObject {
  spec?: Readonly<Record<string, unknown>>
  status?: Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] }
}

type Rule = (object: Loose) => Readiness

export const READY: Readiness = { ready: true, reason: 'Ready', message: '' }

export function notReady(reason: string, message: string): Readiness {
  return { ready: false, reason, message }
}

/** `reports`: the kind is known to set Ready, so a missing condition means not ready yet. */
export function readinessOf(object: ApiObject, { reports = false } = {}): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return notReady('Terminating', 'it is being deleted')
  const rule = RULES[`${groupOf(object)}/${object.kind}`]
  return rule ? rule(object) : byReadyCondition(object, reports)
}

const RULES: Readonly<Record<string, Rule>> = {
  'apps/Deployment': (object) => {
    const progress = condition(object, 'Progressing')
    if (progress?.status === 'False') return notReady(progress.reason || 'ProgressDeadlineExceeded', progress.message)
    return seen(object) ?? counted(object, wantedReplicas(object), 'updatedReplicas', 'availableReplicas')
  },
  'apps/StatefulSet': (object) => {
    const updates = (object.spec?.updateStrategy as { type?: string; rollingUpdate?: { partition?: number } }) ?? {}
    const rolls = updates.type !== 'OnDelete' && !updates.rollingUpdate?.partition
    const counts = rolls ? ['updatedReplicas', 'readyReplicas'] : ['readyReplicas']
    return seen(object) ?? counted(object, wantedReplicas(object), ...counts)
  },
  'apps/DaemonSet': (object) => {
    const wanted = number(object.status?.desiredNumberScheduled)
    return seen(object) ?? counted(object, wanted, 'updatedNumberScheduled', 'numberAvailable')
  },
  'apps/ReplicaSet': (object) => seen(object) ?? counted(object, wantedReplicas(object), 'availableReplicas'),
  'batch/Job': (object) => {
    const failed = condition(object, 'Failed')
    if (failed?.status === 'True') return notReady('JobFailed', failed.message || 'the job failed')
    return condition(object, 'Complete')?.status === 'True' ? READY : notReady('Running', 'the job is not complete')
  },
  '/Pod': (object) => {
    const phase = object.status?.phase
    if (phase === 'Succeeded') return READY
    if (phase === 'Failed') return notReady('PodFailed', String(object.status?.message ?? 'the pod failed'))
    return fromCondition(condition(object, 'Ready'), `the pod is ${phase ?? 'Pending'}`)
  },
  '/PersistentVolumeClaim': (object) => inPhase(object, 'Bound'),
  '/Namespace': (object) => inPhase(object, 'Active'),
  '/Service': (object) => {
    if (object.spec?.type !== 'LoadBalancer') return READY
    const { ingress } = (object.status?.loadBalancer ?? {}) as { ingress?: readonly unknown[] }
    return ingress?.length ? READY : notReady('NoAddress', 'the load balancer has no address yet')
  },
  'apiextensions.k8s.io/CustomResourceDefinition': (object) =>
    fromCondition(condition(object, 'Established'), 'the kind is not served yet'),
}

function byReadyCondition(object: Loose, reports: boolean): Readiness {
  const ready = condition(object, 'Ready')
  if (!ready) return reports ? notReady('NotReported', 'it has not said that it is ready') : READY
  const observed = ready.observedGeneration ?? object.status?.observedGeneration
  if (typeof observed === 'number' && observed < (object.metadata.generation ?? 0)) return UNSEEN
  return fromCondition(ready, 'it is not ready')
}

const UNSEEN = notReady('Progressing', 'its newest state has not been looked at yet')

function seen(object: Loose): Readiness | undefined {
  const { generation = 0 } = object.metadata
  return number(object.status?.observedGeneration) < generation ? UNSEEN : undefined
}

function counted(object: Loose, wanted: number, ...fields: readonly string[]): Readiness {
  for (const field of fields) {
    const count = number(object.status?.[field])
    if (count < wanted) return notReady('Progressing', `${field} is ${count} of ${wanted}`)
  }
  // The count includes replicas of the old template.
  const total = number(object.status?.replicas)
  return total > wanted && fields.includes('updatedReplicas')
    ? notReady('Progressing', `${total - wanted} old replicas are still there`)
    : READY
}

function inPhase(object: Loose, phase: string): Readiness {
  const now = String(object.status?.phase ?? 'Pending')
  return now === phase ? READY : notReady(/^\w+$/.test(now) ? now : 'Pending', `it is ${now}, not ${phase}`)
}

function fromCondition(found: Condition | undefined, otherwise: string): Readiness {
  if (found?.status === 'True') return READY
  return notReady(found?.reason || 'NotReady', found?.message || otherwise)
}

function condition({ status }: Loose, type: string): Condition | undefined {
  return Array.isArray(status?.conditions) ? findCondition(status.conditions, type) : undefined
}

function wantedReplicas(object: Loose): number {
  return typeof object.spec?.replicas === 'number' ? object.spec.replicas : 1
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function groupOf({ apiVersion }: ApiObject): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}
