// Creates, updates and deletes the waiting Processes of resources. The plan decides whether one is needed. A Process that an
// executor has taken meanwhile is never changed.

import type { Api } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { Process, ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import { deepEqual, isStatusError, type KubeObject, setCondition, writeJson } from '@homeostat/meta'
import { PROCESSES } from '../kinds/resources.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import type { HandledKind } from './handled-kind.ts'
import type { CarriedFacts, Trigger, WaitingFacts } from './handler-plan.ts'
import { progressing } from './outcome-status.ts'
import {
  CLUSTER_NAMESPACE,
  carriesSame,
  handledBy,
  isForced,
  type Kwargs,
  kwargsOf,
  MAX_KWARGS,
  processFor,
  resourceLabels,
  triggerAnnotations,
} from './process-manifest.ts'
import { changeStatus, statusOf } from './resource-status.ts'

interface Refresh {
  readonly trigger: Trigger | undefined
  readonly soon: boolean
}

export class ResourceProcessWriter {
  readonly #api: Api
  readonly #clock: Clock

  constructor({ api, clock }: { readonly api: Api; readonly clock: Clock }) {
    this.#api = api
    this.#clock = clock
  }

  factsOfRunning(process: QueuedProcess): CarriedFacts | undefined {
    const spec = this.#spec(process)
    return spec && { generation: kwargsIn(spec).metadata?.generation ?? 0 }
  }

  /** Undefined when the Process was deleted. */
  factsOfWaiting(process: QueuedProcess, kind: HandledKind, object: KubeObject): WaitingFacts | undefined {
    const spec = this.#spec(process)
    if (spec === undefined) return undefined
    const kwargs = kwargsIn(spec)
    const { funcName, conditions } = spec
    const current =
      deepEqual({ funcName, conditions }, handledBy(kind, object)) &&
      carriesSame(kwargs, kwargsOf(object, kwargs.force === true))
    return { generation: kwargs.metadata?.generation ?? 0, current }
  }

  async create(kind: HandledKind, object: KubeObject, trigger: Trigger): Promise<void> {
    const process = processFor(kind, object, trigger, `${object.metadata.resourceVersion}/${this.#clock.now()}`)
    if (await this.#isTooLarge(kind, object, (process.spec as ProcessSpec).kwargs ?? {})) return
    await this.#api.create(PROCESSES, process)
    if (trigger !== 'interval') await this.#writeProgressing(kind, object)
  }

  /** False when an executor has taken the Process, or it was deleted. */
  async refresh(kind: HandledKind, object: KubeObject, name: string, { trigger, soon }: Refresh): Promise<boolean> {
    const { namespace = CLUSTER_NAMESPACE } = object.metadata
    if (await this.#isTooLarge(kind, object, kwargsOf(object, true))) return true
    let waits = false
    await this.#api.change(PROCESSES, { namespace, name }, (process) => {
      waits = isWaiting(process)
      if (!waits) return
      const spec = process.spec as ProcessSpec
      const force = isForced(object) || kwargsIn(spec).force === true
      process.spec = { ...spec, ...handledBy(kind, object), kwargs: kwargsOf(object, force) }
      const { metadata } = process
      metadata.labels = { ...metadata.labels, ...resourceLabels(kind, object) }
      if (trigger !== undefined)
        metadata.annotations = { ...metadata.annotations, ...triggerAnnotations(object, trigger) }
    })
    if (waits && soon) await this.#bringForward({ namespace, name })
    if (waits && trigger !== undefined) await this.#writeProgressing(kind, object)
    return waits
  }

  /** Deletes a waiting Process, unless an executor has taken it a moment ago. */
  async drop({ namespace, name, uid, revision }: QueuedProcess): Promise<void> {
    try {
      const preconditions = { uid, resourceVersion: String(revision) }
      await this.#api.delete(PROCESSES, { namespace, name }, { preconditions })
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }

  /** Drops the backoff, the retries and the attempts before, which belong to an older state of the resource. */
  async #bringForward(name: { readonly namespace: string; readonly name: string }): Promise<void> {
    await this.#api.change(
      PROCESSES,
      name,
      (process) => {
        if (!isWaiting(process)) return
        const { notBefore: _, retries: __, pastAttempts: ___, ...status } = process.status as ProcessStatus
        process.status = status
      },
      { subresource: 'status' },
    )
  }

  /** Writes Progressing once for each generation. */
  async #writeProgressing(kind: HandledKind, object: KubeObject): Promise<void> {
    const { generation = 0, deletionTimestamp } = object.metadata
    const { executorType } = kind.handler
    const value = {
      reason: deletionTimestamp === undefined ? 'Reconciling' : 'Deleting',
      message: `generation ${generation} is for an executor of type ${executorType}`,
    }
    const next = (status: ReturnType<typeof statusOf>) => progressing(status, generation, value, this.#clock.now())
    const status = statusOf(object)
    if (status.observedGeneration === generation || next(status) === undefined) return
    await changeStatus(this.#api, kind, object, (current) =>
      current.observedGeneration === generation ? undefined : next(current),
    )
  }

  async #isTooLarge(kind: HandledKind, object: KubeObject, kwargs: Kwargs): Promise<boolean> {
    const size = Buffer.byteLength(writeJson(kwargs as Parameters<typeof writeJson>[0]))
    if (size <= MAX_KWARGS) return false
    const { generation: observedGeneration = 0 } = object.metadata
    const message = `it has ${size} bytes, and a Process can carry ${MAX_KWARGS}: put large values elsewhere`
    await changeStatus(this.#api, kind, object, (status) => {
      const condition = {
        type: 'Progressing',
        status: 'False',
        reason: 'TooLarge',
        message,
        observedGeneration,
      } as const
      return { ...status, conditions: setCondition(status.conditions, condition, this.#clock.now()) }
    })
    return true
  }

  #spec({ namespace, name }: QueuedProcess): ProcessSpec | undefined {
    return (this.#api.get(PROCESSES, { namespace, name }) as Process | undefined)?.spec
  }
}

function kwargsIn({ kwargs = {} }: ProcessSpec): Kwargs {
  return kwargs
}

function isWaiting({ status, metadata }: KubeObject): boolean {
  return (status as ProcessStatus | undefined)?.phase === 'Waiting' && metadata.deletionTimestamp === undefined
}
