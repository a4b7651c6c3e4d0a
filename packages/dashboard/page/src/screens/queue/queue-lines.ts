// The queue by executor type, from the metrics of the server. Pure.

import type { Reading } from '../../live/metrics/digest.ts'
import { rateOf } from '../../live/metrics/digest.ts'
import type { Sample } from '../../live/metrics/prometheus-text.ts'

export interface QueueLine {
  readonly namespace: string
  readonly type: string
  readonly waiting: number
  readonly running: number
  /** Seconds that the oldest has waited. */
  readonly oldest: number | undefined
  readonly online: number
  /** Processes that were assigned, per second. */
  readonly assigned: number | undefined
  /** Seconds that one of these waited, in the mean. */
  readonly pause: number | undefined
}

export function queueLines(
  now: Reading,
  before: Reading | undefined,
  namespaces: readonly (string | undefined)[],
): QueueLine[] {
  const all = namespaces.includes(undefined)
  const keys = new Map<string, readonly [namespace: string, type: string]>()
  for (const { name, labels } of now.samples) {
    if (name !== 'homeostat_colony_processes' && name !== 'homeostat_colony_executors') continue
    const { namespace = '', executor_type: type = '' } = labels
    if (all || namespaces.includes(namespace)) keys.set(`${namespace} ${type}`, [namespace, type])
  }
  const lines = [...keys.values()].map(([namespace, type]) => lineOf(now, before, namespace, type))
  return lines.sort((a, b) => b.waiting - a.waiting || compare(a.type, b.type) || compare(a.namespace, b.namespace))
}

function lineOf(now: Reading, before: Reading | undefined, namespace: string, type: string): QueueLine {
  const isOf = (labels: Sample['labels']) => labels.namespace === namespace && labels.executor_type === type
  const value = (name: string, phase?: string) =>
    now.samples.find(
      (one) => one.name === name && isOf(one.labels) && (phase === undefined || one.labels.phase === phase),
    )?.value
  const assigned = rateOf(now, before, 'homeostat_colony_assign_seconds_count', isOf)
  const spent = rateOf(now, before, 'homeostat_colony_assign_seconds_sum', isOf)
  return {
    namespace,
    type,
    waiting: value('homeostat_colony_processes', 'waiting') ?? 0,
    running: value('homeostat_colony_processes', 'running') ?? 0,
    oldest: value('homeostat_colony_oldest_waiting_seconds'),
    online: value('homeostat_colony_executors', 'online') ?? 0,
    assigned,
    pause: assigned && spent !== undefined ? spent / assigned : undefined,
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
