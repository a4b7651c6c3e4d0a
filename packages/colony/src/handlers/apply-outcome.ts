// Applies the outcome of an attempt to its resource, behind the fence of the Process: status, children, and the removal of
// the finalizer. It is idempotent, since a response can be lost and the executor then sends the close again.

import type { Api, User } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { Process, ProcessOutcome } from '@homeostat/executor/protocol'
import { type Condition, isStatusError, type KubeObject } from '@homeostat/meta'
import type { RunWrite } from '@homeostat/meta/events'
import type { ObjectRef } from '@homeostat/operator'
import type { HandledKind } from './handled-kind.ts'
import type { HandledKinds } from './handled-kinds.ts'
import type { AppliedOutcome, ResourceProcesses } from './handling.ts'
import { Hold } from './hold.ts'
import {
  type AttemptOutcome,
  attemptOutcomeOf,
  executorStatus,
  type ResourceStatus,
  statusAfterAttempt,
} from './outcome-status.ts'
import { resourceOf } from './process-manifest.ts'
import { letGo } from './release.ts'
import type { ResourceChildren } from './resource-children.ts'
import {
  applyExecutorStatus,
  changeStatus,
  colonyRecordsChildren,
  isReadyByExecutor,
  nameOf,
  statusOf,
} from './resource-status.ts'

export interface OutcomeApplierParts {
  readonly api: Api
  readonly clock: Clock
  readonly kinds: HandledKinds
  readonly children: ResourceChildren
  readonly processes: ResourceProcesses
}

interface HandledAttempt {
  readonly kind: HandledKind
  readonly object: KubeObject
  readonly generation: number
  readonly deleting: boolean
  readonly periodic: boolean
}

const KEPT: AppliedOutcome = { keep: true }

export class OutcomeApplier {
  readonly #parts: OutcomeApplierParts

  constructor(parts: OutcomeApplierParts) {
    this.#parts = parts
  }

  async apply(process: Process, outcome: ProcessOutcome, user: User): Promise<AppliedOutcome> {
    const attempt = this.#attemptOf(process)
    if (attempt === undefined) return KEPT
    const attemptOutcome = attemptOutcomeOf(outcome)
    if (attemptOutcome === undefined) {
      // A Process that a user cancelled makes room for the next one. One that ended as cancelled by itself is retried.
      return process.spec.cancel
        ? KEPT
        : this.#refused(attempt, 'Cancelled', ['it ended as cancelled, and nobody had asked'])
    }
    const applied =
      attemptOutcome.result === 'Failed'
        ? await this.#failed(attempt, outcome, attemptOutcome)
        : await this.#succeeded(attempt, outcome, user)
    const waitsAgain = applied.errors !== undefined || outcome.requeueAfter !== undefined || isRetried(attemptOutcome)
    // Another Process with the newer state of the resource waits already, and there must not be two.
    return waitsAgain && this.#isSuperseded(process) ? { ...applied, keep: false } : applied
  }

