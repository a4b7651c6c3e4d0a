// The strategy of every kind, built-in or custom: a compiled schema does the general work, and rules state where the
// kind differs. The registry calls it for each write.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import type { Cause } from '@homeostat/meta/server'
import type { CompiledSchema } from '@homeostat/schema'
import type { User } from '../identity/user.ts'
import type { DeleteOptions } from '../registry/delete-options.ts'
import type { Strategy } from '../registry/resource-type.ts'

/** Where a kind differs from plain stored data. An absent rule does nothing. */
export interface KindRules {
  nameErrors(name: string, prefix: boolean): string[]
  /** `status` is a subresource: other writes cannot change it, and a create drops it. */
  readonly statusApart?: boolean
  /** A create keeps its status all the same: nodes register themselves with one. */
  readonly createKeepsStatus?: boolean
  readonly generation?: boolean
  /** Parts of metadata whose change raises the generation too. */
  readonly generationMetadata?: readonly ('labels' | 'annotations')[]
  readonly unconditionalUpdate?: boolean
  readonly createOnUpdate?: boolean
  readonly deleteReturnsObject?: boolean
  readonly resetFields?: Strategy['resetFields']
  /** The default propagation of a DELETE; see Strategy. */
  readonly dependents?: 'orphaned' | 'ignored'
  /** Runs after the schema's own pruning. Returns further removed paths. */
  prune?(object: KubeObject): string[]
  /** Runs before the schema's defaults, which complete what it adds. */
  applyDefaults?(object: KubeObject): void
  decodeErrors?(object: KubeObject): Cause[]
  beforeValidation?: Strategy['beforeValidation']
  readonly rules?: Strategy['rules']
  validate?(object: KubeObject): Cause[]
  /** Returns all causes of an update; `validate` is not called in addition. */
  validateUpdate?(object: KubeObject, old: KubeObject): Cause[]
  validateStatusUpdate?(object: KubeObject, old: KubeObject): Cause[]
  prepareForCreate?(object: KubeObject, user?: User): void
  prepareForUpdate?(object: KubeObject, old: KubeObject): void
  /** For kinds whose status write may change more than the status. */
  prepareForStatusUpdate?(object: KubeObject, old: KubeObject): void
  warnings?(object: KubeObject, old: KubeObject | undefined): string[]
  beforeDelete?(object: KubeObject): void
  deletionGrace?(object: KubeObject, options: DeleteOptions): number
  mayVanish?(object: KubeObject): boolean
}

export function schemaStrategy(schema: CompiledSchema, rules: KindRules): Strategy {
  const validate = (object: KubeObject): Cause[] => rules.validate?.(object) ?? []
  return {
    prune(object, done) {
      const removed = schema.prune(object, done)
      // Hot path of every status write: do not copy the array without need.
      return rules.prune === undefined ? removed : [...removed, ...rules.prune(object)]
    },
    applyDefaults(object, done) {
      rules.applyDefaults?.(object)
      schema.applyDefaults(object, done)
    },
    decodeErrors: (object) => rules.decodeErrors?.(object) ?? [],
    ...(rules.beforeValidation ? { beforeValidation: rules.beforeValidation } : {}),
    ...(rules.rules ? { rules: rules.rules } : {}),
    validate,
    validateUpdate: (object, old) => rules.validateUpdate?.(object, old) ?? validate(object),
    ...(rules.validateStatusUpdate ? { validateStatusUpdate: rules.validateStatusUpdate } : {}),
    prepareForCreate(object, user) {
      const dropsStatus = rules.statusApart && !rules.createKeepsStatus && object.status !== undefined
      if (dropsStatus) delete object.status
      rules.prepareForCreate?.(object, user)
      // Default the object again: `applyDefaults` of the kind may read what the schema filled in.
      return dropsStatus || rules.prepareForCreate !== undefined || rules.applyDefaults !== undefined
    },
    prepareForUpdate(object, old) {
      if (rules.statusApart) restoreField(object, old, 'status')
      for (const part of rules.generationMetadata ?? []) {
        if (deepEqual(object.metadata[part] ?? {}, old.metadata[part] ?? {})) continue
        object.metadata.generation = (old.metadata.generation ?? 0) + 1
      }
      rules.prepareForUpdate?.(object, old)
    },
    prepareForStatusUpdate: rules.prepareForStatusUpdate ?? takeAllButStatus,
    nameErrors: rules.nameErrors,
    generation: rules.generation ?? false,
    unconditionalUpdate: rules.unconditionalUpdate ?? false,
    createOnUpdate: rules.createOnUpdate ?? false,
    deleteReturnsObject: rules.deleteReturnsObject ?? false,
    ...(rules.resetFields ? { resetFields: rules.resetFields } : {}),
    warnings: (object, old) => rules.warnings?.(object, old) ?? [],
    ...(rules.beforeDelete ? { beforeDelete: rules.beforeDelete } : {}),
    ...(rules.dependents ? { dependents: rules.dependents } : {}),
    ...(rules.deletionGrace ? { deletionGrace: rules.deletionGrace } : {}),
    mayVanish: (object) => rules.mayVanish?.(object) ?? true,
  }
}

/** Sets the object's field to the old one's, in place. */
function restoreField(object: KubeObject, old: KubeObject, field: string): void {
  if (old[field] === undefined) delete object[field]
  else object[field] = old[field]
}

/** Keeps the resourceVersion: it is the precondition of the caller, not a change. */
function takeAllButStatus(object: KubeObject, old: KubeObject): void {
  const { resourceVersion } = object.metadata
  const { resourceVersion: _, ...metadata } = old.metadata
  for (const field of Object.keys(object)) {
    if (field !== 'status' && !(field in old)) delete object[field]
  }
  for (const field of Object.keys(old)) {
    if (field !== 'status') object[field] = old[field]
  }
  object.metadata = resourceVersion === undefined ? metadata : { ...metadata, resourceVersion }
}
