// Counts open watches, the events sent to them, and the reasons for which the server ended watches.

import { type Count, type Metric, Numbers } from '@homeostat/base'
import type { ResourceLabels } from './request-metrics.ts'

/** The counters of one resource's watches. A watch gets them once and updates them while it runs. */
export interface WatchCounts {
  /** Open watches: add 1 when a watch starts and -1 when it ends. */
  readonly open: Count
  /** Events sent, one per watcher and event. */
  readonly events: Count
}

export class WatchMetrics {
  readonly #open = new Numbers('gauge', {
    name: 'apiserver_longrunning_requests',
    help: 'Watches open now.',
    labels: ['verb', 'group', 'version', 'resource'],
  })
  readonly #events = new Numbers('counter', {
    name: 'apiserver_watch_events_total',
    help: 'Watch events sent, counted once for each watcher.',
    labels: ['group', 'version', 'resource'],
  })
  readonly #terminations = new Numbers('counter', {
    name: 'homeostat_watch_terminations_total',
    help: 'Watches that the server ended, by reason. A slow watcher resumes from history.',
    labels: ['reason'],
    maxChildren: 50,
  })
  readonly #byType = new WeakMap<ResourceLabels, WatchCounts>()
  readonly metrics: readonly Metric[] = [this.#open, this.#events, this.#terminations]

  of(type: ResourceLabels): WatchCounts {
    const known = this.#byType.get(type)
    if (known) return known
    const { group, version, resource } = type
    const counts = {
      open: this.#open.child('WATCH', group, version, resource),
      events: this.#events.child(group, version, resource),
    }
    this.#byType.set(type, counts)
    return counts
  }

  /** `reason` is one of the server's own words: `slow`, `timeout`, `definition-changed`, `shutdown`. */
  terminated(reason: string): void {
    this.#terminations.child(reason).add()
  }
}