  /** Undefined when the resource was deleted, or was created again since: then there is nothing to apply. */
  #attemptOf(process: Process): HandledAttempt | undefined {
    const { api, kinds } = this.#parts
    const target = resourceOf(process)
    const [kind] = target ? kinds.named(target.kind, target.group) : []
    if (target === undefined || kind === undefined) return undefined
    const { name, uid, generation, deleting, trigger } = target
    const object = api.get(kind.resource, name)
    if (object?.metadata.uid !== uid) return undefined
    return { kind, object: object as KubeObject, generation, deleting, periodic: trigger === 'interval' }
  }

  #isSuperseded({ metadata, spec }: Process): boolean {
    const { waiting } = this.#parts.processes.of(metadata.namespace ?? '', spec.concurrencyKey ?? '')
    return waiting !== undefined && waiting.name !== metadata.name
  }

  async #failed(
    attempt: HandledAttempt,
    outcome: ProcessOutcome,
    attemptOutcome: AttemptOutcome,
  ): Promise<AppliedOutcome> {
    const executor = await this.#applyReportedStatus(attempt, outcome.status)
    const ownReady = executor.ready && outcome.status !== undefined
    await this.#writeColonyStatus(attempt, attemptOutcome, ownReady, executor.conditions)
    return KEPT
  }

  async #succeeded(attempt: HandledAttempt, outcome: ProcessOutcome, user: User): Promise<AppliedOutcome> {
    const { object, kind, deleting } = attempt
    const made = outcome.children && !deleting ? await this.#applyChildren(attempt, outcome.children, user) : undefined
    if (made && made.problems.length > 0) return this.#refused(attempt, 'ChildrenFailed', made.problems)
    const executor = await this.#applyReportedStatus(attempt, outcome.status, made?.inventory)
    if (executor.problem !== undefined) return this.#refused(attempt, 'InvalidStatus', [executor.problem])
    if (deleting) {
      // The executor asks for another attempt, so the cleanup is not complete.
      if (outcome.requeueAfter !== undefined) return KEPT
      await this.#parts.children.removeForeign(object)
      await letGo(this.#parts.api, kind.resource, object, new Hold(kind.handler))
      return KEPT
    }
    const updated = await this.#writeColonyStatus(
      attempt,
      { result: 'Succeeded' },
      executor.ready,
      executor.conditions,
      made?.inventory,
    )
    const changed = made?.changed || updated?.metadata.resourceVersion !== object.metadata.resourceVersion
    const writes = [...(made?.writes ?? []), ...statusWrites(object, updated)]
    return {
      keep: changed || !attempt.periodic || outcome.requeueAfter !== undefined,
      ...(writes.length > 0 && { writes }),
    }
  }

  /** The attempt counts as failed and is retried. */
  async #refused(attempt: HandledAttempt, reason: string, errors: readonly string[]): Promise<AppliedOutcome> {
    const message = errors[0] ?? ''
    await this.#writeColonyStatus(attempt, { result: 'Failed', again: true, reason, message }, false)
    return { keep: true, errors }
  }

  /** Returns whether Ready is the executor's own, and the conditions that the colony has to write for it. */
  async #applyReportedStatus(attempt: HandledAttempt, reported: unknown, inventory?: readonly ObjectRef[]) {
    const { kind, object } = attempt
    if (reported === undefined) return { ready: isReadyByExecutor(object) }
    const status = executorStatus(reported, statusOf(object), this.#parts.clock.now())
    if (typeof status === 'string') return { ready: false, problem: status }
    if (inventory !== undefined || colonyRecordsChildren(object)) delete status.inventory
    const all = (status.conditions ?? []) as readonly Condition[]
    if (!kind.sharesConditions) delete status.conditions
    try {
      await applyExecutorStatus(this.#parts.api, kind, object, status)
    } catch (error) {
      // The resource was deleted, or created again, a moment ago.
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict')) return { ready: false }
      if (!isStatusError(error, 'Invalid') && !isStatusError(error, 'BadRequest')) throw error
      return { ready: false, problem: error.message }
    }
    const ready = all.some(({ type }) => type === 'Ready')
    return kind.sharesConditions ? { ready } : { ready, conditions: all }
  }

  #writeColonyStatus(
    { kind, object, generation: attemptedGeneration }: HandledAttempt,
    attemptOutcome: AttemptOutcome,
    ownReady: boolean,
    conditions: readonly Condition[] = [],
    inventory?: readonly ObjectRef[],
  ): Promise<KubeObject | undefined> {
    const { api, clock } = this.#parts
    return changeStatus(api, kind, object, (before, current) => {
      const status = withInventory(withConditions(before, conditions), inventory)
      const { generation = 0 } = current.metadata
      return statusAfterAttempt(
        status,
        { outcome: attemptOutcome, attemptedGeneration, generation, ownReady },
        clock.now(),
      )
    })
  }

  #applyChildren({ kind, object }: HandledAttempt, children: NonNullable<ProcessOutcome['children']>, user: User) {
    const { api } = this.#parts
    const record = async (inventory: readonly ObjectRef[]) => {
      await changeStatus(api, kind, object, (status) => withInventory(status, inventory))
    }
    return this.#parts.children.apply(object, children, { record }, user)
  }
}

/** The write of the resource's status, if there was one. */
export function statusWrites(before: KubeObject, after: KubeObject | undefined): readonly RunWrite[] {
  const { resourceVersion } = after?.metadata ?? {}
  if (after === undefined || resourceVersion === before.metadata.resourceVersion) return []
  const { apiVersion, kind } = after
  return [{ did: 'status', object: { apiVersion, kind, ...nameOf(after) }, resourceVersion }]
}

function isRetried(attemptOutcome: AttemptOutcome): boolean {
  return attemptOutcome.result === 'Failed' && attemptOutcome.again
}

/** Each condition replaces the one of its type. */
function withConditions(status: ResourceStatus, conditions: readonly Condition[]): ResourceStatus {
  if (conditions.length === 0) return status
  const byType = new Map([...(status.conditions ?? []), ...conditions].map((one) => [one.type, one]))
  return { ...status, conditions: [...byType.values()] }
}

function withInventory(status: ResourceStatus, inventory: readonly ObjectRef[] | undefined): ResourceStatus {
  if (inventory === undefined) return status
  const { inventory: before, ...rest } = status
  if (inventory.length === 0) return before === undefined ? status : rest
  return { ...status, inventory }
}
