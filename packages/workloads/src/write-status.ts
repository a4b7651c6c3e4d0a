// Writes the status of an object if it differs. The write carries the resourceVersion from which it was computed: after a
// write in between it is a conflict, and the next reconcile decides again.

import type { ApiObject } from '@homeostat/client'
import { deepEqual, isStatusError } from '@homeostat/meta'
import type { Cluster, ReconcileContext } from '@homeostat/operator'

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
      // Sends only the status: the write may change nothing else.
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

/** Options of every write: the signal of its reconcile, and the field manager. */
export function writeOptions({ signal, fieldManager }: ReconcileContext): {
  signal: AbortSignal
  fieldManager: string
} {
  return { signal, fieldManager }
}
