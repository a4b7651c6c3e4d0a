// The metrics of an operator. The runtime reports to it as an Observer; `/metrics` shows it. Labels are kinds and
// results, never names of objects.

import { type Clock, Histogram, Numbers } from '@homeostat/base'
import type { ObservedOutcome, Observer, QueueState, RunFacts, WriteResult } from '../runtime/companions.ts'

/** Limit on label sets of one metric; those beyond it share one. */
const MAX_SERIES = 500
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

const counter = (name: string, help: string, ...labels: string[]) =>
  new Numbers('counter', { name: `homeostat_operator_${name}`, help, labels, maxChildren: MAX_SERIES })
const gauge = (name: string, help: string, ...labels: string[]) =>
  new Numbers('gauge', { name: `homeostat_operator_${name}`, help, labels, maxChildren: MAX_SERIES })

export class OperatorMetrics implements Observer {
  readonly #clock: Clock
  readonly #runs = counter('reconcile_total', 'Runs by how they ended.', 'kind', 'result')
  readonly #errors = counter('reconcile_errors_total', 'Runs that failed and are tried again.', 'kind')
  readonly #retries = counter('reconcile_retries_total', 'Runs that follow a failed one.', 'kind')
  readonly #running = gauge('reconcile_active', 'Runs under way.', 'kind')
  readonly #writes = counter(
    'api_writes_total',
    'Writes, and those left out as nothing would change.',
    'kind',
    'result',
  )
  readonly #depth = gauge('queue_depth', 'Objects that wait for a run.', 'kind')
  readonly #oldest = gauge('queue_oldest_seconds', 'For how long the oldest of them has waited.', 'kind')
  readonly #leader = gauge('leader', '1 while this process leads.')
  readonly #members = gauge('shard_members', 'Processes that share the objects, this one included.')
  readonly #owned = gauge('shard_objects', 'Objects that this process owns, where processes share them.', 'kind')
  readonly #caches = gauge('caches_synced', '1 when all caches have been filled.')
  readonly #seconds = new Histogram({
    name: 'homeostat_operator_reconcile_duration_seconds',
    help: 'How long runs took.',
    labels: ['kind'],
    bounds: SECONDS,
    maxChildren: MAX_SERIES,
  })
  readonly #waits = new Histogram({
    name: 'homeostat_operator_rate_limiter_duration_seconds',
    help: 'How long requests waited for the rate limit of the client.',
    bounds: SECONDS,
  })

  constructor(clock: Clock, state: { leading(): boolean; members(): number; synced(): boolean }) {
    this.#clock = clock
    this.#leader.child().ask(() => Number(state.leading()))
    this.#members.child().ask(() => state.members())
    this.#caches.child().ask(() => Number(state.synced()))
  }

  async around({ kind }: RunFacts, work: () => Promise<ObservedOutcome>): Promise<ObservedOutcome> {
    const began = this.#clock.now()
    this.#running.child(kind).add()
    try {
      const end = await work()
      this.#runs.child(kind, end.result).add()
      if (end.result === 'error') this.#errors.child(kind).add()
      return end
    } finally {
      this.#running.child(kind).add(-1)
      this.#seconds.child(kind).observe((this.#clock.now() - began) / 1000)
    }
  }

  retried(kind: string): void {
    this.#retries.child(kind).add()
  }

  wrote(kind: string, result: WriteResult): void {
    this.#writes.child(kind, result).add()
  }

  waited(ms: number): void {
    this.#waits.child().observe(ms / 1000)
  }

  queue(kind: string, state: () => QueueState): void {
    this.#depth.child(kind).ask(() => state().depth)
    this.#oldest.child(kind).ask(() => state().oldestMs / 1000)
  }

  owned(kind: string, count: () => number): void {
    this.#owned.child(kind).ask(count)
  }

  render(): string {
    return [
      this.#runs,
      this.#errors,
      this.#retries,
      this.#running,
      this.#seconds,
      this.#writes,
      this.#waits,
      this.#depth,
      this.#oldest,
      this.#leader,
      this.#members,
      this.#owned,
      this.#caches,
    ]
      .map((metric) => metric.render())
      .join('')
  }
}
