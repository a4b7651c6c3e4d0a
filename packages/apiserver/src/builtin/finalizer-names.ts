// Requires a domain in the finalizers of built-in kinds, except for the standard ones, which are older than the rule.

import type { KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'

const STANDARD = ['kubernetes', 'orphan', 'foregroundDeletion']
/** Kubernetes does not check the finalizers of these groups. */
const EXEMPT = ['coordination.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io']

export const NOT_STANDARD = 'name is neither a standard finalizer name nor is it fully qualified'

export function isStandardFinalizer(name: string): boolean {
  return name.includes('/') || STANDARD.includes(name)
}

export function finalizerNameErrors(group: string, { metadata }: KubeObject): Cause[] {
  if (metadata.finalizers === undefined || EXEMPT.includes(group)) return []
  return metadata.finalizers.flatMap((name, index) => {
    if (isStandardFinalizer(name)) return []
    return [invalidValue(`metadata.finalizers[${index}]`, name, NOT_STANDARD)]
  })
}
