// The runs of schedules in memory: Processes and graphs with the label of a schedule, by the uid of that schedule.

import type { ProcessGraph } from '@homeostat/executor/graphs'
import { SCHEDULE_LABELS } from '@homeostat/executor/schedules'
import { parseRfc3339 } from '@homeostat/meta'
import type { QueuedProcess } from '../queue/queued-process.ts'
import type { ScheduleRun } from '../schedule/schedule-plan.ts'
import type { StateListener } from '../state/state-listener.ts'

export class ScheduleRuns implements StateListener {
  /** By the uid of the schedule, then by the uid of the run. */
  readonly #runs = new Map<string, Map<string, ScheduleRun>>()
  /** The schedule of each graph, since a deleted one is known by its uid alone. */
  readonly #schedules = new Map<string, string>()
  readonly #changed: (schedule: string) => void

  /** `changed` is called with the uid of a schedule when one of its runs has changed. */
  constructor(changed: (schedule: string) => void) {
    this.#changed = changed
  }

  of(schedule: string): readonly ScheduleRun[] {
    return [...(this.#runs.get(schedule)?.values() ?? [])]
  }

  processChanged(process: QueuedProcess): void {
    const { schedule, uid, name, submittedAt: madeAt, result, finishedAt, cancel } = process
    if (schedule === undefined) return
    this.#set(schedule, { kind: 'Process', uid, name, madeAt, result, finishedAt, cancel })
  }

  processGone(_before: QueuedProcess | undefined, uid: string, last: QueuedProcess | undefined): void {
    if (last?.schedule !== undefined) this.forget(last.schedule, uid)
  }

  graphChanged(graph: ProcessGraph | undefined, uid: string): void {
    const schedule = graph?.metadata.labels?.[SCHEDULE_LABELS.uid] ?? this.#schedules.get(uid)
    if (schedule === undefined) return
    if (graph === undefined) {
      this.#schedules.delete(uid)
      this.forget(schedule, uid)
      return
    }
    this.#schedules.set(uid, schedule)
    const { metadata, spec, status } = graph
    this.#set(schedule, {
      kind: 'ProcessGraph',
      uid,
      name: metadata.name ?? '',
      madeAt: parseRfc3339(metadata.creationTimestamp ?? '') ?? 0,
      result: status?.finishedAt === undefined ? undefined : (status.phase as 'Succeeded'),
      finishedAt: parseRfc3339(status?.finishedAt ?? ''),
      cancel: spec.cancel === true,
    })
  }

  #set(schedule: string, run: ScheduleRun): void {
    const runs = this.#runs.get(schedule)
    if (runs === undefined) this.#runs.set(schedule, new Map([[run.uid, run]]))
    else runs.set(run.uid, run)
    this.#changed(schedule)
  }

  /** The run is not there any more. */
  forget(schedule: string, uid: string): void {
    const runs = this.#runs.get(schedule)
    runs?.delete(uid)
    if (runs?.size === 0) this.#runs.delete(schedule)
    this.#changed(schedule)
  }
}
