// The steps of a DELETE: whether it may happen, what it makes of the object, and the commit. A marked object stays until
// its finalizers are gone and its grace is over; the update that ends them removes it.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { checkPreconditions, type DeleteOptions } from '../../registry/delete-options.ts'
import { mayVanish, plannedDeletion } from '../../registry/deletion-plan.ts'
import { isMinorChange } from '../../registry/minor-change.ts'
import { encodeStored } from '../../registry/versions.ts'
import type { Write } from '../write.ts'
import { runAdded } from './admit.ts'

export function checkDeletePreconditions({ type, input, old }: Write<DeleteOptions>): void {
  // The real server names the kind, not the resource, in `details.kind`.
  checkPreconditions({ group: type.group, resource: type.kind }, old as KubeObject, input.preconditions ?? {})
}

/** A later DELETE that does not shorten the grace of the first changes nothing and ends here. */
export function planDeletion(write: Write<DeleteOptions>): void {
  const { type, registry, input } = write
  const old = write.old as KubeObject
  const next = plannedDeletion(old, input, type.strategy, registry.now())
  write.isGone = mayVanish(type, next)
  // Kinds with grace show their deletionTimestamp in the last state; others stay unchanged.
  write.object = write.isGone && !type.strategy.deletionGrace ? old : next
  if (next === old && !write.isGone) write.answer = { object: old, gone: false }
}

/** Runs the deciding steps that extensions add for DELETE. What one of them makes of the object is not stored. */
export function admitDeletion(write: Write<DeleteOptions>): undefined | Promise<void> {
  return write.added.length === 0 ? undefined : runDeletionAdmission(write)
}

async function runDeletionAdmission(write: Write<DeleteOptions>): Promise<void> {
  const { object } = write
  await runAdded(write, 'mutate')
  await runAdded(write, 'admit')
  write.object = object
}

/** The object is marked already, as this DELETE wants it. */
export function endMarked(write: Write<DeleteOptions>): void {
  const { object, old, isGone } = write
  if (!isGone && old?.metadata.deletionTimestamp !== undefined && deepEqual(object, old))
    write.answer = { object, gone: false }
}

export async function commitDeletion(write: Write<DeleteOptions>): Promise<void> {
  const { registry, request, type, object, isGone } = write
  const value = isGone ? undefined : encodeStored(registry, type, object)
  const minor = isMinorChange(type, value && object, write.old, request)
  const revision = await registry.commit(request, write.key, write.current, value, minor)
  if (typeof revision !== 'number') {
    write.overtaken = revision
    return
  }
  object.metadata.resourceVersion = String(revision)
  write.answer = { object, gone: isGone }
  write.settle(isGone ? undefined : write.resource.get(write.place))
}
