// One conditional write to the store. If another write committed first, it leaves `answer` unset and the runner retries.

import type { Value } from '@homeostat/store'
import { CachedObject } from '../../cache/cached-object.ts'
import { isMinorChange } from '../../registry/minor-change.ts'
import type { Write } from '../write.ts'

export async function commit(write: Write): Promise<void> {
  const { registry, request, current, value, object } = write
  const minor = isMinorChange(write.type, value && object, write.old, request)
  const { parsed, fences } = write
  const revision = await registry.commit(request, write.key, current, value, minor, parsed, fences)
  if (typeof revision !== 'number') {
    write.overtaken = revision
    return
  }
  const stored = value && asCommitted(write, value, revision)
  if (stored !== undefined) write.answer = { stored, created: current === undefined }
  else {
    object.metadata.resourceVersion = String(revision)
    write.answer = { object }
  }
  write.settle(stored)
}

/** What this write stored. By now the cache may show what another server has made of it, which is not the answer to this one. */
function asCommitted({ resource, key, place }: Write, value: Value, revision: number): CachedObject {
  const cached = resource.tree.get(place)
  const own = cached?.revision === revision ? cached : CachedObject.fromValue(key, place, revision, value)
  resource.prepare(own)
  return own
}
