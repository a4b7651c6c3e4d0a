// Work that several servers share by namespace: each shard is a duty, and a namespace belongs to one shard. The program of a shard
// is the program of all namespaces with an Api that shows its own.

import { hashOf } from '@homeostat/base'
import type { Api, ObjectChange, ResourceName } from '../registry/api.ts'

/** All servers must agree, in every version: never change it, and never the hash. */
export const SHARDS = 16

/** Objects without a namespace belong to that of this one, which is where the colony queues their Processes. */
const CLUSTER = 'default'

export function shardOf(namespace: string): number {
  return hashOf(namespace) % SHARDS
}

/** The duty of the shard that has the namespace; undefined: no namespace. */
export function shardDuty(work: string, namespace: string | undefined): string {
  return `${work}-${shardOf(namespace ?? CLUSTER)}`
}

/**
 * The same Api, whose lists and changes show the objects of the shard alone. Whoever names an object or a namespace gets it wherever
 * it is. Definitions are shown to every shard.
 */
export function shardApi(api: Api, shard: number): Api {
  const has = (resource: ResourceName, key: string) => {
    const slash = key.indexOf('/')
    if (slash >= 0) return shardOf(key.slice(0, slash)) === shard
    if (resource.resource === 'namespaces' && resource.group === '') return shardOf(key) === shard
    return resource.group === 'apiextensions.k8s.io' || shardOf(CLUSTER) === shard
  }
  const keyOf = (namespace: string | undefined, name: string) =>
    namespace === undefined ? name : `${namespace}/${name}`
  const keyOfChange = ({ object, previous }: ObjectChange) => (object ?? previous)?.name ?? ''
  return {
    ...api,
    list(resource, namespace) {
      const all = api.list(resource, namespace)
      if (namespace !== undefined) return all
      return all.filter(({ metadata }) => has(resource, keyOf(metadata.namespace, metadata.name ?? '')))
    },
    names(resource, namespace, limit) {
      if (namespace !== undefined) return api.names(resource, namespace, limit)
      const all = api.names(resource, namespace, Number.POSITIVE_INFINITY)
      return all.filter((one) => has(resource, keyOf(one.namespace, one.name))).slice(0, limit)
    },
    count(resource, namespace) {
      if (namespace !== undefined) return api.count(resource, namespace)
      let count = 0
      for (const { name } of api.objects(resource)) if (has(resource, name)) count++
      return count
    },
    *objects(resource) {
      for (const object of api.objects(resource)) if (has(resource, object.name)) yield object
    },
    subscribe: (resource, onChange) =>
      api.subscribe(resource, (event) => {
        if (has(resource, keyOf(event.namespace, event.name))) onChange(event)
      }),
    follow: (resource, onChange) =>
      api.follow(resource, (change) => {
        if (has(change.resource, keyOfChange(change))) onChange(change)
      }),
  }
}
