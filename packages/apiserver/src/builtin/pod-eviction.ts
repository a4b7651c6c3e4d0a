// POST pods/NAME/eviction: deletes the pod if its disruption budget allows it, as `kubectl drain` asks for. The request is
// admitted as a whole: policies and webhooks are not asked about the writes by which it is carried out.

import {
  badRequest,
  forbidden,
  isStatusError,
  type KubeObject,
  notFound,
  parseLabelSelector,
  rfc3339,
  setCondition,
} from '@homeostat/meta'
import { type Cause, failure, tooManyRequests } from '@homeostat/meta/server'
import type { ApiReads, ApiWrites, ResourceName } from '../registry/api.ts'
import { checkPreconditions, type DeleteOptions } from '../registry/delete-options.ts'
import { selectorText } from '../registry/selector-text.ts'
import { type Fields, fieldsOf, listOf, textOf } from './fields-of.ts'

const PODS: ResourceName = { group: '', resource: 'pods' }
const BUDGETS: ResourceName = { group: 'policy', resource: 'poddisruptionbudgets' }
/** The writes of an eviction are its own steps. */
const EVICTION = { subresource: 'eviction' }
const TRIES = 20
const MAX_DISRUPTED_PODS = 2_000
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."

export interface Evicting {
  readonly api: ApiReads & ApiWrites
  readonly now: number
  readonly dryRun: boolean
}

