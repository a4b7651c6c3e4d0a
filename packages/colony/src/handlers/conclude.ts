// Carries out what the outcome of a run says about its resource, behind the fence of the Process: status, children, and the
// removal of the finalizer. It is idempotent, since a response can be lost and the close be sent again.

import type { Api } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { Process, ProcessOutcome } from '@homeostat/executor/protocol'
import { type Condition, isStatusError, type KubeObject } from '@homeostat/meta'
import type { ObjectRef } from '@homeostat/operator'
import { concludedStatus, executorStatus, type ResourceStatus, type RunOutcome, runOutcomeOf } from './conclude-plan.ts'
import type { HandledKind } from './handled-kind.ts'
import type { HandledKinds } from './handled-kinds.ts'
import type { Conclusion, ResourceProcesses } from './handling.ts'
import { Hold } from './hold.ts'
import { resourceOf } from './process-manifest.ts'
import { letGo } from './release.ts'
import type { ResourceChildren } from './resource-children.ts'
import {
  applyExecutorStatus,
  changeStatus,
  colonyRecordsChildren,
  executorSaysReady,
  statusOf,
} from './resource-status.ts'

export interface ConcludeParts {
  readonly api: Api
  readonly clock: Clock
  readonly kinds: HandledKinds
  readonly children: ResourceChildren
  readonly processes: ResourceProcesses
}

interface Run {
  readonly kind: HandledKind
  readonly object: KubeObject
  readonly generation: number
  readonly deleting: boolean
  readonly periodic: boolean
}

const KEPT: Conclusion = { keep: true }

export class Concluder {
  readonly #parts: ConcludeParts

  constructor(parts: ConcludeParts) {
    this.#parts = parts
  }

  async conclude(process: Process, outcome: ProcessOutcome): Promise<Conclusion> {
    const run = this.#runOf(process)
    if (run === undefined) return KEPT
    const runOutcome = runOutcomeOf(outcome)
    if (runOutcome === undefined) {
      // One that was to end makes room for the next, which comes at once; one that nobody asked to end is tried again.
      return process.spec.cancel
        ? KEPT
        : this.#refused(run, 'Cancelled', ['it ended as cancelled, and nobody had asked'])
    }
    const conclusion =
      runOutcome.result === 'Failed'
        ? await this.#failed(run, outcome, runOutcome)
        : await this.#succeeded(run, outcome)
    const waitsAgain = conclusion.errors !== undefined || outcome.requeueAfter !== undefined || isRetried(runOutcome)
    // It would be a second one that waits; the other has the newer state of the resource.
    return waitsAgain && this.#isSuperseded(process) ? { ...conclusion, keep: false } : conclusion
  }

  /** Undefined when the resource is gone, or is another by now: then there is nothing to say. */
  #runOf(process: Process): Run | undefined {
    const { api, kinds } = this.#parts
    const target = resourceOf(process)
    const [kind] = target ? kinds.named(target.kind, target.group) : []
    if (target === undefined || kind === undefined) return undefined
    const { name, uid, generation, deleting, cause } = target
    const object = api.get(kind.resource, name)
    if (object?.metadata.uid !== uid) return undefined
    return { kind, object: object as KubeObject, generation, deleting, periodic: cause === 'interval' }
  }

  #isSuperseded({ metadata, spec }: Process): boolean {
    const { waiting } = this.#parts.processes.of(metadata.namespace ?? '', spec.concurrencyKey ?? '')
    return waiting !== undefined && waiting.name !== metadata.name
  }

  async #failed(run: Run, outcome: ProcessOutcome, runOutcome: RunOutcome): Promise<Conclusion> {
    const said = await this.#executorSays(run, outcome.status)
    const ownReady = said.ready && outcome.status !== undefined
    await this.#colonySays(run, runOutcome, ownReady, said.conditions)
    return KEPT
  }

  async #succeeded(run: Run, outcome: ProcessOutcome): Promise<Conclusion> {
    const { object, kind, deleting } = run
    const made = outcome.children && !deleting ? await this.#applyChildren(run, outcome.children) : undefined
    if (made && made.problems.length > 0) return this.#refused(run, 'ChildrenFailed', made.problems)
    const said = await this.#executorSays(run, outcome.status, made?.inventory)
    if (said.problem !== undefined) return this.#refused(run, 'InvalidStatus', [said.problem])
    if (deleting) {
      // What asks to be run again has not outcome.
      if (outcome.requeueAfter !== undefined) return KEPT
      await this.#parts.children.removeForeign(object)
      await letGo(this.#parts.api, kind.resource, object, new Hold(kind.handler))
      return KEPT
    }
    const told = await this.#colonySays(run, { result: 'Succeeded' }, said.ready, said.conditions, made?.inventory)
    const changed = made?.changed || told?.metadata.resourceVersion !== object.metadata.resourceVersion
    return { keep: changed || !run.periodic || outcome.requeueAfter !== undefined }
  }

  /** The run counts as failed, and is tried again. */
  async #refused(run: Run, reason: string, errors: readonly string[]): Promise<Conclusion> {
    const message = errors[0] ?? ''
    await this.#colonySays(run, { result: 'Failed', again: true, reason, message }, false)
    return { keep: true, errors }
  }

  /** Answers whether Ready is the executor's own, and conditions that have to go through the colony. */
  async #executorSays(run: Run, said: unknown, inventory?: readonly ObjectRef[]) {
    const { kind, object } = run
    if (said === undefined) return { ready: executorSaysReady(object) }
    const status = executorStatus(said, statusOf(object), this.#parts.clock.now())
    if (typeof status === 'string') return { ready: false, problem: status }
    if (inventory !== undefined || colonyRecordsChildren(object)) delete status.inventory
    const all = (status.conditions ?? []) as readonly Condition[]
    if (!kind.sharesConditions) delete status.conditions
    try {
      await applyExecutorStatus(this.#parts.api, kind, object, status)
    } catch (error) {
      // It went, or was made anew, a moment ago.
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict')) return { ready: false }
      if (!isStatusError(error, 'Invalid') && !isStatusError(error, 'BadRequest')) throw error
      return { ready: false, problem: error.message }
    }
    const ready = all.some(({ type }) => type === 'Ready')
    return kind.sharesConditions ? { ready } : { ready, conditions: all }
  }

  #colonySays(
    { kind, object, generation: ran }: Run,
    runOutcome: RunOutcome,
    ownReady: boolean,
    conditions: readonly Condition[] = [],
    inventory?: readonly ObjectRef[],
  ): Promise<KubeObject | undefined> {
    const { api, clock } = this.#parts
    return changeStatus(api, kind, object, (before, current) => {
      const status = withInventory(withConditions(before, conditions), inventory)
      const { generation = 0 } = current.metadata
      return concludedStatus(status, { runOutcome, ran, generation, ownReady }, clock.now())
    })
  }

  #applyChildren({ kind, object }: Run, children: NonNullable<ProcessOutcome['children']>) {
    const { api } = this.#parts
    const record = async (inventory: readonly ObjectRef[]) => {
      await changeStatus(api, kind, object, (status) => withInventory(status, inventory))
    }
    return this.#parts.children.apply(object, children, { record })
  }
}

function isRetried(runOutcome: RunOutcome): boolean {
  return runOutcome.result === 'Failed' && runOutcome.again
}

/** Each takes the place of the one of its type. */
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
