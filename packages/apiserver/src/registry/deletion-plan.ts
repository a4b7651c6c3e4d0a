// Plans a DELETE: whether the object is removed at once or stays marked, for how long, and which finalizers tell the
// garbage collector what to do with its dependents. Pure.

import { deepClone, type KubeObject, LAST_TIME, type ObjectMeta, parseRfc3339, rfc3339 } from '@homeostat/meta'
import type { DeleteOptions } from './delete-options.ts'
import type { DeleteRules, WriteTraits, WrittenBy } from './resource-type.ts'

/** Holds an object until its blocking dependents are gone. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion'
/** Holds an object until its dependents do not refer to it any more. */
export const ORPHAN_FINALIZER = 'orphan'

/** The rules of a kind that a deletion needs. */
type DeletionRules = DeleteRules & Pick<WriteTraits, 'generation'>

/** The object as it is marked; the same object when this DELETE changes nothing. */
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
  // Namespaces and definitions terminate by their own rules, without a new generation and without grace.
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

/** The options decide first, then the finalizers that the object has, then the default of its kind. */
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
  /** When the object may be removed. */
  readonly at: number
}

/** Undefined for kinds without grace, and for objects whose grace is over. */
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
  // A later DELETE can only shorten the grace.
  if (asked === undefined || atLeastOne(asked) >= given) return 'as before'
  const seconds = atLeastOne(asked)
  const at = timeOf(metadata) + (seconds - given) * 1000
  if (at >= now) return { seconds, at }
  // The grace is over. Keep one second, so that its holder can end it, unless the object is to be removed at once.
  return { seconds: seconds === 0 ? 0 : 1, at: now }
}

/** A negative grace counts as one second. */
function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds
}

function timeOf({ deletionTimestamp }: ObjectMeta): number {
  return parseRfc3339(deletionTimestamp ?? '') ?? 0
}

/** An object that is being deleted is removed when no finalizer holds it and its grace is over. */
export function mayVanish(type: WrittenBy, object: KubeObject): boolean {
  const { finalizers, deletionGracePeriodSeconds } = object.metadata
  if ((finalizers ?? []).length > 0 || (deletionGracePeriodSeconds ?? 0) > 0) return false
  return type.strategy.mayVanish(object)
}
