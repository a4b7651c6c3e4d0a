// GET of the subresource `history`, which every stored kind has: what the store kept of a name, also after the object is
// gone. It is no subresource of Kubernetes, so discovery does not list it; authorization asks for RESOURCE/history.

import { notFound } from '@homeostat/meta'
import { spliceRevision } from '@homeostat/meta/server'
import type { Exchange } from '../exchange/exchange.ts'
import { objectHistory } from '../registry/object-history.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { readAs, storedType } from '../registry/versions.ts'
import { cacheName, storeKey } from '../registry/write-request.ts'
import type { ResourcePath } from './request-path.ts'

export const HISTORY = 'history'

/** Above the horizon an object may have any number of generations; the newest are shown. */
const MOST_ENTRIES = 100

/** A kind that has a subresource of this name keeps its own. */
export function servesHistory({ review, verbs, subresources }: ResourceType): boolean {
  return review === undefined && verbs.includes('get') && subresources.others?.[HISTORY] === undefined
}

export async function handleHistory(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  { namespace, name = '' }: ResourcePath,
): Promise<void> {
  // What a webhook would have to convert is shown as it is stored.
  const shown = type.converter === undefined ? type : storedType(registry, type)
  const key = storeKey(type, namespace, name)
  const changes = await registry.store.history(key, { steps: true, limit: MOST_ENTRIES })
  const cached = registry.resource(type).get(cacheName(type, namespace, name))
  const current = cached?.damage === undefined ? cached : undefined
  if (changes.length === 0 && cached === undefined) throw notFound(type, name)
  exchange.response.sendJson(
    200,
    objectHistory({
      name,
      namespace: type.namespaced ? namespace : undefined,
      changes,
      current: current && readAs(current, shown),
      read: (value, revision) => {
        const metaEnd = value.metaEnd + String(revision).length
        return readAs({ bytes: spliceRevision(value, revision), metaEnd }, shown)
      },
    }),
  )
}
