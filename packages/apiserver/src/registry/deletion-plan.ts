// What a DELETE makes of an object: whether it goes at once or stays marked, for how long, and which finalizers tell
// the garbage collector what to do with its dependents. Pure.

import { deepClone, type KubeObject, LAST_TIME, type ObjectMeta, parseRfc3339, rfc3339 } from '@homeostat/meta'
import type { DeleteOptions } from './delete-options.ts'
import type { DeleteRules, ResourceType, WriteTraits } from './resource-type.ts'

/** Holds an object until its dependents that block are gone. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion'
/** Holds an object until its dependents do not refer to it any more. */
export const ORPHAN_FINALIZER = 'orphan'

/** What a deletion asks of a kind. */
type DeletionRules = DeleteRules & Pick<WriteTraits, 'generation'>

/** The object as it looks while it waits to go; the very same object when this DELETE changes nothing. */
export function plannedDeletion(
  old: KubeObject,
  options: DeleteOptions,
  strategy: DeletionRules,
  now: number,
): KubeObject {
  const next = deepClone(old)
  strategy.beforeDelete?.(next)
  const { metadata } = next
  const grace = graceOf(metadata, options, strategy, next, now)
  if (grace === 'as before') return old
  const finalizers = deletionFinalizers(metadata.finalizers ?? [], options, strategy.dependents)
  if (finalizers.length > 0) metadata.finalizers = finalizers
  else if (metadata.finalizers) delete metadata.finalizers
  const first = metadata.deletionTimestamp === undefined
  // Namespaces and definitions begin to go in a way of their own, which counts no generation and knows no grace.
  const own = strategy.beforeDelete !== undefined
  if (first && strategy.generation && !own) metadata.generation = (metadata.generation ?? 0) + 1
  if (grace) {
    metadata.deletionTimestamp = rfc3339(grace.at)
    metadata.deletionGracePeriodSeconds = grace.seconds
  } else {
    if (first || timeOf(metadata) > now) metadata.deletionTimestamp = rfc3339(now)
    if (finalizers.length > 0 && !own) metadata.deletionGracePeriodSeconds = 0
  }
  return next
}

/** The options decide; without a word there, finalizers that the object has; then what its kind does by default. */
export function deletionFinalizers(
  finalizers: readonly string[],
  options: DeleteOptions,
  byDefault: DeleteRules['dependents'],
): string[] {
  const others = finalizers.filter((name) => name !== FOREGROUND_FINALIZER && name !== ORPHAN_FINALIZER)
  if (byDefault === 'ignored') return others
  const policy = policyOf(options) ?? policyFrom(finalizers) ?? (byDefault === 'orphaned' ? 'Orphan' : 'Background')
  if (policy === 'Orphan') others.push(ORPHAN_FINALIZER)
  if (policy === 'Foreground') others.push(FOREGROUND_FINALIZER)
  const unchanged = others.length === finalizers.length && finalizers.every((name) => others.includes(name))
  return unchanged ? [...finalizers] : others
}

function policyOf({ orphanDependents, propagationPolicy }: DeleteOptions): string | undefined {
  return orphanDependents === undefined ? propagationPolicy : orphanDependents ? 'Orphan' : 'Background'
}

function policyFrom(finalizers: readonly string[]): string | undefined {
  const first = finalizers.find((name) => name === FOREGROUND_FINALIZER || name === ORPHAN_FINALIZER)
  return first === undefined ? undefined : first === ORPHAN_FINALIZER ? 'Orphan' : 'Foreground'
}

interface Grace {
  readonly seconds: number
  /** When it may be gone. */
  readonly at: number
}

/** Undefined for kinds that know no grace, and for objects whose grace is over. */
function graceOf(
  metadata: ObjectMeta,
  options: DeleteOptions,
  strategy: DeletionRules,
  object: KubeObject,
  now: number,
): Grace | 'as before' | undefined {
  if (!strategy.deletionGrace) return undefined
  const asked = options.gracePeriodSeconds
  if (metadata.deletionTimestamp === undefined) {
    const longest = Math.floor((LAST_TIME - now) / 1000)
    const seconds = Math.min(atLeastOne(strategy.deletionGrace(object, options)), longest)
    return { seconds, at: now + seconds * 1000 }
  }
  const given = metadata.deletionGracePeriodSeconds ?? 0
  if (given === 0) return undefined
  // Grace can only become shorter.
  if (asked === undefined || atLeastOne(asked) >= given) return 'as before'
  const seconds = atLeastOne(asked)
  const at = timeOf(metadata) + (seconds - given) * 1000
  if (at >= now) return { seconds, at }
  // Over already. Who waits for it still gets to end it, unless it shall go at once.
  return { seconds: seconds === 0 ? 0 : 1, at: now }
}

/** A negative grace counts as one second. */
function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds
}

function timeOf({ deletionTimestamp }: ObjectMeta): number {
  return parseRfc3339(deletionTimestamp ?? '') ?? 0
}

/** An object being deleted goes when nothing holds it any more, and its grace is over. */
export function mayVanish(type: ResourceType, object: KubeObject): boolean {
  const { finalizers, deletionGracePeriodSeconds } = object.metadata
  if ((finalizers ?? []).length > 0 || (deletionGracePeriodSeconds ?? 0) > 0) return false
  return type.strategy.mayVanish(object)
}
