// All metrics of one server, and the body of /metrics.

import type { Metric } from '@homeostat/base'
import { RequestMetrics } from './request-metrics.ts'
import { EventLoopMetrics, type MeasuredStore, ProcessMetrics, StoreMetrics } from './runtime-metrics.ts'
import { WatchMetrics } from './watch-metrics.ts'

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export class ServerMetrics {
  readonly requests = new RequestMetrics()
  readonly watches = new WatchMetrics()
  readonly #eventLoop = new EventLoopMetrics()
  readonly #all: Metric[]
  readonly #refreshed: { refresh(): Promise<void> }[] = []

  constructor(store: MeasuredStore) {
    this.#all = [
      ...this.requests.metrics,
      ...this.watches.metrics,
      new StoreMetrics(store),
      this.#eventLoop,
      new ProcessMetrics(),
    ]
  }

  /** Adds a metric of another part of the server. */
  add(metric: Metric): void {
    this.#all.push(metric)
  }

  /** Adds a metric that counts anew before it is rendered. */
  addRefreshed(metric: Metric & { refresh(): Promise<void> }): void {
    this.#all.push(metric)
    this.#refreshed.push(metric)
  }

  /** The body of /metrics. */
  async scrape(): Promise<string> {
    for (const metric of this.#refreshed) await metric.refresh()
    return this.render()
  }

  render(): string {
    return this.#all.map((metric) => metric.render()).join('')
  }

  /** Stops the measurements. Idempotent. */
  close(): void {
    this.#eventLoop.close()
  }
}
