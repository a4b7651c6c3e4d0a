// How often and how long executors reconcile resources, by kind: from the metrics of the colony. Pure.

import { type Reading, rateOf } from '../../live/metrics/digest.ts'
import type { Sample } from '../../live/metrics/prometheus-text.ts'

const COUNT = 'homeostat_colony_reconcile_seconds_count'
const SUM = 'homeostat_colony_reconcile_seconds_sum'

export interface ReconcileLine {
  readonly kind: string
  readonly namespace: string
  readonly count: number
  readonly rate: number | undefined
  /** Seconds, since the server started. */
  readonly mean: number | undefined
}

/** The slowest first. */
export function reconcileLines(now: Reading, before: Reading | undefined): ReconcileLine[] {
  const lines = now.samples
    .filter(({ name }) => name === COUNT)
    .map(({ labels, value }): ReconcileLine => {
      const { kind = '', namespace = '' } = labels
      const isOf = (other: Sample['labels']) => other.kind === kind && other.namespace === namespace
      const sum = now.samples.find(({ name, labels: other }) => name === SUM && isOf(other))?.value
      const mean = sum === undefined || value === 0 ? undefined : sum / value
      return { kind, namespace, count: value, rate: rateOf(now, before, COUNT, isOf), mean }
    })
  return lines.sort((a, b) => (b.mean ?? 0) - (a.mean ?? 0))
}
