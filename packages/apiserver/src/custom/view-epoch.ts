// When stored objects of a definition have to be pruned and defaulted anew: an object last written at or below the
// epoch is. The definition controller keeps one epoch per definition.

import { deepEqual } from '@homeostat/meta'
import type { Definition } from '../builtin/definition/definition.ts'

export interface View {
  readonly epoch: number
  readonly definition: Definition
}

/** `known` is what was in force before; without it (at start) nothing is known about when the view last changed. */
export function nextView(known: View | undefined, definition: Definition): View {
  const revision = Number(definition.metadata.resourceVersion)
  const same = known !== undefined && known.definition.metadata.uid === definition.metadata.uid
  const epoch = same && !changesView(known.definition, definition) ? known.epoch : revision
  return { epoch, definition }
}

/** Whether stored objects may read differently: another storage version, or another schema of a version. */
function changesView(before: Definition, after: Definition): boolean {
  return before.metadata.generation !== after.metadata.generation && !deepEqual(viewOf(before), viewOf(after))
}

function viewOf({ spec }: Definition): unknown {
  return spec.versions.map(({ name, served, storage, schema }) => ({ name, served, storage, schema }))
}
