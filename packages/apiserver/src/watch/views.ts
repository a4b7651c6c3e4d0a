// Keeps the cache's view of each resource in step with its definition. When a definition changes how objects are shown,
// their watches end and the objects are renewed on their next read.

import { encodeObject, readStored } from '@homeostat/meta/server'
import type { CachedObject } from '../cache/cached-object.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { WatchHub } from './watch-hub.ts'

export function keepViews(registry: Registry, hub: WatchHub): () => void {
  const shown = new Map<string, ResourceType>()
  const refresh = () => {
    const served = new Map<string, ResourceType>()
    for (const type of registry.types.all()) {
      if (!type.custom) continue
      if (type.version === type.storageVersion || !served.has(type.storage)) served.set(type.storage, type)
    }
    for (const [storage, type] of served) {
      const before = shown.get(storage)
      if (before === type) continue
      if (before?.viewEpoch !== type.viewEpoch) show(registry, type)
      if (before && before.viewEpoch !== type.viewEpoch) hub.endResource(registry.cache.resource(storage))
      shown.set(storage, type)
    }
    for (const storage of shown.keys()) {
      if (served.has(storage)) continue
      shown.delete(storage)
      hub.endResource(registry.cache.resource(storage))
    }
  }
  refresh()
  return registry.types.onChange(refresh)
}

function show(registry: Registry, type: ResourceType): void {
  registry.resource(type).view = { epoch: type.viewEpoch, renew: (object) => renew(object, type, registry) }
}

/** Prunes, defaults and encodes the object under the same revision: the bytes that a write would store today. */
function renew(object: CachedObject, type: ResourceType, { types }: Registry): void {
  const { bytes, metaEnd } = object.stored
  const parsed = readStored(bytes, metaEnd)
  const own = types.storedIn(type.group, type.resource, parsed.apiVersion)
  // What a webhook would have to convert stays in its version, and gets the form of that.
  const stays = own !== undefined || type.converter !== undefined
  if (!stays) parsed.apiVersion = `${type.group}/${type.storageVersion}`
  const form = stays ? own?.strategy : type.version === type.storageVersion ? type.strategy : type.storedForm
  form?.prune(parsed)
  form?.applyDefaults(parsed)
  object.renew(encodeObject(parsed))
}
