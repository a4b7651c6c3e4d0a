// Finalizers of built-in kinds need a domain, unless they are among the few that are older than that rule.

import { type Cause, invalidValue, type KubeObject } from '@homeostat/meta'

const STANDARD = ['kubernetes', 'orphan', 'foregroundDeletion']
/** Their validation does not know the rule. */
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
