// Encodes the object into the bytes to store, with a gap for the revision.

import type { KubeObject } from '@homeostat/meta'
import { mayVanish } from '../../registry/deletion-plan.ts'
import type { Registry } from '../../registry/registry.ts'
import { boundedValue, isStoredForm, storedType } from '../../registry/versions.ts'
import type { Write } from '../write.ts'

export function encodeNew(write: Write): void {
  const { registry, request, resource, fieldsText } = write
  const { type, object } = toStore(write)
  write.value = boundedValue(registry, type, object, { applied: write.keepsFields, managedFields: fieldsText })
  const isKept =
    write.converted === undefined && resource.recent !== undefined && request.ownsBody && isStoredForm(type)
  write.parsed = isKept ? withFields(registry, object, fieldsText) : undefined
}

/** The object as a read returns it, with its managed fields. */
function withFields(registry: Registry, object: KubeObject, text: string | undefined): KubeObject {
  if (text === undefined) return object
  return { ...object, metadata: { ...object.metadata, managedFields: registry.fieldMemory.texts.read(text) } }
}

/** An object that is being deleted vanishes when the write removes its last finalizer. */
export function encode(write: Write): void {
  const { registry, old } = write
  const { type, object } = toStore(write)
  const vanishes = old?.metadata.deletionTimestamp !== undefined && mayVanish(type, object)
  write.value = vanishes ? undefined : boundedValue(registry, type, object, { applied: write.keepsFields })
}

/** What is stored, in which version. */
function toStore({ registry, type, object, converted }: Write): Pick<Write, 'type' | 'object'> {
  return converted === undefined ? { type, object } : { type: storedType(registry, type), object: converted }
}

/** Keeps the parsed object for readers of the change. The write must own it: no other code holds or changes it. */
export function keepParsed(write: Write): void {
  write.parsed = write.object
}
