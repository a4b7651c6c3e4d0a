// Computes the next size of each replica set in a rollout. Pure arithmetic on drafts of sizes; `rollout-plan.ts` makes the
// drafts and turns changes into actions.

import type { ReplicaSet } from '../kinds.ts'
import { desiredOf, maxOf } from './revisions.ts'
import type { RolloutBounds } from './rollout-bounds.ts'

export interface SizeDraft {
  readonly set: ReplicaSet
  /** The wanted number of pods. */
  size: number
  readonly available: number
}

export function draftOf(set: ReplicaSet): SizeDraft {
  return { set, size: set.spec?.replicas ?? 1, available: set.status?.availableReplicas ?? 0 }
}

export function total(drafts: readonly SizeDraft[]): number {
  return drafts.reduce((sum, { size }) => sum + size, 0)
}

/** The size of the current set within the surge. */
export function grownSize(current: SizeDraft, all: readonly SizeDraft[], bounds: RolloutBounds): number {
  if (current.size >= bounds.replicas) return bounds.replicas
  const room = bounds.replicas + bounds.maxSurge - total(all)
  return room <= 0 ? current.size : current.size + Math.min(room, bounds.replicas - current.size)
}

/**
 * Shrinks the old sets as far as enough pods stay available: first pods that are not available anyway, then, oldest set
 * first, pods that others replace.
 */
export function shrinkOthers(current: SizeDraft, others: readonly SizeDraft[], bounds: RolloutBounds): void {
  const all = [...others, current]
  const least = bounds.replicas - bounds.maxUnavailable
  const notYet = current.size - current.available
  const most = total(all) - least - notYet
  if (total(others) === 0 || most <= 0) return
  const oldestFirst = others.toSorted((a, b) => byAge(a.set, b.set))
  let left = most
  for (const draft of oldestFirst) left -= shrink(draft, Math.min(left, draft.size - draft.available))
  let spare = all.reduce((sum, { available }) => sum + available, 0) - least
  for (const draft of oldestFirst) spare -= shrink(draft, Math.min(spare, draft.size))
}

/** By how much. */
function shrink(draft: SizeDraft, by: number): number {
  if (by <= 0) return 0
  draft.size -= by
  return by
}

/** The deployment's size changed, or it is paused: sets keep their shares. */
export function rescale(
  current: SizeDraft | undefined,
  others: readonly SizeDraft[],
  bounds: RolloutBounds,
  options: { readonly rolling: boolean; readonly podsBefore: number },
): void {
  const all = current ? [...others, current] : [...others]
  const active = all.filter(({ size }) => size > 0)
  const only = active.length > 1 ? undefined : (active[0] ?? current ?? newest(others))
  if (only) only.size = bounds.replicas
  else if (current && isSaturated(current, bounds)) for (const draft of others) draft.size = 0
  else if (active.length > 1 && options.rolling) spread(active, bounds, options.podsBefore)
}

function isSaturated({ set, size, available }: SizeDraft, { replicas }: RolloutBounds): boolean {
  return size === replicas && available === replicas && desiredOf(set) === replicas
}

/** Adds or removes pods in proportion to the size of each set; the largest gets the rest of the rounding. */
function spread(active: readonly SizeDraft[], bounds: RolloutBounds, podsBefore: number): void {
  const allowed = bounds.replicas > 0 ? bounds.replicas + bounds.maxSurge : 0
  const toAdd = allowed - total(active)
  if (toAdd === 0) return
  const bySize = active.toSorted((a, b) => b.size - a.size || (toAdd > 0 ? byAge(b.set, a.set) : byAge(a.set, b.set)))
  let added = 0
  for (const draft of bySize) {
    const share = shareOf(draft, bounds, podsBefore)
    const left = toAdd - added
    const part = toAdd > 0 ? Math.min(share, left) : Math.max(share, left)
    draft.size += part
    added += part
  }
  const [largest] = bySize
  if (largest) largest.size = Math.max(0, largest.size + toAdd - added)
}

function shareOf({ set, size }: SizeDraft, { replicas, maxSurge }: RolloutBounds, podsBefore: number): number {
  if (replicas === 0) return -size
  const before = maxOf(set) ?? podsBefore
  return before === 0 ? 0 : Math.round((size * (replicas + maxSurge)) / before) - size
}

function newest(drafts: readonly SizeDraft[]): SizeDraft | undefined {
  return drafts.toSorted((a, b) => byAge(b.set, a.set))[0]
}

/** Oldest first. */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const [one, other] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
  if (one !== other) return one < other ? -1 : 1
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
