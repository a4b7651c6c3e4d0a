// Makes the runs of schedules. The plan decides each step; this reads, writes, and looks again in time. The number of schedules in
// work is bounded, and the event loop has its turn between them.

import type { Api, ObjectChange, ResourceName } from '@homeostat/apiserver'
import { type Clock, type Log, messageOf, TimeSlice } from '@homeostat/base'
import type { PendingRun, Schedule, ScheduleStatus } from '@homeostat/executor/schedules'
import { conflict, isStatusError, type KubeObject, notFound, parseRfc3339 } from '@homeostat/meta'
import type { ColonyEvents } from '../events/colony-events.ts'
import { GRAPHS, keyOf, PROCESSES, SCHEDULES } from '../kinds/resources.ts'
import { Heap } from '../queue/heap.ts'
import { nextStep, runName, type ScheduleRun, type ScheduleStep } from '../schedule/schedule-plan.ts'
import { followObjects, keyOfChange } from '../state/follow-objects.ts'
import type { TimedWork } from '../time/shared-timer.ts'
import { runManifest } from './run-manifest.ts'
import { BY_TIME, ScheduleEntry } from './schedule-entry.ts'
import type { ScheduleMetrics } from './schedule-metrics.ts'
import { ScheduleRuns } from './schedule-runs.ts'

export interface ScheduleParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly events: Pick<ColonyEvents, 'record'>
  readonly metrics: ScheduleMetrics
  /** Something may be due at another time. */
  update(): void
}

/** So many schedules are in work at once. What is committed together goes on together: more of them would keep requests waiting. */
const MAX_WORK = 16
/** Requests have their turn after so long. */
const SLICE_MS = 2
const REST_MS = 1000

