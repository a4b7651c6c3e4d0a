// The few numbers that charts show, from two readings of the metrics. Pure.

import { type Sample, sumOf } from './prometheus-text.ts'

export interface Reading {
  /** Milliseconds. */
  readonly at: number
  readonly samples: readonly Sample[]
}

/** By the name of its series. A rate needs a reading before. */
export type Digest = Readonly<Record<string, number>>

/** Executor types with series of their own; the rest is in the sums. */
const MOST_TYPES = 8

export function digestOf(reading: Reading, before: Reading | undefined): Digest {
  const digest: Record<string, number> = {}
  const { samples } = reading
  const put = (name: string, value: number | undefined) => {
    if (value !== undefined && Number.isFinite(value)) digest[name] = value
  }
  const rate = (name: string, wanted?: (labels: Sample['labels']) => boolean) => rateOf(reading, before, name, wanted)
  const requests = rate('apiserver_request_total')
  put('requests', requests)
  const refused = rate('apiserver_request_total', ({ code = '' }) => code.startsWith('4') || code.startsWith('5'))
  // A server that has refused nothing yet has no such line.
  put('refused', requests === undefined ? undefined : (refused ?? 0))
  put('watches', sumOf(samples, 'apiserver_longrunning_requests'))
  put('events', rate('apiserver_watch_events_total'))
  put('commits', rate('homeostat_store_commits_total'))
  put('writes', rate('homeostat_store_writes_total'))
  put('pending', sumOf(samples, 'homeostat_store_pending_writes'))
  put('commit ms', commitTime(reading, before))
  for (const quantile of ['0.5', '0.99', '1'])
    put(`loop ${quantile}`, seconds(samples, 'homeostat_event_loop_delay_seconds', quantile))
  put('cpu', rate('process_cpu_seconds_total'))
  put('rss', sumOf(samples, 'process_resident_memory_bytes'))
  put('heap', sumOf(samples, 'nodejs_heap_size_used_bytes'))
  for (const phase of ['waiting', 'running'])
    put(
      phase,
      sumOf(samples, 'homeostat_colony_processes', (labels) => labels.phase === phase),
    )
  put('assigned', rate('homeostat_colony_assign_seconds_count'))
  for (const type of typesOf(samples))
    put(`waiting ${type}`, sumOf(samples, 'homeostat_colony_processes', isWaiting(type)))
  put('reconciles', rate('homeostat_colony_reconcile_seconds_count'))
  return digest
}

/** Per second. A counter that is smaller than before began anew with its server. */
export function rateOf(
  { at, samples }: Reading,
  before: Reading | undefined,
  name: string,
  wanted?: (labels: Sample['labels']) => boolean,
): number | undefined {
  if (before === undefined || at <= before.at) return undefined
  const now = sumOf(samples, name, wanted)
  const then = sumOf(before.samples, name, wanted) ?? 0
  return now === undefined ? undefined : Math.max(0, now < then ? now : now - then) / ((at - before.at) / 1000)
}

function commitTime(reading: Reading, before: Reading | undefined): number | undefined {
  const spent = rateOf(reading, before, 'homeostat_store_commit_seconds_total')
  const commits = rateOf(reading, before, 'homeostat_store_commits_total')
  return spent === undefined || !commits ? undefined : (spent / commits) * 1000
}

function seconds(samples: readonly Sample[], name: string, quantile: string): number | undefined {
  const value = sumOf(samples, name, (labels) => labels.quantile === quantile)
  return value === undefined ? undefined : value * 1000
}

const isWaiting = (type: string) => (labels: Sample['labels']) =>
  labels.executor_type === type && labels.phase === 'waiting'

/** Those with the most that waits. */
function typesOf(samples: readonly Sample[]): string[] {
  const waiting = new Map<string, number>()
  for (const { name, labels, value } of samples) {
    if (name !== 'homeostat_colony_processes' || labels.phase !== 'waiting') continue
    const type = labels.executor_type ?? ''
    waiting.set(type, (waiting.get(type) ?? 0) + value)
  }
  const sorted = [...waiting].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return sorted.slice(0, MOST_TYPES).map(([type]) => type)
}
