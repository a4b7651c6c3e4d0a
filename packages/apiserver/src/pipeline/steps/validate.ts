// Validates the object and refuses it with all causes at once.

import { invalid, type KubeObject } from '@homeostat/meta'
import { type Cause, validateObjectMeta, validateObjectMetaUpdate } from '@homeostat/meta/server'
import { partOf } from '../part-of.ts'
import type { Write } from '../write.ts'

/** For large objects: does the slow part of validation ahead of it, yielding to the event loop. */
export function beforeValidation({ isLarge, type, object, old }: Write): undefined | Promise<void> {
  return isLarge ? type.strategy.beforeValidation?.(object, old) : undefined
}

export function validateNew({ type, object }: Write): void {
  const causes = validateObjectMeta(object.metadata, {
    namespaced: type.namespaced,
    nameErrors: (name, prefix) => type.strategy.nameErrors(name, prefix),
  })
  causes.push(...type.strategy.validate(object))
  refuse(type, object.metadata.name, causes)
}

export function validateUpdate({ type, request, object, old }: Write): void {
  const before = old as KubeObject
  refuse(type, request.name, [
    ...validateObjectMetaUpdate(object.metadata, before.metadata),
    ...partOf(type, request.subresource).validateUpdate(object, before, request.user),
  ])
}

/** Validates an object of which only the status changed. */
export function validateStatus({ type, request, object, old }: Write): void {
  refuse(type, request.name, type.strategy.validateStatusUpdate?.(object, old as KubeObject) ?? [])
}

function refuse({ group, kind }: Write['type'], name = '', causes: Cause[]): void {
  if (causes.length > 0) throw invalid({ group, kind }, name, causes)
}

/** Warns the client of values that are valid but likely mistakes. */
export function warn({ type, request, object, old }: Write): void {
  for (const text of type.strategy.warnings(object, old)) request.warn(text)
}
