// What an operator counts about itself. The runtime tells it (Observer); `/metrics` shows it. Labels are kinds and
// results, never names of objects.

import type { Clock } from '@homeostat/base'
import type { Observer, QueueState, RunEnd, RunFacts, WriteResult } from '../runtime/companions.ts'
import { Histogram, Metric } from './exposition.ts'

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

const counter = (name: string, help: string, ...labels: string[]) =>
  new Metric('counter', { name: `homeostat_operator_${name}`, help, labels })
const gauge = (name: string, help: string, ...labels: string[]) =>
  new Metric('gauge', { name: `homeostat_operator_${name}`, help, labels })

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
  readonly #caches = gauge('caches_synced', '1 when all caches have been filled.')
  readonly #seconds = new Histogram(
    { name: 'homeostat_operator_reconcile_duration_seconds', help: 'How long runs took.', labels: ['kind'] },
    SECONDS,
  )

  constructor(clock: Clock, state: { leading(): boolean; synced(): boolean }) {
    this.#clock = clock
    this.#leader.ask([], () => Number(state.leading()))
    this.#caches.ask([], () => Number(state.synced()))
  }

  async around({ kind }: RunFacts, work: () => Promise<RunEnd>): Promise<RunEnd> {
    const began = this.#clock.now()
    this.#running.add([kind])
    try {
      const end = await work()
      this.#runs.add([kind, end.result])
      if (end.result === 'error') this.#errors.add([kind])
      return end
    } finally {
      this.#running.add([kind], -1)
      this.#seconds.observe([kind], (this.#clock.now() - began) / 1000)
    }
  }

  retried(kind: string): void {
    this.#retries.add([kind])
  }

  wrote(kind: string, result: WriteResult): void {
    this.#writes.add([kind, result])
  }

  queue(kind: string, state: () => QueueState): void {
    this.#depth.ask([kind], () => state().depth)
    this.#oldest.ask([kind], () => state().oldestMs / 1000)
  }

  render(): string {
    return [
      this.#runs,
      this.#errors,
      this.#retries,
      this.#running,
      this.#seconds,
      this.#writes,
      this.#depth,
      this.#oldest,
      this.#leader,
      this.#caches,
    ]
      .map((metric) => metric.render())
      .join('')
  }
}
