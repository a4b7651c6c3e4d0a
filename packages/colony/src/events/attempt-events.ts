// What `kubectl describe` shows of Processes and of the resources they are for: who got a run, how it ended, and why it failed.
// A Process that succeeds has no event, since its status says all of it and an event would be a fourth durable write.

import type { Api, CachedObject } from '@homeostat/apiserver'
import type { Process } from '@homeostat/executor/protocol'
import { CAUSE_ANNOTATION, resourceOf } from '../handlers/process-manifest.ts'
import { PROCESSES } from '../kinds/resources.ts'
import type { ColonyEvents, Regarding } from './colony-events.ts'

export class AttemptEvents {
  readonly #api: Api
  readonly #events: Pick<ColonyEvents, 'record'>

  constructor(api: Api, events: Pick<ColonyEvents, 'record'>) {
    this.#api = api
    this.#events = events
  }

  /** Runs that only look, at every interval, are not told. */
  assigned(written: CachedObject): void {
    const process = this.#parse(written)
    const resource = process && resourceRegarding(process)
    if (process === undefined || resource === undefined || isPeriodic(process)) return
    const { metadata, status } = process
    const message = `process ${metadata.name} was assigned to executor ${status.executor}`
    this.#events.record(resource, { reason: 'Assigned', action: 'Assign', message })
  }

  reconciled(process: Process, executor: string): void {
    const resource = resourceRegarding(process)
    if (resource === undefined) return
    const done = resource.isDeleting ? 'cleaned up' : `reconciled generation ${resource.generation}`
    this.#events.record(resource, { reason: 'Reconciled', message: `executor ${executor} ${done}` })
  }

  /** Tells when the step that was written ended an attempt badly. */
  failed(written: CachedObject | undefined): void {
    const process = written && this.#parse(written)
    if (process === undefined) return
    const { metadata, status } = process
    const [error] = status.errors ?? []
    const isOver = status.phase === 'Failed'
    if (error === undefined || !(isOver || (status.phase === 'Waiting' && (status.retries ?? 0) > 0))) return
    const end = status.conditions?.find(({ type }) => type === 'Failed')
    // Without times and numbers, so that the same again is one event with a count.
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

function isPeriodic({ metadata }: Process): boolean {
  return metadata.annotations?.[CAUSE_ANNOTATION] === 'interval'
}

function resourceRegarding(process: Process): (Regarding & { generation: number; isDeleting: boolean }) | undefined {
  const target = resourceOf(process)
  if (target === undefined) return undefined
  const { kind, name, uid, generation, deleting } = target
  const { apiVersion } = process.spec.kwargs as { apiVersion: string }
  return { apiVersion, kind, metadata: { ...name, uid }, generation, isDeleting: deleting }
}
