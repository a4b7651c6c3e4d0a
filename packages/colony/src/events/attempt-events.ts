// Events about Processes and their resources, for `kubectl describe`: which executor got an attempt, how it ended, and why it
// failed. A Process that succeeds has no event: its status has all of it, and an event would be a fourth durable write.

import type { Api, CachedObject } from '@homeostat/apiserver'
import { type Process, TRIGGER_ANNOTATION } from '@homeostat/executor/protocol'
import type { RunTrigger, RunWrite } from '@homeostat/meta/events'
import { resourceOf } from '../handlers/process-manifest.ts'
import { PROCESSES } from '../kinds/resources.ts'
import type { ColonyEvents, Regarding } from './colony-events.ts'

export class AttemptEvents {
  readonly #api: Api
  readonly #events: Pick<ColonyEvents, 'record'>

  constructor(api: Api, events: Pick<ColonyEvents, 'record'>) {
    this.#api = api
    this.#events = events
  }

  /** Periodic attempts have no event. */
  assigned(written: CachedObject): void {
    const process = this.#parse(written)
    const resource = process && resourceRegarding(process)
    if (process === undefined || resource === undefined || isPeriodic(process)) return
    const { metadata, status } = process
    const message = `process ${metadata.name} was assigned to executor ${status.executor}`
    this.#events.record(resource, { reason: 'Assigned', action: 'Assign', message })
  }

  /** `writes` is what the colony wrote for the attempt. */
  reconciled(process: Process, executor: string, writes: readonly RunWrite[] = []): void {
    const resource = resourceRegarding(process)
    if (resource === undefined) return
    const done = resource.isDeleting ? 'cleaned up' : `reconciled generation ${resource.generation}`
    const run = writes.length > 0 && { run: { triggers: [triggerOf(process, resource)], writes } }
    this.#events.record(resource, { reason: 'Reconciled', message: `executor ${executor} ${done}`, ...run })
  }

  /** Records an event when the written status is that of a failed attempt. */
  failed(written: CachedObject | undefined): void {
    const process = written && this.#parse(written)
    if (process === undefined) return
    const { metadata, status } = process
    const [error] = status.errors ?? []
    const isOver = status.phase === 'Failed'
    if (error === undefined || !(isOver || (status.phase === 'Waiting' && (status.retries ?? 0) > 0))) return
    const end = status.conditions?.find(({ type }) => type === 'Failed')
    // The message has no times and numbers, so that repetitions are counted in one event.
    const message = isOver ? `failed for good: ${error}` : `an attempt failed: ${error}`
    const reason = isOver ? (end?.reason ?? 'Failed') : 'AttemptFailed'
    this.#events.record(
      { apiVersion: 'colonies.io/v1', kind: 'Process', metadata },
      { type: 'Warning', reason, message },
    )
    const resource = resourceRegarding(process)
    if (resource === undefined) return
    this.#events.record(resource, { type: 'Warning', reason: 'ReconcileFailed', message: error })
  }

  #parse(written: CachedObject): Process | undefined {
    return this.#api.parsed(PROCESSES, written) as unknown as Process | undefined
  }
}

const TRIGGERS: Readonly<Record<string, string>> = {
  change: 'changed',
  deletion: 'deleted',
  request: 'a reconcile was asked for',
  interval: 'its interval was over',
}

function triggerOf(process: Process, { apiVersion, kind, metadata, generation }: HandledResource): RunTrigger {
  const { name: processName, annotations = {}, creationTimestamp: time } = process.metadata
  const why = TRIGGERS[annotations[TRIGGER_ANNOTATION] ?? ''] ?? 'its process was assigned'
  const { name = '', namespace } = metadata
  const { resourceVersion } =
    ((process.spec.kwargs ?? {}) as { metadata?: { resourceVersion?: string } }).metadata ?? {}
  return {
    text: `${why} (process ${processName})`,
    ...(time && { time }),
    object: { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) },
    generation,
    ...(resourceVersion !== undefined && { resourceVersion }),
  }
}

function isPeriodic({ metadata }: Process): boolean {
  return metadata.annotations?.[TRIGGER_ANNOTATION] === 'interval'
}

type HandledResource = Regarding & { readonly generation: number; readonly isDeleting: boolean }

function resourceRegarding(process: Process): HandledResource | undefined {
  const target = resourceOf(process)
  if (target === undefined) return undefined
  const { kind, name, uid, generation, deleting } = target
  const { apiVersion } = process.spec.kwargs as { apiVersion: string }
  return { apiVersion, kind, metadata: { ...name, uid }, generation, isDeleting: deleting }
}
