// The Api for controllers inside the server. It offers the verbs of HTTP as function calls, under the caller's identity.

import { yieldToLoop } from '@homeostat/base'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import type { CachedChange } from '../cache/change-ring.ts'
import type { Held } from '../identity/held.ts'
import { AUTHENTICATED, MASTERS, type User } from '../identity/user.ts'
import type { Api, KeyEvent, ObjectName, ResourceName, WriteOptions } from '../registry/api.ts'
import { bodyOf } from '../registry/decode-object.ts'
import { LARGE } from '../registry/large.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { readAs } from '../registry/versions.ts'
import { cacheName, type WriteRequest } from '../registry/write-request.ts'
import { deleteObject } from './delete-objects.ts'
import * as lists from './lists.ts'
import { runWrite } from './run-write.ts'
import type { Written } from './write.ts'

export interface LocalIdentity {
  readonly username: string
  /** The field manager of writes that do not name one. */
  readonly manager: string
}

export interface LocalApiOptions {
  /** Recorded with changes, and judged by added steps. Default: one who may do everything. */
  readonly user?: User | undefined
  /** What every write stands on. */
  readonly held?: Held | undefined
}

export function localApi(
  registry: Registry,
  identity: LocalIdentity,
  onWarning: (text: string) => void,
  { user = { username: identity.username, groups: [MASTERS, AUTHENTICATED] }, held }: LocalApiOptions = {},
): Api {
  const typeOf = (name: ResourceName): ResourceType => {
    const type = registry.types.stored(name.group, name.resource)
    if (!type) throw new Error(`nothing serves ${name.resource} of group "${name.group}"`)
    return type
  }
  const writable = async (name: ResourceName): Promise<ResourceType> => {
    const type = typeOf(name)
    await type.compile?.()
    return type
  }
  const request = (type: ResourceType, name: Partial<ObjectName>, options: WriteOptions = {}): WriteRequest => {
    if (type.namespaced && !name.namespace) throw new Error(`${type.resource} are in a namespace: say which`)
    return {
      type,
      namespace: name.namespace,
      name: name.name,
      subresource: options.subresource,
      dryRun: false,
      fieldValidation: 'Warn',
      user,
      held,
      manager: options.manager ?? identity.manager,
      warn: onWarning,
    }
  }
  const result = async (written: Written, type: ResourceType) => {
    if (!('stored' in written)) return written.object
    // Parsing a large object right after its commit would hold the event loop for too long.
    if (written.stored.size > LARGE) await yieldToLoop()
    return readAs(written.stored, type)
  }
  /** Maps NotFound of this object to undefined and rethrows every other error. */
  const absent = (error: unknown, type: ResourceType, { namespace, name }: ObjectName): undefined => {
    const isThere = registry.resource(type).tree.get(cacheName(type, namespace, name)) !== undefined
    if (isThere || !isStatusError(error, 'NotFound')) throw error
  }
  const storageOf = ({ group, resource }: ResourceName) => `${group === '' ? 'core' : group}/${resource}`

  return {
    get(resource, name) {
      const type = typeOf(resource)
      const object = registry.resource(type).get(cacheName(type, name.namespace, name.name))
      return object && readAs(object, type)
    },
    list(resource, namespace) {
      const type = typeOf(resource)
      const cache = registry.resource(type)
      const found: KubeObject[] = []
      for (const object of cache.tree.objects(prefixOf(namespace))) {
        cache.prepare(object)
        found.push(readAs(object, type))
      }
      return found
    },
    names(resource, namespace, limit) {
      const names: ObjectName[] = []
      for (const object of registry.cache.resource(storageOf(resource)).tree.objects(prefixOf(namespace))) {
        if (names.length === limit) break
        names.push(splitName(object.name))
      }
      return names
    },
    count: (resource, namespace) => registry.cache.resource(storageOf(resource)).tree.count(prefixOf(namespace)),
    async create(resource, object, options) {
      const type = await writable(resource)
      // The body is a copy.
      const write = { ...request(type, nameOf(object), options), ownsBody: true }
      return result(await runWrite(registry, lists.create, write, bodyOf(object)), type)
    },
    async update(resource, object, subresource) {
      const type = await writable(resource)
      const write = request(type, nameOf(object), subresource === undefined ? {} : { subresource })
      return result(await runWrite(registry, lists.replace, write, bodyOf(object)), type)
    },
    async change(resource, name, change, options) {
      const type = await writable(resource)
      try {
        return await result(await runWrite(registry, lists.change, request(type, name, options), change), type)
      } catch (error) {
        return absent(error, type, name)
      }
    },
    async writeStatus(resource, name, next) {
      const type = typeOf(resource)
      const compiling = type.compile?.()
      if (compiling !== undefined) await compiling
      try {
        const written = await runWrite(registry, lists.status, request(type, name, STATUS), next)
        // Another server may have changed it again, or deleted it.
        return 'stored' in written
          ? written.stored
          : registry.resource(type).get(cacheName(type, name.namespace, name.name))
      } catch (error) {
        return absent(error, type, name)
      }
    },
    async apply(resource, object, options) {
      const type = await writable(resource)
      const write = request(type, nameOf(object), options)
      return result(await runWrite(registry, lists.apply, write, { config: object, force: true }), type)
    },
    async delete(resource, name, options = {}, write = {}) {
      const type = await writable(resource)
      await deleteObject(registry, request(type, name, write), options)
    },
    subscribe(resource, onChange) {
      const cache = registry.cache.resource(storageOf(resource))
      const stop = cache.subscribe((changes) => {
        for (const change of changes) onChange(keyEvent(resource, change))
      })
      for (const object of cache.tree.snapshot().objects())
        onChange({ resource, ...splitName(object.name), deleted: false } as KeyEvent)
      return stop
    },
    follow(followed, onChange) {
      const tell = (resource: ResourceName, changes: readonly CachedChange[]) => {
        for (const { object, previous } of changes) onChange({ resource, object, previous })
      }
      if (followed !== 'all') {
        return registry.cache.resource(storageOf(followed)).subscribe((changes) => tell(followed, changes))
      }
      return registry.cache.subscribe((batch) => {
        for (const [{ storage }, changes] of batch) tell(resourceOf(storage), changes)
      })
    },
    serves: ({ group, resource }) => registry.types.stored(group, resource) !== undefined,
    stored: () => [...registry.cache.resources].filter(({ tree }) => tree.size > 0).map((c) => resourceOf(c.storage)),
    object: (resource, { namespace, name }) =>
      registry.cache.resource(storageOf(resource)).tree.get(namespace === undefined ? name : `${namespace}/${name}`),
    parsed: (resource, object) =>
      object.damage === undefined ? registry.cache.resource(storageOf(resource)).read(object) : undefined,
    objects: (resource) => registry.cache.resource(storageOf(resource)).tree.snapshot().objects(),
    async writtenAt(resource, { namespace, name }) {
      const key = `${storageOf(resource)}/${namespace === undefined ? name : `${namespace}/${name}`}`
      return (await registry.store.history(key, { limit: 1 })).at(-1)?.note.time
    },
  }
}

const STATUS: WriteOptions = { subresource: 'status' }

function nameOf({ metadata: { namespace, name } }: KubeObject): Partial<ObjectName> {
  return { ...(namespace !== undefined && { namespace }), ...(name !== undefined && { name }) }
}

function resourceOf(storage: string): ResourceName {
  const slash = storage.indexOf('/')
  const group = storage.slice(0, slash)
  return { group: group === 'core' ? '' : group, resource: storage.slice(slash + 1) }
}

function prefixOf(namespace: string | undefined): string {
  return namespace === undefined ? '' : `${namespace}/`
}

function keyEvent(resource: ResourceName, change: CachedChange): KeyEvent {
  const { namespace, name } = splitName((change.object ?? change.previous)?.name ?? '')
  return { resource, namespace, name, deleted: change.object === undefined }
}

function splitName(place: string): ObjectName {
  const slash = place.indexOf('/')
  return slash < 0 ? { name: place } : { namespace: place.slice(0, slash), name: place.slice(slash + 1) }
}
