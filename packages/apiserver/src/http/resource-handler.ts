// Finds the resource and the verb of a request and calls the handler.

import { badRequest, notFound, type StatusError } from '@homeostat/meta'
import { methodNotAllowed, pathNotAllowed, pathNotFound } from '@homeostat/meta/server'
import type { Exchange } from '../exchange/exchange.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { cacheName } from '../registry/write-request.ts'
import type { WatchHub } from '../watch/watch-hub.ts'
import { type ConnectCalls, handleConnect } from './connect-handler.ts'
import { HISTORY, handleHistory, servesHistory } from './history-handler.ts'
import { handleGet, handleList } from './read-handlers.ts'
import type { ResourcePath } from './request-path.ts'
import { checkInitialEvents, handleWatch } from './watch-handler.ts'
import { handleCreate, handleDelete, handleDeleteCollection, handlePatch, handleUpdate } from './write-handlers.ts'

export function handleResource(
  exchange: Exchange,
  registry: Registry,
  hub: WatchHub,
  path: ResourcePath,
  connects: ConnectCalls,
): Promise<void> | undefined {
  const type = registry.types.find(path.group, path.version, path.resource)
  const verb = verbOf(exchange, path)
  exchange.verb = verb
  if (!type) return unknownResource(exchange, registry, path)
  exchange.type = type
  exchange.subresource = path.subresource ?? ''
  if (!rightScope(type, path, verb)) return misplaced(exchange, type, verb)
  if (path.subresource === HISTORY && verb === 'get' && servesHistory(type))
    return handleHistory(exchange, registry, type, path)
  const refusal = refuse(type, path, verb)
  if (refusal) throw refusal
  if (type.deprecation !== undefined) exchange.response.warn(type.deprecation)
  const connect = path.subresource === undefined ? undefined : type.subresources.others?.[path.subresource]?.connect
  if (connect?.[verb]) {
    const { namespace, name = '' } = path
    if (!registry.resource(type).get(cacheName(type, namespace, name))) throw notFound(type, name)
    return handleConnect(exchange, path, connect[verb], connects)
  }
  switch (verb) {
    case 'get':
      return handleGet(exchange, registry, type, path)
    case 'list':
      checkInitialEvents(exchange, false)
      return handleList(exchange, registry, type, path)
    case 'watch':
      return handleWatch(exchange, registry, hub, type, path)
    default: {
      const handle = WRITES[verb as keyof typeof WRITES]
      const compiling = type.compile?.()
      if (compiling === undefined) return handle(exchange, registry, type, path)
      return compiling.then(() => handle(exchange, registry, type, path))
    }
  }
}

const WRITES = {
  create: handleCreate,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
}

type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'other'

export function verbOf(exchange: Exchange, path: ResourcePath): Verb {
  switch (exchange.request.method) {
    case 'GET':
    case 'HEAD':
      // A HEAD has no body, so it cannot be a watch.
      if ((path.watch || exchange.request.flag('watch')) && exchange.request.method === 'GET') return 'watch'
      return path.name === undefined ? 'list' : 'get'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return path.name === undefined ? 'deletecollection' : 'delete'
    default:
      return 'other'
  }
}

/** A namespaced resource needs a namespace; only lists and watches may span all of them. */
function rightScope(type: ResourceType, path: ResourcePath, verb: Verb): boolean {
  if (!type.namespaced) return path.namespace === undefined
  return path.namespace !== undefined || (path.name === undefined && (verb === 'list' || verb === 'watch'))
}

function refuse(type: ResourceType, path: ResourcePath, verb: Verb): StatusError | undefined {
  const resource = { group: type.group, resource: type.resource }
  const { subresource, name } = path
  if (subresource !== undefined) {
    const verbs = subresourceVerbs(type, subresource)
    if (verbs === undefined) return type.custom ? notFound(resource, name ?? '') : pathNotFound()
    return verbs.includes(verb) ? undefined : notAllowed(type, verb)
  }
  if (!type.verbs.includes(verb)) return notAllowed(type, verb)
  const misplaced = name === undefined ? verb === 'patch' || verb === 'update' : verb === 'create'
  if (!misplaced) return undefined
  // Kubernetes has no such route for built-in kinds; for custom ones it refuses the verb.
  if (!type.custom) return pathNotAllowed()
  return name === undefined ? badRequest('resource name may not be empty') : undefined
}

function notAllowed({ custom, group, resource }: ResourceType, verb: Verb): StatusError {
  return custom ? methodNotAllowed({ group, resource }, verb) : pathNotAllowed()
}

/** The path lacks a namespace, or has one that the resource must not have. */
function misplaced(exchange: Exchange, type: ResourceType, verb: Verb): undefined {
  if (type.custom) return exchange.response.notFound() as undefined
  throw verb === 'create' || verb === 'deletecollection' ? pathNotAllowed() : pathNotFound()
}

/** Undefined when there is no such subresource. */
function subresourceVerbs({ subresources }: ResourceType, name: string): readonly string[] | undefined {
  const { status, scale, others = {} } = subresources
  if ((name === 'status' && status) || (name === 'scale' && scale)) return ['get', 'update', 'patch']
  return Object.hasOwn(others, name) ? others[name]?.verbs : undefined
}

/** An unknown resource is a Status in a group of built-in kinds, and the plain text of Go's mux in any other. */
function unknownResource(exchange: Exchange, registry: Registry, path: ResourcePath): undefined {
  if (isBuiltinGroup(registry.types, path.group)) throw pathNotFound()
  exchange.response.notFound()
}

export function isBuiltinGroup(types: ResourceTypes, group: string): boolean {
  return types.all().some((type) => type.group === group && !type.custom)
}
