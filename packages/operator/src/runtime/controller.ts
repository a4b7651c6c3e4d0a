// Reconciles the objects of one kind: decides what a key needs, calls the behaviour within its timeout, and writes the
// status. The dispatcher calls it with one key at a time and schedules the next reconcile.

import type { Log, Pace } from '@homeostat/base'
import type { ApiObject, Informer, InformerEvent, ObjectName } from '@homeostat/client'
import { isStatusError, milliseconds } from '@homeostat/meta'
import { gains, isOwnConcern, isWorthARun, PAUSED } from './change-worth.ts'
import type { EventSink, FightDetector, Observer } from './companions.ts'
import type { Controlled } from './controlled.ts'
import type { Dependencies } from './dependencies.ts'
import { Finalizer } from './finalizer.ts'
import type { OperatorNames } from './finalizer-name.ts'
import type { LiveCluster } from './live-cluster.ts'
import { kindKey, objectKey } from './object-key.ts'
import type { OwnedParts } from './owned-parts.ts'
import type { Behaviour, EventInput, Outcome } from './reconcile-context.ts'
import { RunContext } from './run-context.ts'
import {
  outcomeEvent,
  type RunOutcome,
  reportFights,
  reportOutcome,
  returnedOutcome,
  thrownOutcome,
} from './run-outcome.ts'
import { planRun, type RunPlan } from './run-plan.ts'
import type { StatusDraft, StatusFields } from './status-draft.ts'
import { statusShape } from './status-shape.ts'
import { StatusWriter } from './status-writer.ts'
import { TimeLimit } from './time-limit.ts'

export interface ControllerOptions {
  readonly controlled: Controlled
  readonly cluster: LiveCluster
  readonly names: OperatorNames
  readonly pace: Pace
  readonly dependencies: Dependencies
  readonly events?: EventSink | undefined
  readonly fights?: FightDetector | undefined
  readonly observer?: Observer | undefined
  /** Set when a colony assigns the objects; the controller then has no informer of its kind. */
  readonly pulled?: PulledSide | undefined
}

/** What differs for pulled objects: the colony adds their finalizer, and writes status and generation. */
export interface PulledSide {
  readonly parts: OwnedParts
}

export interface Attempt {
  readonly object: ApiObject
  readonly terminal: boolean
  /** Aborts when this process may no longer act. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Takes the wanted status instead of a write, even when it did not change. Default: the status is written. */
  readonly reportStatus?: ((status: StatusFields) => void) | undefined
}

const DEFAULT_TIMEOUT = '60s'
const DONE: RunOutcome = { result: 'success' }

export class Controller {
  readonly kind: string
  readonly controlled: Controlled
  readonly behaviour: Behaviour<ApiObject, RunContext>
  /** Undefined when the objects are pulled. */
  readonly informer: Informer<ApiObject> | undefined
  readonly resync: number | undefined
  readonly reports: boolean
  readonly #options: ControllerOptions
  readonly #timeout: number
  readonly #finalizer: Finalizer
  /** By key: the foreign finalizers that were logged as holding up a deletion. */
  readonly #waitsFor = new Map<string, string>()
  readonly #status: StatusWriter

  constructor(options: ControllerOptions) {
    const { controlled, cluster, pulled } = options
    const { apiVersion, kind, definition } = controlled
    this.#options = options
    this.controlled = controlled
    this.kind = kindKey(controlled)
    this.reports = controlled.reports ?? definition !== undefined
    this.resync = controlled.resync && options.pace.keep(milliseconds(controlled.resync), `the resync of ${kind}`)
    this.#timeout = milliseconds(controlled.timeout ?? DEFAULT_TIMEOUT)
    this.informer = pulled === undefined ? informerOf(cluster, controlled) : undefined
    const parts = pulled?.parts ?? cluster.parts
    this.#finalizer = new Finalizer({ ...options, parts, isPulled: pulled !== undefined })
    const shape = { ...statusShape(definition, apiVersion), ...(pulled && { observedGeneration: false }) }
    this.#status = new StatusWriter({ ...options, parts, shape, apiVersion, kind })
    this.behaviour = controlled.createBehaviour(cluster)
    const isNamed = definition !== undefined || pulled !== undefined
    if (this.behaviour.cleanup !== undefined && !isNamed) requireName(controlled, options.names)
  }

