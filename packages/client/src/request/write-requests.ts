// Builds the requests that write, as values: create, update, patch, apply, delete. Sends nothing.

import { writeJson } from '@homeostat/meta'
import type {
  ApplyOptions,
  DeleteOptions,
  ObjectName,
  PatchType,
  ResourceInfo,
  SelectOptions,
  WriteOptions,
} from '../api/client.ts'
import type { TransportRequest } from '../api/transport.ts'
import { query, selecting, writing } from './query.ts'
import { collectionPath, needsNamespace, objectPath } from './resource-path.ts'

type Part = 'status' | 'scale'

const PATCH_TYPES: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
}
/** Servers before 1.33 accept only this type for an apply; JSON is valid YAML. */
const APPLY_TYPE = 'application/apply-patch+yaml'

export function createRequest(info: ResourceInfo, object: object, options: WriteOptions): TransportRequest {
  const { namespace, name, generateName } = metadataOf(object)
  if (info.namespaced && namespace === undefined) throw new Error(needsNamespace(info, name ?? generateName))
  return sending('POST', collectionPath(info, namespace) + query(writing(options)), 'application/json', object)
}

export function updateRequest(
  info: ResourceInfo,
  object: object,
  options: WriteOptions,
  part?: Part,
): TransportRequest {
  const path = objectPath(info, nameOf(info, object), part)
  return sending('PUT', path + query(writing(options)), 'application/json', object)
}

export function patchRequest(
  info: ResourceInfo,
  name: ObjectName,
  patch: unknown,
  { type = 'merge', ...options }: WriteOptions & { readonly type?: PatchType },
  part?: Part,
): TransportRequest {
  return sending('PATCH', objectPath(info, name, part) + query(writing(options)), PATCH_TYPES[type], patch)
}

export function applyRequest(info: ResourceInfo, object: object, options: ApplyOptions, part?: Part): TransportRequest {
  const values = { ...writing(options), force: options.force ? true : undefined }
  return sending('PATCH', objectPath(info, nameOf(info, object), part) + query(values), APPLY_TYPE, object)
}

export function deleteRequest(info: ResourceInfo, name: ObjectName, options: DeleteOptions): TransportRequest {
  return deleting(objectPath(info, name), options)
}

/** A namespaced kind needs a namespace: servers do not delete a collection across namespaces. */
export function deleteAllRequest(info: ResourceInfo, options: SelectOptions & DeleteOptions): TransportRequest {
  if (info.namespaced && options.namespace === undefined) throw new Error(needsNamespace(info))
  return deleting(collectionPath(info, options.namespace) + query(selecting(options)), options)
}

function deleting(path: string, options: DeleteOptions): TransportRequest {
  const { propagationPolicy, gracePeriodSeconds, preconditions, dryRun } = options
  const said = { propagationPolicy, gracePeriodSeconds, preconditions, dryRun: dryRun ? ['All'] : undefined }
  if (Object.values(said).every((value) => value === undefined)) {
    return { method: 'DELETE', path, headers: { accept: 'application/json' } }
  }
  return sending('DELETE', path, 'application/json', { kind: 'DeleteOptions', apiVersion: 'v1', ...said })
}

function sending(method: string, path: string, type: string, body: unknown): TransportRequest {
  return {
    method,
    path,
    headers: { accept: 'application/json', 'content-type': type },
    body: writeJson(body),
  }
}

function nameOf(info: ResourceInfo, object: object): ObjectName {
  const { name, namespace } = metadataOf(object)
  if (name === undefined) throw new Error(`a ${info.kind} to write has no metadata.name`)
  return { name, namespace }
}

function metadataOf(object: object): { name?: string; generateName?: string; namespace?: string } {
  return (object as { metadata?: object }).metadata ?? {}
}
