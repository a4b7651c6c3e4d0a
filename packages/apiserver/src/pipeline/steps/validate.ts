// Validates the object and refuses it with all causes at once.

import { invalid, type KubeObject } from '@homeostat/meta'
import { type Cause, validateObjectMeta, validateObjectMetaUpdate } from '@homeostat/meta/server'
import { checkRules } from '../check-rules.ts'
import { partOf } from '../part-of.ts'
import type { Write } from '../write.ts'

/** Does what is slow, or waits for code to load, ahead of validation. */
export function beforeValidation({ isLarge, type, object, old }: Write): undefined | Promise<void> {
  return type.strategy.beforeValidation?.(object, old, isLarge)
}

export function validateNew(write: Write): undefined | Promise<void> {
  const { type, object } = write
  const causes = validateObjectMeta(object.metadata, {
    namespaced: type.namespaced,
    nameErrors: (name, prefix) => type.strategy.nameErrors(name, prefix),
  })
  causes.push(...type.strategy.validate(object))
  return withRules(write, object.metadata.name, causes)
}

export function validateUpdate(write: Write): undefined | Promise<void> {
  const { type, request, object } = write
  const before = write.old as KubeObject
  return withRules(write, request.name, [
    ...validateObjectMetaUpdate(object.metadata, before.metadata),
    ...partOf(type, request.subresource).validateUpdate(object, before, request.user),
  ])
}

/** Validates an object of which only the status changed. */
export function validateStatus({ type, request, object, old }: Write): void {
  refuse(type, request.name, type.strategy.validateStatusUpdate?.(object, old as KubeObject) ?? [])
}

/** Refuses what the causes or the rules in CEL of the schema are against. */
function withRules(write: Write, name: string | undefined, causes: Cause[]): undefined | Promise<void> {
  const { type } = write
  if (type.strategy.rules?.hasRules !== true) {
    refuse(type, name, causes)
    return undefined
  }
  const checked = checkRules(write, causes)
  if (checked instanceof Promise) return checked.then((found) => refuse(type, name, found))
  refuse(type, name, checked)
  return undefined
}

function refuse({ group, kind }: Write['type'], name = '', causes: Cause[]): void {
  if (causes.length > 0) throw invalid({ group, kind }, name, causes)
}

/** Warns the client of values that are valid but likely mistakes. */
export function warn({ type, request, object, old }: Write): void {
  for (const text of type.strategy.warnings(object, old)) request.warn(text)
}
