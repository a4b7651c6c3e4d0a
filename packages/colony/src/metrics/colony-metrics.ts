// The metrics of a colony: Processes by phase, the age of the oldest waiting one, the time to assign and to reconcile,
// executors by phase.

import { type Clock, Histogram, type Metric, Numbers } from '@homeostat/base'
import { type Process, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { parseRfc3339 } from '@homeostat/meta'
import type { QueuedProcess } from '../queue/queued-process.ts'
import type { ColonyState } from '../state/colony-state.ts'

const ASSIGN_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600]
const RECONCILE_SECONDS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]

export class ColonyMetrics implements Metric {
  readonly #clock: Clock
  readonly #state: Pick<ColonyState, 'queue' | 'executors'>
  readonly #assign = new Histogram({
    name: 'homeostat_colony_assign_seconds',
    help: 'From when a process could run until it was assigned.',
    labels: ['namespace', 'executor_type'],
    bounds: ASSIGN_SECONDS,
  })
  readonly #reconcile = new Histogram({
    name: 'homeostat_colony_reconcile_seconds',
    help: 'From the assignment of a run for a resource until it was closed.',
    labels: ['namespace', 'kind'],
    bounds: RECONCILE_SECONDS,
  })

  constructor(clock: Clock, state: Pick<ColonyState, 'queue' | 'executors'>) {
    this.#clock = clock
    this.#state = state
  }

  assigned({ namespace, demands, submittedAt, notBefore }: QueuedProcess, now: number): void {
    const since = Math.max(submittedAt, notBefore ?? 0)
    this.#assign.child(namespace, demands.executorType).observe(Math.max(0, now - since) / 1000)
  }

  reconciled({ metadata, status }: Process, now: number): void {
    const started = parseRfc3339(status.startedAt ?? '')
    if (started === undefined) return
    const kind = metadata.labels?.[RESOURCE_LABELS.kind] ?? ''
    this.#reconcile.child(metadata.namespace ?? '', kind).observe(Math.max(0, now - started) / 1000)
  }

  render(): string {
    return `${this.#gauges()}${this.#assign.render()}${this.#reconcile.render()}`
  }

  #gauges(): string {
    const depth = gauge('homeostat_colony_processes', 'Processes that wait or run.', ['phase'])
    const age = gauge('homeostat_colony_oldest_waiting_seconds', 'Age of the process that waits longest.')
    const online = gauge('homeostat_colony_executors', 'Executors by what is known of them.', ['phase'])
    const { queue, executors } = this.#state
    const now = this.#clock.now()
    for (const { namespace, executorType, waiting, running, oldestSubmittedAt } of queue.depth()) {
      depth.child(namespace, executorType, 'waiting').set(waiting)
      depth.child(namespace, executorType, 'running').set(running)
      if (oldestSubmittedAt !== undefined) age.child(namespace, executorType).set((now - oldestSubmittedAt) / 1000)
    }
    for (const { namespace, type, phase } of executors.values()) {
      online.child(namespace, type, (phase ?? 'unknown').toLowerCase()).add()
    }
    return depth.render() + age.render() + online.render()
  }
}

function gauge(name: string, help: string, more: readonly string[] = []): Numbers {
  return new Numbers('gauge', { name, help, labels: ['namespace', 'executor_type', ...more] })
}
