// Waiting for other objects, in the words of the guide: MissingDependency while one is not there, WaitingForDependency while
// it is not ready. Neither is a failure: the object is reconciled again when what it waits for changes.

import type { LooseObject } from '@homeostat/client'
import { type Resource, waiting } from '@homeostat/operator'

/** The object of a handle, which is ready. Throws what there is to wait for. */
export function readyDependency(dependency: Resource<LooseObject>): LooseObject {
  const { kind, name, namespace, live } = dependency
  const shown = `${kind} ${namespace}/${name}`
  if (!live) throw waiting('MissingDependency', `${shown} not found`)
  if (live.metadata.deletionTimestamp) throw waiting('WaitingForDependency', `${shown} is being deleted`)
  const ready = live.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True' || isOutdated(live)) {
    throw waiting('WaitingForDependency', `${shown} is not ready${ready?.message ? `: ${ready.message}` : ''}`)
  }
  return live
}

/** Its conditions are about an earlier spec. */
function isOutdated({ metadata, status }: LooseObject): boolean {
  const observed = (status as { observedGeneration?: number } | undefined)?.observedGeneration
  return observed !== undefined && metadata.generation !== undefined && observed < metadata.generation
}

/** `namespace/name`, or a name in the namespace of who refers to it. */
export function placeOf(reference: string, namespace: string): { readonly name: string; readonly namespace: string } {
  const [first = '', second] = reference.split('/')
  return second === undefined ? { name: first, namespace } : { name: second, namespace: first }
}
