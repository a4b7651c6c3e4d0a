// The revision up to which stored objects of a definition have to be pruned and defaulted again. The definition
// controller keeps one epoch per definition.

import { deepEqual } from '@homeostat/meta'
import type { Definition } from '../builtin/definition/definition.ts'

export interface View {
  readonly epoch: number
  readonly definition: Definition
}

/** `known` is the view before. Without it (at start) the epoch is the revision of the definition itself. */
export function nextView(known: View | undefined, definition: Definition): View {
  const revision = Number(definition.metadata.resourceVersion)
  const same = known !== undefined && known.definition.metadata.uid === definition.metadata.uid
  const epoch = same && !changesView(known.definition, definition) ? known.epoch : revision
  return { epoch, definition }
}

/** Whether objects may read differently: the storage version, the schema of a version or the conversion changed. */
function changesView(before: Definition, after: Definition): boolean {
  return before.metadata.generation !== after.metadata.generation && !deepEqual(viewOf(before), viewOf(after))
}

function viewOf({ spec }: Definition): unknown {
  const versions = spec.versions.map(({ name, served, storage, schema }) => ({ name, served, storage, schema }))
  return [versions, spec.conversion]
}
