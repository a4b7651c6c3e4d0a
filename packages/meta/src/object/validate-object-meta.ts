// Checks metadata as Kubernetes does, with its field names: a bad label is reported on `metadata.labels` as a whole.
// The write pipeline calls it for every kind with the kind's own rule for names.

import { dns1123Label, labelValue, qualifiedName } from '../names/names.ts'
import type { Cause } from '../status/field-causes.ts'
import { forbiddenField, invalidValue, required, tooLong } from '../status/field-causes.ts'
import { addedFinalizers } from './finalizers.ts'
import { parseGroupVersion } from './group-version.ts'
import type { ObjectMeta, OwnerReference } from './object.ts'

/** Enough to work with. */
const MAX_CAUSES = 100

const MAX_ANNOTATION_BYTES = 256 * 1024

export interface ObjectMetaRules {
  namespaced: boolean
  /** Messages for a bad name; `prefix` when it is a generateName. */
  nameErrors(name: string, prefix: boolean): string[]
}

export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules): Cause[] {
  const causes: Cause[] = []
  const { name, generateName, namespace } = meta
  if (generateName) {
    for (const message of rules.nameErrors(generateName, true)) {
      causes.push(invalidValue('metadata.generateName', generateName, message))
    }
  }
  if (!name) causes.push(required('metadata.name', 'name or generateName is required'))
  else for (const message of rules.nameErrors(name, false)) causes.push(invalidValue('metadata.name', name, message))
  if (!rules.namespaced) {
    if (namespace) causes.push(forbiddenField('metadata.namespace', 'not allowed on this type'))
  } else if (!namespace) {
    causes.push(required('metadata.namespace'))
  } else {
    for (const message of dns1123Label(namespace)) causes.push(invalidValue('metadata.namespace', namespace, message))
  }
  if ((meta.generation ?? 0) < 0) {
    causes.push(invalidValue('metadata.generation', meta.generation, 'must be greater than or equal to 0'))
  }
  checkSharedFields(meta, causes)
  if (meta.finalizers) checkFinalizers(meta.finalizers, causes)
  return causes
}

/** The server has set its own fields in `next` before; a field that still differs is refused. */
export function validateObjectMetaUpdate(next: ObjectMeta, old: ObjectMeta): Cause[] {
  const causes: Cause[] = []
  if (old.deletionTimestamp) checkNoNewFinalizers(next, old, causes)
  if ((next.generation ?? 0) < (old.generation ?? 0)) {
    causes.push(invalidValue('metadata.generation', next.generation ?? 0, 'must not be decremented'))
  }
  const fixed = [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const
  for (const field of fixed) {
    if ((next[field] ?? null) === (old[field] ?? null)) continue
    causes.push(invalidValue(`metadata.${field}`, next[field], 'field is immutable'))
  }
  checkSharedFields(next, causes, old)
  // Kubernetes checks the metadata of an update twice, once for all kinds and once per kind, and reports both.
  return [...causes, ...causes]
}

/** Metadata that is the same object as before was checked before: most updates leave it alone. */
function checkSharedFields(meta: ObjectMeta, causes: Cause[], old?: ObjectMeta): void {
  const { labels, annotations, ownerReferences } = meta
  if (labels && labels !== old?.labels) checkLabels(labels, causes)
  if (annotations && annotations !== old?.annotations) checkAnnotations(annotations, causes)
  if (ownerReferences && ownerReferences !== old?.ownerReferences) checkOwnerReferences(ownerReferences, causes)
}

function checkLabels(labels: Readonly<Record<string, string>>, causes: Cause[]): void {
  for (const key of Object.keys(labels)) {
    if (causes.length > MAX_CAUSES) return
    const value = labels[key] ?? ''
    for (const message of qualifiedName(key)) causes.push(invalidValue('metadata.labels', key, message))
    for (const message of labelValue(value)) causes.push(invalidValue('metadata.labels', value, message))
  }
}

function checkAnnotations(annotations: Readonly<Record<string, string>>, causes: Cause[]): void {
  let bytes = 0
  for (const key of Object.keys(annotations)) {
    if (causes.length > MAX_CAUSES) return
    // Only here are capital letters allowed in the domain.
    for (const message of qualifiedName(key.toLowerCase())) {
      causes.push(invalidValue('metadata.annotations', key, message))
    }
    bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '')
  }
  if (bytes > MAX_ANNOTATION_BYTES) causes.push(tooLong('metadata.annotations', MAX_ANNOTATION_BYTES))
}

function checkOwnerReferences(references: readonly OwnerReference[], causes: Cause[]): void {
  const path = 'metadata.ownerReferences'
  let controller: string | undefined
  for (const reference of references) {
    if (causes.length > MAX_CAUSES) return
    if (!parseGroupVersion(reference.apiVersion)) {
      causes.push(invalidValue(`${path}.apiVersion`, reference.apiVersion, 'version must not be empty'))
    }
    for (const field of ['kind', 'name', 'uid'] as const) {
      if (!reference[field]) causes.push(invalidValue(`${path}.${field}`, reference[field], 'must not be empty'))
    }
    if (reference.apiVersion === 'v1' && reference.kind === 'Event') {
      causes.push(invalidValue(path, reference, '/v1, Kind=Event is disallowed from being an owner'))
    }
    if (!reference.controller) continue
    const name = `${reference.kind}/${reference.name}`
    if (controller === undefined) controller = name
    else causes.push(invalidValue(path, references, onlyOneController(controller, name)))
  }
}

function onlyOneController(first: string, second: string): string {
  return `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`
}

function checkFinalizers(finalizers: readonly string[], causes: Cause[]): void {
  for (const finalizer of finalizers) {
    if (causes.length > MAX_CAUSES) return
    for (const message of qualifiedName(finalizer)) causes.push(invalidValue('metadata.finalizers', finalizer, message))
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const message = 'finalizer orphan and foregroundDeletion cannot be both set'
    causes.push(invalidValue('metadata.finalizers', finalizers, message))
  }
}

function checkNoNewFinalizers(next: ObjectMeta, old: ObjectMeta, causes: Cause[]): void {
  const added = addedFinalizers(next, old)
  if (added.length === 0) return
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ')
  const message = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
  causes.push(forbiddenField('metadata.finalizers', message))
}
