// One conditional write to the store. If another write committed first, it leaves `answer` unset and the runner retries.

import { isMinorChange } from '../../registry/minor-change.ts'
import type { Write } from '../write.ts'

export async function commit(write: Write): Promise<void> {
  const { registry, request, resource, current, value, object } = write
  const minor = isMinorChange(write.type, value && object, write.old, request)
  const { parsed, fences } = write
  const revision = await registry.commit(request, write.key, current, value, minor, parsed, fences)
  if (typeof revision !== 'number') {
    write.overtaken = revision
    return
  }
  const stored = value === undefined ? undefined : resource.get(write.place)
  if (stored !== undefined) write.answer = { stored, created: current === undefined }
  else {
    object.metadata.resourceVersion = String(revision)
    write.answer = { object }
  }
  write.settle(stored)
}
