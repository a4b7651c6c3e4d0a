// Decides which pods a replica set creates or deletes, and its status. Pure.

import { parseRfc3339, rfc3339 } from '@homeostat/meta'
import type { Pod, ReplicaSet, ReplicaSetStatus, WorkloadCondition } from '../kinds.ts'

/** The most pods that one reconcile creates or deletes. */
const BURST = 500

export interface ReplicaPlan {
  readonly create: number
  readonly remove: readonly Pod[]
}

/** `pods` are its pods that have neither ended nor are being deleted. */
export function planReplicas(set: ReplicaSet, pods: readonly Pod[]): ReplicaPlan {
  if (set.metadata.deletionTimestamp !== undefined) return { create: 0, remove: [] }
  const missing = (set.spec?.replicas ?? 1) - pods.length
  if (missing >= 0) return { create: Math.min(missing, BURST), remove: [] }
  return { create: 0, remove: pods.toSorted(firstToGo).slice(0, Math.min(-missing, BURST)) }
}

export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined
}

/** A pod that is being deleted may still run. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

const COST = 'controller.kubernetes.io/pod-deletion-cost'
const PHASES = ['Pending', 'Unknown', 'Running']

/** Deletes first the pods without a node or not running, then not ready, with low deletion cost, young, with many restarts. */
export function firstToGo(a: Pod, b: Pod): number {
  return (
    number(a.spec?.nodeName ? 1 : 0, b.spec?.nodeName ? 1 : 0) ||
    number(PHASES.indexOf(a.status?.phase ?? 'Pending'), PHASES.indexOf(b.status?.phase ?? 'Pending')) ||
    number(isReady(a) ? 1 : 0, isReady(b) ? 1 : 0) ||
    number(costOf(a), costOf(b)) ||
    (isReady(a) ? number(readySince(b), readySince(a)) : 0) ||
    number(restartsOf(b), restartsOf(a)) ||
    text(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '') ||
    // Pods of the same second: any stable order will do.
    text(a.metadata.uid ?? '', b.metadata.uid ?? '')
  )
}

function costOf({ metadata }: Pod): number {
  const cost = metadata.annotations?.[COST]
  return cost !== undefined && /^-?\d{1,10}$/.test(cost) ? Number(cost) : 0
}

function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount))
}

function number(a: number, b: number): number {
  return a - b
}

function text(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

export function isReady({ status }: Pod): boolean {
  return readyCondition(status?.conditions)?.status === 'True'
}

function readyCondition(conditions: readonly WorkloadCondition[] = []): WorkloadCondition | undefined {
  return conditions.find(({ type }) => type === 'Ready')
}

function readySince({ status }: Pod): number {
  return parseRfc3339(readyCondition(status?.conditions)?.lastTransitionTime ?? '') ?? 0
}

/** When a pod that is ready counts as available. */
export function availableAt(pod: Pod, minReadySeconds: number): number {
  return readySince(pod) + minReadySeconds * 1000
}

/** What the last reconcile could not do. */
export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete'
  readonly message: string
}

export interface ReplicaReport {
  readonly status: ReplicaSetStatus
  /** When the next ready pod becomes available. */
  readonly requeueAfterMs?: number
}

export function reportReplicas(
  set: ReplicaSet,
  pods: readonly Pod[],
  failure: ReplicaFailure | undefined,
  now: number,
): ReplicaReport {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  const labels = Object.entries(set.spec?.template?.metadata?.labels ?? {})
  const ready = pods.filter(isReady)
  const dueTimes = ready.map((pod) => availableAt(pod, minReadySeconds)).filter((at) => minReadySeconds > 0 && at > now)
  const labelled = pods.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value))
  const counts = {
    fullyLabeledReplicas: labelled.length,
    readyReplicas: ready.length,
    availableReplicas: ready.length - dueTimes.length,
  }
  const conditions = withFailure(set.status?.conditions ?? [], failure, now)
  const status: ReplicaSetStatus = {
    replicas: pods.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length > 0 && { conditions }),
  }
  return { status, ...(dueTimes.length > 0 && { requeueAfterMs: Math.max(1, Math.min(...dueTimes) - now) }) }
}

/** A failure that is reported already keeps its time and message. */
function withFailure(
  conditions: readonly WorkloadCondition[],
  failure: ReplicaFailure | undefined,
  now: number,
): WorkloadCondition[] {
  const isKnown = conditions.some(({ type }) => type === 'ReplicaFailure')
  if (failure === undefined) return conditions.filter(({ type }) => type !== 'ReplicaFailure')
  if (isKnown) return [...conditions]
  return [...conditions, { type: 'ReplicaFailure', status: 'True', ...failure, lastTransitionTime: rfc3339(now) }]
}
