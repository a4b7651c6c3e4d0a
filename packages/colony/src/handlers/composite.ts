// Reconciles composite resources: creates their components as children and sets Ready when all of these are ready. The
// colony does that itself, without a Process, since all of it happens inside the server.

import type { Api } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { HANDLER_FINALIZER } from '@homeostat/executor/protocol'
import { type Condition, type KubeObject, setCondition } from '@homeostat/meta'
import { type RunTrigger, runNote } from '@homeostat/meta/events'
import { statusWrites } from './apply-outcome.ts'
import { componentsReady, planComponents, type Verdict } from './composite-plan.ts'
import type { HandledKind } from './handled-kind.ts'
import type { HandledKinds } from './handled-kinds.ts'
import type { EventTaker } from './handling.ts'
import { letGo } from './release.ts'
import type { ResourceChildren } from './resource-children.ts'
import { changeStatus } from './resource-status.ts'

export interface CompositeParts {
  readonly api: Api
  readonly clock: Clock
  readonly kinds: HandledKinds
  readonly children: ResourceChildren
  readonly events: EventTaker
}

/** Throws when a child cannot be applied now, so that the control loop retries. */
export async function reconcileComposite(parts: CompositeParts, kind: HandledKind, object: KubeObject): Promise<void> {
  const { api, clock, kinds, children, events } = parts
  const { generation = 0, deletionTimestamp, finalizers } = object.metadata
  if (finalizers?.includes(HANDLER_FINALIZER)) await letGo(api, kind.resource, object)
  // The garbage collector deletes its children.
  if (deletionTimestamp !== undefined) return
  const plan = planComponents(object, (name, group) => kinds.named(name, group))
  const made = await children.apply(object, plan.children, {
    // A user who removes components from the list wants them deleted, however many they are.
    prune: plan.resolved.status === 'True' ? { share: 1 } : false,
    record: async () => {},
  })
  const problem = made.problems.join('; ')
  const ready: Verdict = problem
    ? { status: 'False', reason: 'ChildrenFailed', message: problem }
    : componentsReady(
        made.children.map((child) => child.object),
        plan.resolved,
      )
  const settled: Verdict = { ...ready, status: ready.status === 'True' ? 'False' : 'True' }
  const updated = await changeStatus(api, kind, object, (status) => {
    const news = { ComponentsResolved: plan.resolved, Ready: ready, Progressing: settled }
    let conditions: readonly Condition[] = status.conditions ?? []
    for (const [type, verdict] of Object.entries(news)) {
      conditions = setCondition(conditions, { type, ...verdict, observedGeneration: generation }, clock.now())
    }
    const { inventory: _, ...rest } = status
    const inventory = made.inventory.length > 0 && { inventory: made.inventory }
    return { ...rest, observedGeneration: generation, conditions, ...inventory }
  })
  const writes = [...made.writes, ...statusWrites(object, updated)]
  if (writes.length > 0) {
    const run = { triggers: [ownTrigger(object)], writes }
    events.record(object, { reason: 'Reconciled', message: runNote(run), run })
  }
  if (problem) throw new Error(problem)
}

/** The loop holds keys alone: which of the two it was is not known. */
function ownTrigger({ apiVersion, kind, metadata }: KubeObject): RunTrigger {
  const { name = '', namespace, resourceVersion, generation } = metadata
  return {
    text: 'it or one of its components changed',
    object: { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) },
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(generation !== undefined && { generation }),
  }
}