export class ScheduleController implements TimedWork {
  readonly runs = new ScheduleRuns((uid) => this.#wake(this.#byUid.get(uid)))
  readonly #parts: ScheduleParts
  readonly #entries = new Map<string, ScheduleEntry>()
  readonly #byUid = new Map<string, ScheduleEntry>()
  readonly #coming = new Heap(BY_TIME)
  readonly #work = new Set<Promise<void>>()
  readonly #stops: (() => void)[] = []
  readonly #slice = new TimeSlice(SLICE_MS)
  #pump: Promise<void> | undefined
  #onEnd: (() => void) | undefined
  #isOpen = false

  constructor(parts: ScheduleParts) {
    this.#parts = parts
  }

  /** Call when all Processes and graphs have been read. */
  async open(): Promise<void> {
    const { api, log } = this.#parts
    const unreadable = (name: string, error: unknown) =>
      log.error({ err: error, schedule: name }, 'a Schedule cannot be handled; it is ignored')
    await followObjects(api, SCHEDULES, { read: (change) => this.#read(change), unreadable, stops: this.#stops })
    this.#isOpen = true
  }

  async close(): Promise<void> {
    this.#isOpen = false
    for (const stop of this.#stops.splice(0)) stop()
    await this.#pump
    await Promise.all(this.#work)
  }

  get schedules(): Iterable<Schedule> {
    return [...this.#entries.values()].map(({ schedule }) => schedule)
  }

  /** Makes a run now, which is no tick. Resolves to its name; 409 when another run is active and the policy forbids it. */
  run(namespace: string, name: string): Promise<string> {
    const entry = this.#entries.get(keyOf({ namespace, name }))
    if (entry === undefined) throw notFound(SCHEDULES, name)
    const now = this.#parts.clock.now()
    const run = `${runName(name, `${entry.uid}/${entry.requests.length}/by-hand`, now)}`
    const pending: PendingRun = { name: run, time: new Date(now).toISOString() }
    return new Promise((resolve, reject) => {
      entry.requests.push({ pending, done: () => resolve(run), refused: reject })
      this.#wake(entry)
    })
  }

  nextTime(): number | undefined {
    // The pump works off what is due and says so at its end: until then the timer would fire for it without a pause.
    return this.#isOpen && this.#pump === undefined ? this.#coming.peek()?.at : undefined
  }

  act(now: number): void {
    const next = this.#coming.peek()
    if (!this.#isOpen || next === undefined || next.at > now) return
    this.#pump ??= this.#run().finally(() => {
      this.#pump = undefined
      this.#parts.update()
    })
  }

  #read(change: ObjectChange): void {
    const key = keyOfChange(change)
    const { object } = change
    const schedule = object && (this.#parts.api.parsed(SCHEDULES, object) as unknown as Schedule | undefined)
    const known = this.#entries.get(key)
    if (known !== undefined && known.uid !== schedule?.metadata.uid) this.#forget(key, known)
    if (schedule === undefined || schedule.metadata.deletionTimestamp !== undefined) {
      if (known !== undefined) this.#forget(key, known)
      return
    }
    const entry = this.#entries.get(key) ?? new ScheduleEntry(schedule)
    const isNew = !this.#entries.has(key)
    const isSame = !isNew && entry.schedule.metadata.generation === schedule.metadata.generation
    entry.schedule = schedule
    if (isNew) {
      this.#entries.set(key, entry)
      this.#byUid.set(entry.uid, entry)
    }
    // A change of the status is the controller's own.
    if (!isSame) this.#wake(entry)
  }

  #forget(key: string, entry: ScheduleEntry): void {
    entry.isGone = true
    this.#entries.delete(key)
    this.#byUid.delete(entry.uid)
    this.#coming.remove(entry)
    for (const { refused } of entry.requests.splice(0)) refused(notFound(SCHEDULES, entry.schedule.metadata.name ?? ''))
  }

  /** Looks at the schedule as soon as possible. */
  #wake(entry: ScheduleEntry | undefined): void {
    if (entry === undefined || entry.isGone) return
    if (entry.isBusy) entry.isChanged = true
    else this.#lookAt(entry, 0)
  }

  #lookAt(entry: ScheduleEntry, at: number | undefined): void {
    this.#coming.remove(entry)
    if (at === undefined || entry.isGone) return
    entry.at = at
    this.#coming.add(entry)
    if (this.#isOpen) this.#parts.update()
  }

  async #run(): Promise<void> {
    for (;;) {
      const entry = this.#coming.peek()
      if (entry === undefined || !this.#isOpen || entry.at > this.#parts.clock.now()) return
      this.#coming.remove(entry)
      while (this.#work.size >= MAX_WORK) {
        await new Promise<void>((resolve) => {
          this.#onEnd = resolve
        })
      }
      await this.#turn()
      const work = this.#advance(entry).finally(() => {
        this.#work.delete(work)
        this.#onEnd?.()
      })
      this.#work.add(work)
    }
  }

  /** Carries out steps until there is nothing to do. Never rejects. */
  async #advance(entry: ScheduleEntry): Promise<void> {
    entry.isBusy = true
    let until: number | undefined
    try {
      do {
        entry.isChanged = false
        until = await this.#stepsOf(entry)
      } while (entry.isChanged && this.#isOpen && !entry.isGone)
    } catch (error) {
      const { log, clock } = this.#parts
      if (!isStatusError(error, 'NotFound')) {
        log.warn(
          { err: error, schedule: entry.schedule.metadata.name },
          'a step of a Schedule failed; it is tried again',
        )
      }
      until = clock.now() + REST_MS
    }
    entry.isBusy = false
    this.#lookAt(entry, until)
  }

  async #stepsOf(entry: ScheduleEntry): Promise<number | undefined> {
    while (this.#isOpen && !entry.isGone) {
      await this.#turn()
      const { schedule, uid, source } = entry
      const { spec, status = {}, metadata } = schedule
      const byHand = entry.requests[0]?.pending
      const situation = {
        ticking: { spec, uid, source },
        name: metadata.name ?? '',
        status,
        runs: this.runs.of(uid),
        byHand,
      }
      const step = nextStep(situation, this.#parts.clock.now())
      if (step.do === 'wait') return step.until
      await this.#carryOut(entry, schedule, step)
    }
    return undefined
  }

  /** Gives way to requests; many that resume together do so one after the other. */
  async #turn(): Promise<void> {
    do await this.#slice.next()
    while (this.#slice.isOver)
  }

  async #carryOut(
    entry: ScheduleEntry,
    schedule: Schedule,
    step: Exclude<ScheduleStep, { do: 'wait' }>,
  ): Promise<void> {
    if (step.do === 'remove') await Promise.all(step.runs.map((run) => this.#remove(schedule, run)))
    else if (step.do === 'refuse') {
      const name = schedule.metadata.name ?? ''
      const why = `the run ${step.active} is active, and the schedule forbids another`
      entry.requests.shift()?.refused(conflict(SCHEDULES, name, why))
    } else if (step.do === 'make') await this.#make(entry, schedule, step)
    else {
      await this.#write(entry, schedule, step.status)
      this.#tell(schedule, step)
    }
  }

  /** The run first, then the record: a crash in between makes it again under the same name, which is a 409. */
  async #make(entry: ScheduleEntry, schedule: Schedule, step: Extract<ScheduleStep, { do: 'make' }>): Promise<void> {
    const { api, metrics, clock, events } = this.#parts
    const { pending } = step
    for (const run of step.cancel) await this.#cancel(schedule, run)
    try {
      await api.create(schedule.spec.graph === undefined ? PROCESSES : GRAPHS, runManifest(schedule, pending))
      metrics.made(schedule.metadata.namespace ?? '', clock.now() - (parseRfc3339(pending.time) ?? clock.now()))
    } catch (error) {
      if (isStatusError(error, 'Invalid') || isStatusError(error, 'RequestEntityTooLarge')) {
        events.record(regarding(schedule), { type: 'Warning', reason: 'RunRefused', message: messageOf(error) })
      } else if (!isStatusError(error, 'AlreadyExists')) throw error
    }
    await this.#write(entry, schedule, step.status)
    if (entry.requests[0]?.pending.name === pending.name) entry.requests.shift()?.done()
  }

  /** Written only when nobody has changed it: the plan is then made again. */
  async #write(entry: ScheduleEntry, { metadata }: Schedule, next: ScheduleStatus): Promise<void> {
    const { api } = this.#parts
    const { namespace = '', name = '', uid, resourceVersion } = metadata
    let isMoved = false
    const written = await api.writeStatus(SCHEDULES, { namespace, name }, (current) => {
      isMoved = current.metadata.uid !== uid || current.metadata.resourceVersion !== resourceVersion
      return isMoved ? current.status : next
    })
    if (written === undefined) throw notFound(SCHEDULES, name)
    const newest = api.parsed(SCHEDULES, written) as unknown as Schedule | undefined
    if (newest !== undefined && newest.metadata.uid === entry.uid) entry.schedule = newest
  }

