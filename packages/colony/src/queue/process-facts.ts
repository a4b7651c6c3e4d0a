// Reads from a committed Process what the queue needs. Users may write any status, so a value that makes no sense is read
// as if it were absent.

import { GRAPH_LABELS } from '@homeostat/executor/graphs'
import { SCHEDULE_LABELS } from '@homeostat/executor/schedules'
import { type KubeObject, parseQuantity, parseRfc3339 } from '@homeostat/meta'
import type { Demands, GraphPlace, QueuedProcess } from './queued-process.ts'
import { isSetAside } from './set-aside.ts'

/** One step of priority counts as much as a day of waiting. */
const DAY_MICROS = 86_400_000_000

/** Shared, since most Processes demand neither a certain executor nor software. */
const NONE: readonly string[] = []

export function processFacts(object: KubeObject, revision: number): QueuedProcess {
  const spec = record(object.spec)
  const status = record(object.status)
  const aside = isSetAside(object)
  // A Process that is set aside is not assigned and has no deadline.
  const phase = aside ? 'Ended' : phaseOf(status)
  const submittedAt = time(status.submittedAt) ?? time(object.metadata.creationTimestamp) ?? 0
  return {
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
    uid: object.metadata.uid ?? '',
    revision,
    phase,
    order: Math.round(submittedAt * 1000) - (integer(spec.priority) ?? 0) * DAY_MICROS,
    demands: demandsOf(spec),
    concurrencyKey: text(spec.concurrencyKey) || undefined,
    attempt: attemptOf(status),
    executor: text(status.executor) || undefined,
    cancel: spec.cancel === true,
    submittedAt: Math.floor(submittedAt),
    notBefore: time(status.notBefore),
    waitDeadline: phase === 'Waiting' ? time(status.waitDeadline) : undefined,
    execDeadline: phase === 'Running' ? time(status.execDeadline) : undefined,
    deleteAt: phase === 'Ended' && !aside ? deleteAt(spec, status) : undefined,
    result: resultOf(status),
    graph: graphOf(object),
    schedule: object.metadata.labels?.[SCHEDULE_LABELS.uid],
    finishedAt: phase === 'Ended' ? time(status.finishedAt) : undefined,
    addedNodes: Array.isArray(status.addedNodes) ? status.addedNodes.length : undefined,
  }
}

function resultOf({ phase }: { readonly phase?: unknown }): QueuedProcess['result'] {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Cancelled' ? phase : undefined
}

function graphOf({ metadata: { labels } }: KubeObject): GraphPlace | undefined {
  const uid = labels?.[GRAPH_LABELS.uid]
  return uid === undefined ? undefined : { uid, node: labels?.[GRAPH_LABELS.node] ?? '' }
}

/** The phase as the queue reads it. An unknown phase counts as Waiting, and so does Running without an executor to close it. */
export function phaseOf(status: { readonly phase?: unknown; readonly executor?: unknown }): QueuedProcess['phase'] {
  const { phase, executor } = status
  if (phase === 'Succeeded' || phase === 'Failed' || phase === 'Cancelled') return 'Ended'
  return phase === 'Running' && text(executor) !== '' ? 'Running' : 'Waiting'
}

export function attemptOf(status: { readonly attempt?: unknown }): number {
  return Math.max(0, integer(status.attempt) ?? 0)
}

/** Milliseconds since the epoch; undefined when the value is not a time. */
export function time(value: unknown): number | undefined {
  return typeof value === 'string' ? parseRfc3339(value) : undefined
}

/** Cores or bytes; undefined when the value is not a quantity, or is negative. */
export function amount(value: unknown): number | undefined {
  const quantity = parseQuantity(value)
  return quantity === undefined || quantity.nanos < 0n ? undefined : Number(quantity.nanos) / 1e9
}

function demandsOf(spec: Readonly<Record<string, unknown>>): Demands {
  const { executorType, executorNames, location, software, cpu, memory } = record(spec.conditions)
  return {
    executorType: text(executorType),
    funcName: text(spec.funcName),
    executorNames: textSet(executorNames),
    location: text(location).toLowerCase(),
    software: Array.isArray(software) ? textSet(software.map((name) => text(name).toLowerCase())) : NONE,
    cpu: amount(cpu) ?? 0,
    memory: amount(memory) ?? 0,
  }
}

function textSet(values: unknown): readonly string[] {
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : NONE
  return texts.length === 0 ? NONE : [...new Set(texts)].sort()
}

/** A Process without finishedAt is kept, since a deletion that comes too early cannot be undone. */
function deleteAt(spec: Readonly<Record<string, unknown>>, status: Readonly<Record<string, unknown>>) {
  const finishedAt = time(status.finishedAt)
  const seconds = integer(spec.ttlSecondsAfterFinished)
  return finishedAt === undefined || seconds === undefined ? undefined : finishedAt + Math.max(0, seconds) * 1000
}

function integer(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
