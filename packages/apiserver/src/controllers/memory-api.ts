// The real registry on a store in memory, for the tests of controllers.

import { systemClock } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { MemoryStore, type Store } from '@homeostat/store'
import { builtinTypes, serveTypes } from '../builtin/builtin-types.ts'
import { WatchCache } from '../cache/watch-cache.ts'
import { localApi } from '../pipeline/local-api.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import { Registry } from '../registry/registry.ts'
import { ResourceTypes } from '../registry/resource-types.ts'

export interface MemoryApi {
  readonly api: Api
  readonly types: ResourceTypes
  readonly store: Store
  /** The newest revision: an equal one before and after proves that nothing was written. */
  revision(): number
  /** Calls `look` with every change of the resource and resolves with the first value that it returns. */
  until<T>(resource: ResourceName, look: () => T | undefined | false): Promise<T>
  /** Stops following the store. */
  close(): Promise<void>
}

export async function memoryApi(store: Store = new MemoryStore(), now = systemClock.now): Promise<MemoryApi> {
  const ending = new AbortController()
  const types = new ResourceTypes()
  serveTypes(types, builtinTypes())
  const cache = await WatchCache.load(store)
  const following = cache.follow(store, ending.signal)
  const registry = new Registry(store, cache, types, { ...systemClock, now })
  const api = localApi(registry, { username: 'test', manager: 'homeostat' }, () => {})
  return {
    api,
    types,
    store,
    revision: () => cache.revision,
    until: (resource, look) =>
      new Promise((resolve) => {
        let stop: (() => void) | undefined
        const check = (): void => {
          const found = look()
          if (found === undefined || found === false) return
          stop?.()
          resolve(found)
        }
        stop = api.subscribe(resource, check)
        check()
      }),
    async close() {
      ending.abort()
      await following.catch(() => {})
    },
  }
}

export function configMap(namespace: string, name: string, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...metadata } }
}

export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
