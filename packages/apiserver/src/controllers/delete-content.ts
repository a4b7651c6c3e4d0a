// Deletes many objects in bounded steps, for namespaces and definitions that go away. Finalizers are respected: an
// object that has some is only marked, and is still there afterwards.

import { isStatusError } from '@homeostat/meta'
import type { Api, ObjectName, ResourceName } from '../registry/api.ts'
import type { DeleteOptions } from '../registry/delete-options.ts'

/** Deletions in flight at once; between batches other requests get their turn. */
const BATCH = 64

/** Asks for the deletion of all that exists now. Throws the first failure, after it has tried the rest of its batch. */
export async function deleteContent(
  api: Api,
  resource: ResourceName,
  namespace: string | undefined,
  signal: AbortSignal,
  options: DeleteOptions = {},
): Promise<void> {
  const names = api.names(resource, namespace, Number.POSITIVE_INFINITY)
  for (let start = 0; start < names.length && !signal.aborted; start += BATCH) {
    const batch = names.slice(start, start + BATCH).map((name) => deleteOne(api, resource, name, options))
    const failed = (await Promise.allSettled(batch)).find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }
}

async function deleteOne(api: Api, resource: ResourceName, name: ObjectName, options: DeleteOptions): Promise<void> {
  try {
    await api.delete(resource, name, options)
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error
  }
}
