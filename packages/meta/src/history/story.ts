// Why an object is as it is, from facts that were read before; pure. A change in its history is explained by the run that wrote it,
// a run by its triggers, a trigger by the change of its object, and so on.

import { type RunRecord, type RunRef, type RunTrigger, type RunWrite, WRITE_WORDS } from '../event/run-record.ts'
import type { HistoryEntry } from './entry.ts'

/** A run that an Event tells of. */
export interface ToldRun {
  /** Who ran, as the Event reports. */
  readonly controller: string
  /** The object that was reconciled. */
  readonly object: RunRef
  readonly time: string
  /** How many equal runs the Event stands for; the record is that of the newest. */
  readonly count: number
  readonly record: RunRecord
}

export interface KnownObject {
  readonly ref: RunRef
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[]
}

export interface Facts {
  readonly objects: ReadonlyMap<string, KnownObject>
  readonly runs: readonly ToldRun[]
}

export interface ChangeStep {
  readonly type: 'change'
  readonly object: RunRef
  readonly time?: string | undefined
  readonly change: HistoryEntry['change']
  readonly generation?: number | undefined
  readonly resourceVersion: string
  readonly user?: string | undefined
  readonly manager?: string | undefined
  /** The run that wrote it. */
  readonly because?: RunStep
}

export interface RunStep {
  readonly type: 'run'
  readonly object: RunRef
  readonly time: string
  readonly count: number
  readonly controller: string
  readonly triggers: readonly TriggerStep[]
  readonly writes: readonly RunWrite[]
  readonly moreWrites?: number | undefined
}

export interface TriggerStep extends RunTrigger {
  readonly change?: ChangeStep
}

export type Step = ChangeStep | RunStep

/** How far a chain of causes is followed. */
export const MAX_DEPTH = 5

/** What happened to the object, and what its controllers did for it; newest first. */
export function tellStory(ref: RunRef, facts: Facts): Step[] {
  const teller = new Teller(facts)
  const key = refKey(ref)
  // Of one second, too, the newest is first: sorting keeps the order of equal times.
  const entries = facts.objects.get(key)?.entries.toReversed() ?? []
  const changes = entries.map((entry) => teller.change(ref, entry, 0))
  const runs = facts.runs.filter(({ object }) => refKey(object) === key).map((run) => teller.run(run, 0))
  return [...changes, ...runs].toSorted((a, b) => timeOf(b) - timeOf(a) || rank(a) - rank(b))
}

/** The objects that explain runs of these: to be read next. */
export function triggeringObjects(refs: readonly RunRef[], runs: readonly ToldRun[]): RunRef[] {
  const keys = new Set(refs.map(refKey))
  const concerned = runs.filter(
    ({ object, record }) =>
      keys.has(refKey(object)) || record.writes.some(({ object: written }) => keys.has(refKey(written))),
  )
  const found = concerned.flatMap(({ record }) => record.triggers.flatMap(({ object }) => object ?? []))
  return [...new Map(found.map((ref) => [refKey(ref), ref])).values()].filter((ref) => !keys.has(refKey(ref)))
}

class Teller {
  readonly #facts: Facts

  constructor(facts: Facts) {
    this.#facts = facts
  }

  change(object: RunRef, entry: HistoryEntry, depth: number): ChangeStep {
    const { time, change, generation, resourceVersion, user, manager } = entry
    const by = depth < MAX_DEPTH ? this.#writerOf(object, entry) : undefined
    return {
      type: 'change',
      object,
      ...(time !== undefined && { time }),
      change,
      ...(generation !== undefined && { generation }),
      resourceVersion,
      ...(user !== undefined && { user }),
      ...(manager !== undefined && { manager }),
      ...(by && { because: this.run(by, depth + 1) }),
    }
  }

  run({ object, time, count, controller, record }: ToldRun, depth: number): RunStep {
    const { triggers, writes, moreWrites } = record
    return {
      type: 'run',
      object,
      time,
      count,
      controller,
      triggers: triggers.map((trigger) => this.#trigger(trigger, depth)),
      writes,
      ...(moreWrites !== undefined && { moreWrites }),
    }
  }

  #trigger(trigger: RunTrigger, depth: number): TriggerStep {
    const { object, resourceVersion, generation, manager, text } = trigger
    const entries = (object && depth < MAX_DEPTH && this.#facts.objects.get(refKey(object))?.entries) || []
    // A state of the object that is no change of its own, as at a start, or a Process that carries it, stands for its generation.
    const isState = text === 'found' || manager === undefined
    const entry =
      entries.findLast((one) => one.resourceVersion === resourceVersion) ??
      (isState && generation !== undefined
        ? entries.findLast((one) => one.generation === generation && one.change !== 'deleted')
        : undefined)
    return object && entry ? { ...trigger, change: this.change(object, entry, depth + 1) } : trigger
  }

  /** The run that wrote this very revision; a deletion is known by its object, since its answer has no revision. */
  #writerOf(object: RunRef, { resourceVersion, change }: HistoryEntry): ToldRun | undefined {
    const key = refKey(object)
    const isDeletion = change === 'deleted' || change === 'deleting'
    return this.#facts.runs.find(({ record }) =>
      record.writes.some(
        (write) =>
          refKey(write.object) === key &&
          (isDeletion ? write.did === 'deleted' : write.resourceVersion === resourceVersion),
      ),
    )
  }
}

/** Without the version: an object is the same in all versions of its kind. */
export function refKey({ apiVersion, kind, namespace = '', name }: RunRef): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return `${group}/${kind}/${namespace}/${name}`
}

export function shownObject({ kind, namespace, name }: RunRef): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** `updated to generation 3 by ada (kubectl)` */
export function changeText(step: ChangeStep): string {
  const { change, generation, user, manager } = step
  const label = generation === undefined ? `revision ${step.resourceVersion}` : `generation ${generation}`
  const what = change === 'updated' ? `updated to ${label}` : change
  const via = manager === undefined ? '' : ` (${manager})`
  return `${what} by ${user === undefined ? (manager ?? 'somebody') : `${user}${via}`}`
}

export function writesText({ writes, moreWrites = 0 }: RunStep): string {
  const all = writes.map(({ did, object }) => `${WRITE_WORDS[did]} ${shownObject(object)}`)
  return [...all, ...(moreWrites > 0 ? [`and ${moreWrites} more`] : [])].join(', ')
}

function timeOf({ time }: Step): number {
  const at = Date.parse(time ?? '')
  return Number.isNaN(at) ? 0 : at
}

/** Of one moment, what came of it stands above what caused it. */
function rank({ type }: Step): number {
  return type === 'run' ? 0 : 1
}
