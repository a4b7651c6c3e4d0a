// Namespace: it exists until its content is deleted. `spec.finalizers` holds it; only the namespace controller empties
// that list, through /finalize.

import { deepClone, forbidden, type KubeObject, qualifiedName } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { fieldsOf, textOf, listOf as valuesOf } from './fields-of.ts'
import { isStandardFinalizer, NOT_STANDARD } from './finalizer-names.ts'
import { podSecurityWarnings } from './not-enforced.ts'
import type { KindRules } from './schema-strategy.ts'

const NAMESPACE_LABEL = 'kubernetes.io/metadata.name'
export const NAMESPACE_FINALIZER = 'kubernetes'

/** Namespaces of the server itself: created at start, never deleted. */
export const SYSTEM_NAMESPACES: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

export const namespaceRules: Partial<KindRules> = {
  applyDefaults: setNameLabel,
  prepareForCreate(object) {
    const finalizers = valuesOf(fieldsOf(object.spec).finalizers)
    if (!finalizers.includes(NAMESPACE_FINALIZER)) {
      object.spec = { ...fieldsOf(object.spec), finalizers: [...finalizers, NAMESPACE_FINALIZER] }
    }
    object.status = { phase: 'Active' }
  },
  prepareForUpdate(object, old) {
    object.spec = old.spec
  },
  validate: (object) => finalizerErrors(object),
  validateUpdate: (object) => [...finalizerErrors(object), ...phaseErrors(object)],
  warnings: podSecurityWarnings,
  beforeDelete(object) {
    const name = object.metadata.name ?? ''
    if (SYSTEM_NAMESPACES.includes(name)) {
      throw forbidden({ group: '', resource: 'namespaces', name }, 'this namespace may not be deleted')
    }
    object.status = { ...fieldsOf(object.status), phase: 'Terminating' }
  },
  mayVanish: (object) => valuesOf(fieldsOf(object.spec).finalizers).length === 0,
}

/** `/finalize` changes spec.finalizers and nothing else. */
export function changeOnlyFinalizers(next: KubeObject, old: KubeObject): void {
  const finalizers = valuesOf(fieldsOf(next.spec).finalizers)
  const { finalizers: _, ...spec } = fieldsOf(old.spec)
  for (const key of Object.keys(next)) if (!(key in old)) delete next[key]
  Object.assign(next, deepClone(old), { spec: finalizers.length > 0 ? { ...spec, finalizers } : spec })
}

function phaseOf(object: KubeObject): string {
  return textOf(fieldsOf(object.status).phase)
}

/** The label always equals the name, whatever the request says. */
function setNameLabel(object: KubeObject): void {
  const { name } = object.metadata
  if (!name || object.metadata.labels?.[NAMESPACE_LABEL] === name) return
  object.metadata.labels = { ...object.metadata.labels, [NAMESPACE_LABEL]: name }
}

function finalizerErrors(object: KubeObject): Cause[] {
  return valuesOf(fieldsOf(object.spec).finalizers).flatMap((value, index) => {
    const finalizer = textOf(value)
    const path = `spec.finalizers[${index}]`
    const messages = qualifiedName(finalizer)
    if (messages.length === 0 && !isStandardFinalizer(finalizer)) {
      messages.push(NOT_STANDARD)
    }
    return messages.map((message) => invalidValue(path, finalizer, message))
  })
}

function phaseErrors(object: KubeObject): Cause[] {
  const phase = phaseOf(object)
  if (object.metadata.deletionTimestamp === undefined) {
    if (phase === 'Active') return []
    return [invalidValue('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")]
  }
  if (phase === 'Terminating') return []
  return [invalidValue('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")]
}
