// What /metrics shows of schedules: how many there are, what became of their ticks, and how late runs were made.

import { Histogram, type Metric, Numbers } from '@homeostat/base'
import type { Schedule } from '@homeostat/executor/schedules'

const SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 3600]

export class ScheduleMetrics implements Metric {
  readonly #ticks = new Numbers('counter', {
    name: 'homeostat_colony_schedule_ticks_total',
    help: 'Ticks of schedules that were run, skipped for an active run, or missed (counted once per gap).',
    labels: ['namespace', 'outcome'],
  })
  readonly #delay = new Histogram({
    name: 'homeostat_colony_schedule_delay_seconds',
    help: 'From when a run was due until it was made.',
    labels: ['namespace'],
    bounds: SECONDS,
  })
  #schedules: () => Iterable<Schedule> = () => []

  follow(schedules: () => Iterable<Schedule>): void {
    this.#schedules = schedules
  }

  made(namespace: string, ms: number): void {
    this.#ticks.child(namespace, 'run').add()
    this.#delay.child(namespace).observe(Math.max(0, ms) / 1000)
  }

  skipped(namespace: string): void {
    this.#ticks.child(namespace, 'skipped').add()
  }

  missed(namespace: string): void {
    this.#ticks.child(namespace, 'missed').add()
  }

  render(): string {
    const schedules = new Numbers('gauge', {
      name: 'homeostat_colony_schedules',
      help: 'Schedules, by whether they are suspended.',
      labels: ['namespace', 'suspended'],
    })
    for (const { metadata, spec } of this.#schedules()) {
      schedules.child(metadata.namespace ?? '', String(spec.suspend === true)).add()
    }
    return schedules.render() + this.#ticks.render() + this.#delay.render()
  }
}