  keyOf(name: ObjectName): string {
    return objectKey(this.kind, name)
  }

  /** Whether a change of an object queues it. */
  isWorthARun(change: InformerEvent<ApiObject>): boolean {
    if (isOwnConcern(change)) return true
    const { name } = this.#finalizer
    const { predicate = (one: InformerEvent<ApiObject>) => isWorthARun(one, name) } = this.controlled
    if (gains(change, name) && !isWorthARun(change, name)) return false
    return predicate(change)
  }

  /** The object of the key was deleted, or replaced by another of the same name. */
  forget({ name, namespace }: ObjectName, uid: string | undefined): void {
    const key = this.keyOf({ name, namespace })
    this.#options.cluster.forget(uid)
    this.#options.dependencies.forget(key)
    this.#waitsFor.delete(key)
    this.behaviour.forget?.(namespace === undefined ? { name } : { name, namespace })
  }

  /** Never rejects. */
  async run(key: string, attempt: Attempt): Promise<RunOutcome> {
    const { object, terminal, signal } = attempt
    const cleans = this.behaviour.cleanup !== undefined
    const [held, due] = [this.#finalizer.holds(object), this.#finalizer.isDue(object)]
    const plan = planRun({ object, held, due, cleans, terminal })
    this.#logOtherFinalizers(key, attempt)
    try {
      if (plan === 'rest') return DONE
      if (plan === 'pause') return await this.#pause(attempt)
      if (plan === 'abandon' || plan === 'release') return await this.#letGo(plan, attempt)
      return await this.#callBehaviour(key, plan, attempt)
    } catch (error) {
      return signal.aborted ? { result: 'aborted', error } : { result: 'error', error }
    }
  }

  async #pause(attempt: Attempt): Promise<RunOutcome> {
    const { object } = attempt
    if (!this.reports) return DONE
    const draft = this.#status.draft(object)
    draft.setCondition('Paused', {
      status: 'True',
      reason: 'Annotation',
      message: `nothing is done while ${PAUSED} is true`,
    })
    await this.#writeStatus(object, draft, attempt)
    return DONE
  }

  /** Logs once which foreign finalizers hold up a deletion: otherwise it looks as if this operator forgot its own. */
  #logOtherFinalizers(key: string, { object, log }: Attempt): void {
    if (object.metadata.deletionTimestamp === undefined) return
    if (this.controlled.definition === undefined && this.behaviour.cleanup === undefined) return
    const finalizers = this.#finalizer.others(object)
    if (finalizers.length === 0 || this.#waitsFor.get(key) === finalizers.join()) return
    this.#waitsFor.set(key, finalizers.join())
    log.info({ finalizers }, WAITS_FOR_OTHERS)
  }

