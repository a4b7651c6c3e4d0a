// Computes managed fields: which manager owns which fields after the write. The rules are in meta; each verb has a step here.

import { writeJson } from '@homeostat/meta'
import { createdFields, createdFieldsOver, updatedFields } from '@homeostat/meta/merge'
import { fieldWrite, versionedTypes } from '../../registry/field-tracking.ts'
import { setManagedFields } from '../../registry/managed-fields.ts'
import { ownsReplicas } from '../../registry/scale-fields.ts'
import type { Write } from '../write.ts'

/** The creator owns every field. A client that restores an object may submit its managed fields along. */
export function trackNewFields(write: Write): void {
  const { registry, request, type, object } = write
  const { metadata } = object
  const by = fieldWrite(registry, request)
  const types = versionedTypes(registry, type)
  const submittedFields = metadata.managedFields
  write.fieldsText = undefined
  if (submittedFields !== undefined) {
    const fields = submittedFields.length === 0 ? undefined : updatedFields(undefined, object, by, types)
    if (fields === undefined || fields.length === 0) delete metadata.managedFields
    else metadata.managedFields = fields
    if (submittedFields.length > 0) return
  }
  const { emptyTemplate } = type
  if (emptyTemplate === undefined) write.fieldsText = createdFields(object, by, types)
  else {
    const fields = createdFieldsOver(emptyTemplate, object, by, types)
    write.fieldsText = fields && writeJson(fields)
  }
}

/** The writer owns the fields that it changed. */
export function trackFields(write: Write): void {
  const { registry, request, type, object, old } = write
  write.fields = updatedFields(old, object, fieldWrite(registry, request), versionedTypes(registry, type))
}

/** As `trackFields`, but when no manager owns the replicas the Scale counts as untracked and managed fields stay. */
export function trackScaleFields(write: Write): void {
  const { registry, type, old } = write
  if (old !== undefined && ownsReplicas(registry, type, old)) trackFields(write)
  else write.fields = old?.metadata.managedFields
}

/** The merge of an apply has computed the managed fields already. */
export function keepAppliedFields(write: Write): void {
  write.fields = write.object.metadata.managedFields
}

/** Sets the computed managed fields in the object. */
export function recordFields({ object, fields }: Write): void {
  setManagedFields(object, fields)
}
