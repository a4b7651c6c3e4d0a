// Writes the status of an object when it differs from what it has. One write, on the state it was worked out from: who
// wrote in between causes a conflict, and the next run decides anew.

import type { ApiObject } from '@homeostat/client'
import { deepEqual, isStatusError } from '@homeostat/meta'
import type { Cluster, Run } from '@homeostat/operator'

export async function writeStatus<T extends ApiObject & { status?: unknown }>(
  cluster: Cluster,
  object: T,
  status: T['status'],
  signal: AbortSignal,
): Promise<boolean> {
  if (deepEqual(object.status, status)) return false
  const { apiVersion, kind } = object
  const { managedFields: _, ...metadata } = object.metadata
  try {
    const access = cluster.client.resourceOf<T>(apiVersion, kind)
    cluster.wrote(
      // Nothing beside the status: that is what the write may change.
      await access.status.update({ apiVersion, kind, metadata, status } as T, {
        signal,
        fieldManager: cluster.fieldManager,
      }),
    )
    return true
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return false
    throw error
  }
}

/** Every write ends with its run, and says whose it is. */
export function writeOptions({ signal, fieldManager }: Run): { signal: AbortSignal; fieldManager: string } {
  return { signal, fieldManager }
}