  async #letGo(plan: RunPlan, { object, signal, log }: Attempt): Promise<RunOutcome> {
    if (plan === 'abandon') {
      log.warn({}, 'the object goes without cleanup, as its annotation says')
      const message = 'the object goes without cleanup, as its annotation says; what it had outside is left behind'
      this.#options.events?.record(object, { type: 'Warning', reason: 'Abandoned', message, action: 'Cleanup' })
    }
    await this.#finalizer.remove(object, signal)
    return DONE
  }

  async #callBehaviour(key: string, plan: RunPlan, attempt: Attempt): Promise<RunOutcome> {
    const { cluster, dependencies } = this.#options
    const { object, signal, log } = attempt
    const draft = this.#status.draft(object)
    const abort = new AbortController()
    const run = new RunContext({ ...this.#options, key, object, signal: abort.signal, log, draft })
    dependencies.begin(key)
    const limit = new TimeLimit({ abort, outer: signal, timeout: this.#timeout, clock: cluster.clock })
    const working = this.#steps(plan, run)
    const outcome = limit.end(await Promise.race([working, limit.over]), working)
    run.end()
    if (outcome.result === 'aborted') return outcome
    if (outcome.result === 'success') dependencies.settle(key)
    const cleaned = plan === 'cleanup' && outcome.result === 'success' && outcome.again === undefined
    if (cleaned) {
      await this.#finalizer.remove(run.object, signal)
      return outcome
    }
    return this.#report(run, outcome, plan, attempt)
  }

  async #steps(plan: RunPlan, run: RunContext): Promise<RunOutcome> {
    const { behaviour } = this
    try {
      let returned: Outcome
      if (plan === 'cleanup') returned = await behaviour.cleanup?.(run)
      else {
        if (plan === 'adopt' && !(await this.#adopt(run))) return DONE
        returned = await behaviour.reconcile(run)
      }
      return this.#paced(returnedOutcome(returned))
    } catch (error) {
      return this.#paced(thrownOutcome(error))
    }
  }

  #paced(outcome: RunOutcome): RunOutcome {
    if (outcome.again === undefined) return outcome
    return { ...outcome, again: this.#options.pace.keep(outcome.again, this.controlled.kind) }
  }

  /** Returns false when the object is already being deleted. */
  async #adopt(run: RunContext): Promise<boolean> {
    const isHeld = this.#finalizer.holds(run.object)
    if (!isHeld && this.behaviour.needsCleanup && !(await this.behaviour.needsCleanup(run))) return true
    const withIt = await this.#finalizer.add(run.object, run.signal)
    if (withIt === undefined) return false
    run.renew(withIt)
    return true
  }

  async #report(run: RunContext, outcome: RunOutcome, plan: RunPlan, attempt: Attempt): Promise<RunOutcome> {
    const { draft, fights } = run
    const { signal, log } = attempt
    let event: EventInput | undefined
    // A conflict is not reported: another writer was first, and the retry reads its write.
    if (this.reports && !isStatusError(outcome.error, 'Conflict')) {
      const work = plan === 'cleanup' ? 'Cleanup' : 'Reconcile'
      reportOutcome(draft, outcome, work)
      reportFights(draft, fights)
      event = outcomeEvent(draft, outcome, work)
    }
    const soonest = Math.min(outcome.again ?? Number.POSITIVE_INFINITY, ...fights.map(({ fight }) => fight.lookAgain))
    const whole = Number.isFinite(soonest) ? { ...outcome, again: soonest } : outcome
    try {
      await this.#writeStatus(run.object, draft, attempt)
    } catch (error) {
      if (outcome.result !== 'error') return signal.aborted ? { result: 'aborted', error } : { result: 'error', error }
      log.warn({ err: error }, 'the status could not be written')
    }
    if (event !== undefined) run.event(event)
    return whole
  }

  async #writeStatus(object: ApiObject, draft: StatusDraft, { signal, reportStatus }: Attempt): Promise<void> {
    if (reportStatus === undefined) await this.#status.write(object, draft, signal)
    else if (draft.differs || Object.keys(draft.wanted).length > 0) reportStatus(draft.wanted)
  }
}

/** A default name depends on the order of kinds; when that changes, the old finalizer would stay on every object. */
function requireName({ apiVersion, kind }: Controlled, { isGiven, fieldManager }: OperatorNames): void {
  if (isGiven) return
  throw new Error(
    `the finalizer of ${apiVersion} ${kind}, which this operator does not define, is called after the operator: give it a ` +
      `name that never changes, e.g. run(..., { name: 'shop-operator' }). Objects that have a finalizer of this operator ` +
      `already, which was called ${fieldManager}, need formerNames: ['${fieldManager}'] as well`,
  )
}

const WAITS_FOR_OTHERS =
  'the object is being deleted and waits for finalizers of others; if one of them is this operator’s from a time when it ' +
  'had another name, list that name in formerNames'

function informerOf({ caches }: LiveCluster, controlled: Controlled): Informer<ApiObject> {
  const { select } = controlled
  return select === undefined ? caches.main(controlled) : caches.selected(controlled, select)
}