  #tell(schedule: Schedule, step: Extract<ScheduleStep, { do: 'write' }>): void {
    const { events, metrics } = this.#parts
    const { namespace = '' } = schedule.metadata
    if (step.why === 'skip') {
      metrics.skipped(namespace)
      events.record(regarding(schedule), { reason: 'Skipped', message: 'a tick was skipped: a run is active' })
    }
    if (step.missed) {
      metrics.missed(namespace)
      events.record(regarding(schedule), {
        type: 'Warning',
        reason: 'MissedTicks',
        message: 'ticks were missed and are not run',
      })
    }
  }

  async #cancel({ metadata }: Schedule, { kind, name }: ScheduleRun): Promise<void> {
    const { namespace = '' } = metadata
    await this.#parts.api.change(resourceOf(kind), { namespace, name }, (run: KubeObject) => {
      run.spec = { ...(run.spec as object), cancel: true }
    })
  }

  async #remove({ metadata }: Schedule, { kind, name, uid }: ScheduleRun): Promise<void> {
    const { namespace = '' } = metadata
    try {
      await this.#parts.api.delete(resourceOf(kind), { namespace, name }, { preconditions: { uid } })
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
      this.runs.forget(metadata.uid ?? '', uid)
    }
  }
}

function resourceOf(kind: ScheduleRun['kind']): ResourceName {
  return kind === 'Process' ? PROCESSES : GRAPHS
}

function regarding({ metadata }: Schedule) {
  return { apiVersion: 'colonies.io/v1', kind: 'Schedule', metadata }
}