export async function evict(pod: KubeObject, body: KubeObject, { dryRun, ...parts }: Evicting): Promise<void> {
  const { name = '', namespace = '' } = pod.metadata
  if (body.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object')
  const options = fieldsOf(body.deleteOptions) as DeleteOptions & Fields
  const evicting = { ...parts, dryRun: dryRun || listOf(options.dryRun).includes('All') }
  let current: KubeObject | undefined = pod
  for (let tries = 1; current !== undefined; tries++) {
    const way = wayOf(current, evicting.api)
    if (way.spends !== undefined) await spend(way.spends, current, evicting)
    try {
      return await remove(current, way.guarded ? guardedBy(options, current) : options, evicting)
    } catch (error) {
      const changed = way.guarded && isStatusError(error, 'Conflict') && !namesRevision(options)
      if (!changed) throw error
      if (way.budget !== undefined) throw stillBusy(way.budget)
      if (tries === TRIES) throw error
      current = evicting.api.get(PODS, { namespace, name })
    }
  }
  throw notFound(PODS, name)
}

export interface Way {
  /** The budget that covers the pod. */
  readonly budget?: string
  /** The same, if it has to allow one disruption more. */
  readonly spends?: string
  /** The pod must be what was looked at: it might have become healthy, and then count. */
  readonly guarded: boolean
}

function namesRevision({ preconditions }: DeleteOptions): boolean {
  return preconditions?.resourceVersion !== undefined
}

function guardedBy(options: DeleteOptions, { metadata: { resourceVersion } }: KubeObject): DeleteOptions {
  if (namesRevision(options) || resourceVersion === undefined) return options
  return { ...options, preconditions: { ...options.preconditions, resourceVersion } }
}

function wayOf(pod: KubeObject, api: ApiReads): Way {
  return evictionWay(pod, () =>
    api.list(BUDGETS, pod.metadata.namespace).filter((one) => covers(fieldsOf(one.spec), pod)),
  )
}

/** `budgets` lists those that select the pod; it is not called for pods whose end no budget counts. */
export function evictionWay(pod: KubeObject, budgets: () => readonly KubeObject[]): Way {
  const { phase, conditions } = fieldsOf(pod.status)
  if (pod.metadata.deletionTimestamp !== undefined || phase === 'Succeeded' || phase === 'Failed')
    return { guarded: false }
  if (phase === 'Pending') return { guarded: true }
  const [found, other] = budgets()
  if (other !== undefined) {
    throw failure(
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  }
  if (found === undefined) return { guarded: false }
  const budget = found.metadata.name ?? ''
  const isReady = listOf(conditions).some((one) => fieldsOf(one).type === 'Ready' && fieldsOf(one).status === 'True')
  return !isReady && allowsUnhealthy(found) ? { budget, guarded: true } : { budget, spends: budget, guarded: false }
}

/** The end of a pod that is not ready takes nothing from an application that has all that it needs. */
function allowsUnhealthy({ spec, status }: KubeObject): boolean {
  if (fieldsOf(spec).unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy, desiredHealthy } = fieldsOf(status)
  return count(desiredHealthy) > 0 && count(currentHealthy) >= count(desiredHealthy)
}

function covers({ selector }: Fields, pod: KubeObject): boolean {
  return selector !== undefined && parseLabelSelector(selectorText(selector)).matches(pod.metadata.labels)
}

async function spend(name: string, pod: KubeObject, { api, now, dryRun }: Evicting): Promise<void> {
  const place = { namespace: pod.metadata.namespace ?? '', name }
  const change = (budget: KubeObject) => {
    budget.status = spentStatus(budget, pod.metadata.name ?? '', now)
  }
  if (!dryRun) {
    // Under the budget's lock, so that two evictions never spend the same disruption.
    await api.change(BUDGETS, place, change, { subresource: 'status' })
    return
  }
  const budget = api.get(BUDGETS, place)
  if (budget !== undefined) change(budget)
}

/** The budget's status after one more disruption. Throws if it does not allow one. */
export function spentStatus(budget: KubeObject, pod: string, now: number): Fields {
  const status = fieldsOf(budget.status)
  const { name = '', generation = 0 } = budget.metadata
  if (count(status.observedGeneration) < generation) throw stillBusy(name)
  const left = count(status.disruptionsAllowed)
  const disrupted = fieldsOf(status.disruptedPods)
  const refuse = (text: string) => forbidden({ group: 'policy', resource: 'poddisruptionbudget', name }, text)
  if (left < 0) throw refuse('pdb disruptions allowed is negative')
  if (Object.keys(disrupted).length > MAX_DISRUPTED_PODS)
    throw refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller')
  if (left === 0) throw tooManyRequests(REFUSED, 0, [because(whyNone(name, status))])
  const spent = { ...status, disruptionsAllowed: left - 1, disruptedPods: { ...disrupted, [pod]: rfc3339(now) } }
  return left > 1 ? spent : { ...spent, conditions: noneAllowed(status, now) }
}

function noneAllowed({ conditions, observedGeneration }: Fields, now: number): unknown {
  return setCondition(
    listOf(conditions) as Parameters<typeof setCondition>[0],
    {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'InsufficientPods',
      message: '',
      observedGeneration: count(observedGeneration),
    },
    now,
  )
}

function whyNone(name: string, { conditions, currentHealthy, desiredHealthy }: Fields): string {
  const allowed = listOf(conditions)
    .map(fieldsOf)
    .find(({ type }) => type === 'DisruptionAllowed')
  const said = allowed?.status === 'False' ? textOf(allowed.message) : ''
  const none = `The disruption budget ${name} does not allow evicting pods currently`
  if (said !== '' && allowed?.reason === 'SyncFailed') return `${none} because it failed sync: ${said}`
  const [has, needs] = [count(currentHealthy), count(desiredHealthy)]
  if (has <= needs) return `The disruption budget ${name} needs ${needs} healthy pods and has ${has} currently`
  return said === '' ? none : `${none} (${textOf(allowed?.reason)}): ${said}`
}

function stillBusy(name: string) {
  return tooManyRequests(REFUSED, 10, [
    because(`The disruption budget ${name} is still being processed by the server.`),
  ])
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function because(message: string): Cause {
  // Kubernetes names no field.
  return { reason: 'DisruptionBudget', message } as Cause
}

/** The condition tells the pod's controller why it ends, while it ends. */
async function remove(pod: KubeObject, options: DeleteOptions, { api, now, dryRun }: Evicting): Promise<void> {
  const { name = '', namespace = '' } = pod.metadata
  const { preconditions = {}, gracePeriodSeconds, propagationPolicy } = options
  if (dryRun) return
  const marked = await api.change(
    PODS,
    { namespace, name },
    (newest) => {
      checkPreconditions({ group: '', resource: 'Pod' }, newest, preconditions)
      const status = fieldsOf(newest.status)
      newest.status = { ...status, conditions: disrupted(status, now) }
    },
    EVICTION,
  )
  if (marked === undefined) throw notFound(PODS, name)
  const { resourceVersion, uid } = marked.metadata
  const held = {
    ...(uid !== undefined && { uid }),
    ...(preconditions.resourceVersion !== undefined && resourceVersion !== undefined && { resourceVersion }),
  }
  const asked = {
    ...(typeof gracePeriodSeconds === 'number' && { gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
  }
  await api.delete(PODS, { namespace, name }, { ...asked, preconditions: held }, EVICTION)
}

function disrupted({ conditions }: Fields, now: number): unknown {
  const target = {
    type: 'DisruptionTarget',
    status: 'True' as const,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
  return setCondition(listOf(conditions) as Parameters<typeof setCondition>[0], target, now)
}
