// Waits until operators have nothing to do: they are idle, and their caches match the server. The caches are compared
// with a list, since nothing else shows a change that has not arrived yet.

import type { ApiObject, Client, Informer } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Running } from '@homeostat/operator'

export async function settle(running: readonly Running[], client: Client, timeoutMs: number): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    for (let quiet = false; !quiet; ) {
      await Promise.all(running.map((one) => one.idle(signal)))
      const runs = countRuns(running)
      const caches = running.flatMap((one) => one.caches())
      const current = await Promise.all(caches.map((cache) => isCurrent(cache, client, signal)))
      await Promise.all(running.map((one) => one.idle(signal)))
      quiet = current.every(Boolean) && countRuns(running) === runs
    }
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Error(
      `the operators did not come to rest within ${timeoutMs} ms: do they write something new in each run?`,
    )
  }
}

function countRuns(running: readonly Running[]): number {
  return running.reduce((sum, one) => sum + one.runs, 0)
}

/** Whether a cache equals the server's current list. */
async function isCurrent(cache: Informer<ApiObject>, client: Client, signal: AbortSignal): Promise<boolean> {
  const { apiVersion, kind, selection } = cache
  const { namespace, labelSelector, fieldSelector } = selection
  try {
    const resource = client.resourceOf<ApiObject>(apiVersion, kind)
    const { items } = await resource.list({ namespace, labelSelector, fieldSelector, signal })
    return items.length === cache.size && items.every(({ metadata }) => isHeld(cache, metadata))
  } catch (error) {
    // The kind is not served, so the cache must be empty.
    if (isStatusError(error, 'NotFound')) return cache.size === 0
    throw error
  }
}

function isHeld(cache: Informer<ApiObject>, { name = '', namespace, resourceVersion }: ApiObject['metadata']): boolean {
  return cache.get({ name, namespace })?.metadata.resourceVersion === resourceVersion
}
