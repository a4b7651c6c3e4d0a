// Deletes many objects in bounded batches, for namespaces and definitions under deletion. Finalizers are respected: an
// object with finalizers only gets a deletionTimestamp and still exists afterwards.

import { isStatusError } from '@homeostat/meta'
import type { Api, ObjectName, ResourceName } from '../registry/api.ts'
import type { DeleteOptions } from '../registry/delete-options.ts'

/** Concurrent deletions in one batch; between batches other requests run. */
const BATCH = 64

/** Deletes everything that exists now. Throws the first failure, after it has tried the rest of the batch. */
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
