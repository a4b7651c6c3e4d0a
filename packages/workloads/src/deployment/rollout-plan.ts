// Decides the next step of a deployment's rollout, as Kubernetes does. Pure: state in, actions and status out.
// `deployment-controller.ts` carries the actions out and plans again after a change.

import { deepEqual } from '@homeostat/meta'
import type { Deployment, DeploymentStatus, ReplicaSet, WorkloadCondition } from '../kinds.ts'
import { controllerReference } from '../ownership/claim-plan.ts'
import {
  deadlineAt,
  deploymentStatus,
  hasDeadline,
  isComplete,
  progressing,
  withCondition,
  withPause,
  withProgress,
  withReplicaFailure,
} from './deployment-status.ts'
import { currentAnnotations, desiredOf, newestRevision, REVISION, revisionOf, sizeAnnotations } from './revisions.ts'
import { isRecreate, type RolloutBounds, rolloutBounds } from './rollout-bounds.ts'
import { byAge, draftOf, grownSize, rescale, type SizeDraft, shrinkOthers, total } from './rollout-sizes.ts'
import { HASH_LABEL, sameTemplate, templateHash } from './template-hash.ts'

export interface RolloutState {
  readonly deployment: Deployment
  /** The replica sets of the deployment. */
  readonly sets: readonly ReplicaSet[]
  /** Whether this set still has pods that have not ended. */
  readonly hasPods: (set: ReplicaSet) => boolean
  readonly now: number
}

export type RolloutAction =
  | { readonly do: 'create'; readonly set: ReplicaSet }
  | {
      readonly do: 'change'
      readonly set: ReplicaSet
      readonly replicas?: number
      readonly minReadySeconds?: number
      readonly annotations?: Readonly<Record<string, string>>
    }
  | { readonly do: 'delete'; readonly set: ReplicaSet }
  /** Writes the revision into the deployment itself. */
  | { readonly do: 'number'; readonly revision: string }

export interface RolloutPlan {
  readonly actions: readonly RolloutAction[]
  readonly status: DeploymentStatus
  /** When to reconcile again even if nothing changes. */
  readonly requeueAfterMs?: number
}

export function planRollout(state: RolloutState): RolloutPlan {
  const { deployment, sets, now } = state
  const bounds = rolloutBounds(deployment)
  const going = deployment.metadata.deletionTimestamp !== undefined
  const existing = currentSet(deployment, sets)
  const others = sets.filter((set) => set !== existing).map(draftOf)
  const before = withPause(deployment, deployment.status?.conditions ?? [], now)
  if (going) return settled(state, bounds, existing ? [...others, draftOf(existing)] : others, existing, before)

  const revision = newestRevision(others.map(({ set }) => set)) + 1
  const isRescale = deployment.spec?.paused === true || sets.some((set) => isOutsized(set, bounds))
  const making = !existing && !isRescale && !(isRecreate(deployment) && mustEmpty(state, others))
  const made = making ? newSet(deployment, revision) : undefined
  const current = existing ? draftOf(existing) : made && draftOf(made)
  if (isRescale) {
    const podsBefore = deployment.status?.replicas ?? 0
    rescale(current, others, bounds, { rolling: !isRecreate(deployment), podsBefore })
  } else if (isRecreate(deployment)) recreate(state, current, others, bounds)
  else if (current) roll(current, others, bounds)

  const drafts = current ? [...others, current] : others
  const conditions = current ? withNewSet(deployment, before, current.set, made !== undefined, now) : before
  const plan = isRescale
    ? settled(state, bounds, drafts, existing, conditions)
    : progressed(state, bounds, drafts, current?.set, conditions)
  const cleaned = deployment.spec?.paused || isComplete(deployment, plan.status) ? outdated(deployment, others) : []
  const actions = [
    ...(current ? currentActions(deployment, current, made, revision, bounds) : []),
    ...others.flatMap((draft) => sizeActions(draft, bounds)),
    ...cleaned.map((set) => ({ do: 'delete' as const, set })),
  ]
  return { ...plan, actions }
}

/** The oldest one with the deployment's template: two can have the same after a change of defaults. */
export function currentSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return sets.toSorted(byAge).find((set) => sameTemplate(set.spec?.template, deployment.spec?.template))
}

function isOutsized(set: ReplicaSet, { replicas }: RolloutBounds): boolean {
  const desired = desiredOf(set)
  return (set.spec?.replicas ?? 1) > 0 && desired !== undefined && desired !== replicas
}

/** Whether a Recreate rollout still waits for old pods. */
function mustEmpty({ hasPods }: RolloutState, others: readonly SizeDraft[]): boolean {
  return others.some(({ set, size }) => size > 0 || hasPods(set))
}

function recreate(
  state: RolloutState,
  current: SizeDraft | undefined,
  others: readonly SizeDraft[],
  bounds: RolloutBounds,
): void {
  const waiting = mustEmpty(state, others)
  for (const draft of others) draft.size = 0
  if (current && !waiting) current.size = bounds.replicas
}

