// Reconciles an object with an author's function: builds its context, applies the children it returned, prunes the rest
// and writes the status. The runtime calls it, one key at a time; it keeps nothing per key but parsed specs.

import type { ApiObject } from '@homeostat/client'
import { acceptedSpec, SpecCache } from '../definition/accepted-spec.ts'
import { parseSpec } from '../definition/parse-spec.ts'
import type { SpecSchema, StatusSchema } from '../resources/custom-resource-types.ts'
import { INVENTORY, readInventory, writeInventory } from '../resources/inventory.ts'
import type { Cluster } from '../runtime/cluster.ts'
import { refOf, shownRef } from '../runtime/object-key.ts'
import { terminal } from '../runtime/outcome.ts'
import { isForeign } from '../runtime/owner-scope.ts'
import type { Behaviour, Duration, ObjectRef, Outcome } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { isEnsuredSecret } from '../secrets/ensured-secret.ts'
import type { Children } from './child.ts'
import { ChildSet, handleOf } from './child-set.ts'
import type { Context, FinalizeContext } from './context.ts'
import type { FunctionalOutcome, FunctionalResult } from './functional-outcome.ts'
import { finalizeContext, runContext } from './make-context.ts'
import { type Parent, parentOf } from './ownership.ts'
import { prune, removeForeign } from './prune.ts'
import type { PruneGuard } from './prune-plan.ts'
import { Recording } from './recording.ts'
import { reportChildren, secretStates } from './report-children.ts'
import { statusFields } from './status-fields.ts'

export interface FunctionalOptions {
  readonly cluster: Cluster
  readonly spec: SpecSchema
  readonly status: StatusSchema
  reconcile(context: Context): FunctionalOutcome<undefined> | Promise<FunctionalOutcome<undefined>>
  readonly finalize?: ((context: FinalizeContext) => Outcome | Promise<Outcome>) | undefined
  readonly pruneGuard: PruneGuard | false
  readonly parallel: number
}

/** Limit on children: the inventory in the status must stay small enough to store. */
const MAX_CHILDREN = 2000

export class FunctionalBehaviour implements Behaviour<ApiObject, RunContext> {
  readonly #options: FunctionalOptions
  readonly #specs = new SpecCache()
  readonly #recording = new Recording()
  /** Kept in a field, since compiling the schema costs more than everything else about a status. */
  readonly #partialStatus: StatusSchema

  constructor(options: FunctionalOptions) {
    this.#options = options
    this.#partialStatus = options.status?.partial()
  }

  async reconcile(run: RunContext): Promise<Outcome> {
    const { cluster, parallel } = this.#options
    const parent = parentOf(run.object)
    const recorded = recordedBy(run)
    const spec = acceptedSpec(run, { spec: this.#options.spec }, this.#specs)
    const children = new ChildSet({ run, cluster, parent, recorded, parallel })
    try {
      return await this.#work(run, parent, recorded, children, spec)
    } finally {
      if (this.#recording.isDue(parent.uid, children.unrecorded)) {
        cluster.queue(refOf(run.object), 'its children are on record')
      }
    }
  }

  /** Without a `finalize`, only children that garbage collection cannot reach need the finalizer. */
  async needsCleanup(run: RunContext): Promise<boolean> {
    if (this.#options.finalize) return true
    const parent = parentOf(run.object)
    return recordedBy(run).some((ref) => isForeign(parent, ref))
  }

  async cleanup(run: RunContext): Promise<Outcome> {
    const { finalize } = this.#options
    const outcome = await finalize?.(finalizeContext(run, () => this.#specToFinalize(run)))
    if (outcome?.requeueAfter !== undefined) return outcome
    await removeForeign(run, parentOf(run.object), recordedBy(run))
    return undefined
  }

  async #work(
    run: RunContext,
    parent: Parent,
    recorded: readonly ObjectRef[],
    children: ChildSet,
    spec: unknown,
  ): Promise<Outcome> {
    const { cluster, pruneGuard } = this.#options
    const ready = run.conditions.get('Ready')
    let asked: Duration | undefined
    const onRequeue = (after: Duration) => {
      asked = after
    }
    let returned: FunctionalResult<undefined>
    let fields: Readonly<Record<string, unknown>>
    try {
      await children.observe()
      const context = runContext({ run, cluster, parent, children, spec, onRequeue })
      returned = readOutcome(await this.#options.reconcile(context))
      fields = statusFields(this.#options.status, returned.status, this.#partialStatus)
      settleAll(children, returned.children ?? [])
    } catch (error) {
      await children.all()
      // A reconcile that failed removes nothing from the inventory, and adds what it created.
      record(run, [...recorded, ...children.claimed])
      throw error
    }
    const settled = await children.all()
    const failed = settled.filter((child) => child.error !== undefined)
    const complete = failed.length === 0 && !children.unrecorded
    const wanted = children.claimed
    const kept = complete ? await prune(run, parent, recorded, wanted, pruneGuard) : recorded
    run.setStatus(fields)
    record(run, [...wanted, ...kept])
    const states = [...settled, ...secretStates(wanted, settled)]
    reportChildren(run, parent, { states, before: recorded, ready })
    for (const { error, ref } of failed.slice(1)) run.log.warn({ err: error, ref }, 'a child could not be applied')
    if (failed[0]) throw failed[0].error
    const requeueAfter = returned.requeueAfter ?? asked
    return requeueAfter === undefined ? undefined : { requeueAfter }
  }

  #specToFinalize(run: RunContext): unknown {
    const parsed = parseSpec(this.#options.spec, (run.object as { spec?: unknown }).spec)
    if (parsed.ok) return parsed.value
    const problems = parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('; ')
    throw terminal(new Error(`it cannot be finalized with a spec that is not valid: ${problems}`), 'InvalidSpec')
  }
}

function readOutcome(outcome: FunctionalOutcome<undefined>): FunctionalResult<undefined> {
  if (!outcome) return {}
  return Array.isArray(outcome) ? { children: outcome as Children } : (outcome as FunctionalResult<undefined>)
}

/** Starts to apply all children. Secrets are skipped: they exist already. */
function settleAll(children: ChildSet, wanted: Children): void {
  const handles = wanted.flatMap((child) => (child && !isEnsuredSecret(child) ? [handleOf(child)] : []))
  if (handles.length > MAX_CHILDREN) {
    throw terminal(new Error(`${handles.length} children are more than the ${MAX_CHILDREN} that one object can have`))
  }
  const forgotten = children.forgotten(handles)
  if (forgotten.length > 0) {
    const problem = `${forgotten.map(shownRef).join(', ')}: child() describes it, and the function does not return it. Return it, or do not call child() for it`
    throw terminal(new Error(problem), 'ChildNotReturned')
  }
  for (const handle of handles) void children.settle(handle)
}

function recordedBy(run: RunContext): ObjectRef[] {
  return readInventory((run.object as { status?: unknown }).status)
}

function record(run: RunContext, refs: readonly ObjectRef[]): void {
  const before = recordedBy(run)
  if (before.length === 0 && refs.length === 0) return
  run.patchStatus({ [INVENTORY]: refs.length > 0 ? writeInventory(refs) : undefined })
}
