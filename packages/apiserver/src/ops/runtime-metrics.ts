// Metrics of the process and the store: memory, CPU, event-loop delay, commits. They are read on each scrape and cost
// nothing in between.

import type { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Metric, Numbers } from '@homeostat/base'
import type { Store, StoreMeasure } from '@homeostat/store'

const NANOSECONDS = 1e-9
const MICROSECONDS = 1e-6
/** How often the delay is measured. Node counts it in: a loop that is on time has this one. */
const RESOLUTION_MS = 20

type Delay = ReturnType<typeof monitorEventLoopDelay>

/**
 * How late timers run. Covers the time since the previous scrape, so that an average does not hide a single delay. Begins with
 * the first scrape: a server that nobody watches has no timer that wakes it 50 times a second.
 */
export class EventLoopMetrics implements Metric {
  readonly #measure: () => Delay
  #delay: Delay | undefined
  readonly #seconds = new Numbers('gauge', {
    name: 'homeostat_event_loop_delay_seconds',
    help: 'How late the event loop ran its timers since the previous scrape; 0 in the first one.',
    labels: ['quantile'],
  })

  constructor(measure = measureDelay) {
    this.#measure = measure
  }

  render(): string {
    if (this.#delay === undefined) {
      this.#delay = this.#measure()
      this.#delay.enable()
    }
    for (const quantile of [0.5, 0.9, 0.99, 1]) {
      const nanoseconds = this.#delay.count === 0 ? 0 : this.#delay.percentile(quantile * 100)
      const late = Math.max(0, nanoseconds - RESOLUTION_MS * 1e6)
      this.#seconds.child(String(quantile)).set(late * NANOSECONDS)
    }
    this.#delay.reset()
    return this.#seconds.render()
  }

  close(): void {
    this.#delay?.disable()
  }
}

function measureDelay(): Delay {
  return process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: RESOLUTION_MS })
}

export class ProcessMetrics implements Metric {
  readonly #started = Date.now() / 1000 - process.uptime()

  render(): string {
    const cpu = process.cpuUsage()
    const memory = process.memoryUsage()
    return [
      single(
        'counter',
        'process_cpu_seconds_total',
        'CPU time of all threads.',
        (cpu.user + cpu.system) * MICROSECONDS,
      ),
      single('gauge', 'process_resident_memory_bytes', 'Resident memory.', memory.rss),
      single('gauge', 'process_start_time_seconds', 'When the process started, in Unix time.', this.#started),
      single('gauge', 'nodejs_heap_size_used_bytes', 'JavaScript heap in use.', memory.heapUsed),
      single('gauge', 'nodejs_heap_size_total_bytes', 'JavaScript heap reserved.', memory.heapTotal),
      single(
        'gauge',
        'nodejs_external_memory_bytes',
        'Memory of buffers outside the JavaScript heap.',
        memory.external,
      ),
    ].join('')
  }
}

export type MeasuredStore = Pick<Store, 'stats'> & Partial<Pick<Store, 'measures'>>

export class StoreMetrics implements Metric {
  readonly #store: MeasuredStore

  constructor(store: MeasuredStore) {
    this.#store = store
  }

  render(): string {
    const { commits, writes, commitSeconds, failedCommits, pendingWrites, damagedRecords } = this.#store.stats()
    return [
      single('counter', 'homeostat_store_commits_total', 'Transactions made durable.', commits),
      single('counter', 'homeostat_store_writes_total', 'Writes in those transactions.', writes),
      single('counter', 'homeostat_store_commit_seconds_total', 'Time spent in commits.', commitSeconds),
      single('counter', 'homeostat_store_failed_commits_total', 'Transactions that failed.', failedCommits),
      single('gauge', 'homeostat_store_pending_writes', 'Writes waiting for their commit.', pendingWrites),
      single('gauge', 'homeostat_store_damaged_records', 'Records the last check found damaged.', damagedRecords),
      ...(this.#store.measures?.() ?? []).map(measured),
    ].join('')
  }
}

function measured({ type, name, help, label, values }: StoreMeasure): string {
  const metric = new Numbers(type, { name: `homeostat_${name}`, help, ...(label !== undefined && { labels: [label] }) })
  for (const [labelValue, value] of values) metric.child(...(label === undefined ? [] : [labelValue])).set(value)
  return metric.render()
}

function single(type: 'counter' | 'gauge', name: string, help: string, value: number): string {
  const metric = new Numbers(type, { name, help })
  metric.child().set(value)
  return metric.render()
}
