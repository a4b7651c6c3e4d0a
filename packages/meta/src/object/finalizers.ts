// What a write does to the finalizers of an object.

import type { ObjectMeta } from './object.ts'

/** Kubernetes' own, which need no domain. */
const OWN = ['orphan', 'foregroundDeletion', 'kubernetes']

/** Sorted, each once. */
export function addedFinalizers(next: ObjectMeta, old: ObjectMeta | undefined): string[] {
  const known = new Set(old?.finalizers)
  return [...new Set(next.finalizers)].filter((finalizer) => !known.has(finalizer)).sort()
}

/** Texts for Warning headers: one for each finalizer the write adds whose name others might choose as well. */
export function finalizerWarnings(next: ObjectMeta, old?: ObjectMeta): string[] {
  if (next.finalizers === undefined) return []
  return addedFinalizers(next, old)
    .filter((finalizer) => !finalizer.includes('/') && !OWN.includes(finalizer))
    .map((finalizer) => {
      const path = finalizer.includes('.') ? ' including a path (/)' : ''
      return `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`
    })
}