/** One step at a time: sizes are reduced only if none was increased. */
function roll(current: SizeDraft, others: readonly SizeDraft[], bounds: RolloutBounds): void {
  const size = grownSize(current, [...others, current], bounds)
  if (size !== current.size) current.size = size
  else shrinkOthers(current, others, bounds)
}

function newSet(deployment: Deployment, revision: number): ReplicaSet {
  const { template = {}, selector = {}, minReadySeconds } = deployment.spec ?? {}
  const hash = templateHash(template, deployment.status?.collisionCount)
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash }
  const { name, namespace } = deployment.metadata
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      labels,
      annotations: currentAnnotations(deployment, undefined, revision),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

function withNewSet(
  deployment: Deployment,
  conditions: readonly WorkloadCondition[],
  set: ReplicaSet,
  isMade: boolean,
  now: number,
): WorkloadCondition[] {
  if (!hasDeadline(deployment)) return [...conditions]
  const name = `replica set "${set.metadata.name}"`
  if (isMade) return withCondition(conditions, progressing('True', 'NewReplicaSetCreated', `Created new ${name}`), now)
  if (conditions.some(({ type }) => type === 'Progressing')) return [...conditions]
  return withCondition(conditions, progressing('True', 'FoundNewReplicaSet', `Found ${name}`), now)
}

function currentActions(
  deployment: Deployment,
  current: SizeDraft,
  made: ReplicaSet | undefined,
  revision: number,
  bounds: RolloutBounds,
): RolloutAction[] {
  if (made) {
    const annotations = { ...made.metadata.annotations, ...sizeAnnotations(bounds) }
    const set = { ...made, metadata: { ...made.metadata, annotations }, spec: { ...made.spec, replicas: current.size } }
    return [{ do: 'create', set }, ...numberAction(deployment, revision)]
  }
  const annotations = currentAnnotations(deployment, current.set, revision)
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0
  const isReady = (current.set.spec?.minReadySeconds ?? 0) === minReadySeconds
  const [sized] = sizeActions(current, bounds)
  const isNumbered = deepEqual(annotations, current.set.metadata.annotations ?? {})
  const changed: RolloutAction[] = []
  if (sized || !isReady || !isNumbered) {
    changed.push({
      do: 'change',
      set: current.set,
      ...sized,
      annotations: { ...annotations, ...(sized?.do === 'change' && sized.annotations) },
      ...(!isReady && { minReadySeconds }),
    })
  }
  return [...changed, ...numberAction(deployment, Math.max(revision, revisionOf(current.set)))]
}

function numberAction(deployment: Deployment, revision: number): RolloutAction[] {
  const text = String(revision)
  return deployment.metadata.annotations?.[REVISION] === text ? [] : [{ do: 'number', revision: text }]
}

/** The size, with an annotation of the wanted size, so that a later change of that can be told from a rollout. */
function sizeActions({ set, size }: SizeDraft, bounds: RolloutBounds): Extract<RolloutAction, { do: 'change' }>[] {
  const before = set.spec?.replicas ?? 1
  const annotations = sizeAnnotations(bounds)
  const isNoted = Object.entries(annotations).every(([key, value]) => set.metadata.annotations?.[key] === value)
  if (before === size && (isNoted || size === 0)) return []
  return [{ do: 'change', set, ...(before !== size && { replicas: size }), annotations }]
}

/** Old sets beyond revisionHistoryLimit, the oldest first. */
function outdated(deployment: Deployment, others: readonly SizeDraft[]): ReplicaSet[] {
  const limit = deployment.spec?.revisionHistoryLimit
  if (limit === undefined || limit === null) return []
  const alive = others.filter(({ set }) => set.metadata.deletionTimestamp === undefined)
  const tooMany = alive
    .toSorted((a, b) => revisionOf(a.set) - revisionOf(b.set))
    .slice(0, Math.max(0, alive.length - limit))
  return tooMany
    .filter(({ set, size }) => {
      const isSeen = (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0)
      return size === 0 && (set.spec?.replicas ?? 1) === 0 && (set.status?.replicas ?? 0) === 0 && isSeen
    })
    .map(({ set }) => set)
}

function settled(
  { deployment, now }: RolloutState,
  bounds: RolloutBounds,
  drafts: readonly SizeDraft[],
  current: ReplicaSet | undefined,
  conditions: readonly WorkloadCondition[],
): RolloutPlan {
  return { actions: [], status: deploymentStatus(deployment, drafts, current, bounds, conditions, now) }
}

function progressed(
  state: RolloutState,
  bounds: RolloutBounds,
  drafts: readonly SizeDraft[],
  current: ReplicaSet | undefined,
  before: readonly WorkloadCondition[],
): RolloutPlan {
  const { deployment, sets, now } = state
  const { status } = settled(state, bounds, drafts, current, before)
  const progress = withProgress(deployment, status, current, now)
  const conditions = withReplicaFailure(progress, current, sets, now)
  const due = total(drafts) === 0 && bounds.replicas === 0 ? undefined : deadlineAt(deployment, conditions)
  return {
    actions: [],
    status: { ...status, conditions },
    ...(due !== undefined && { requeueAfterMs: Math.max(0, due - now) + 1000 }),
  }
}
