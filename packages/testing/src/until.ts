// Waits for an object to reach a wanted state, by watching it.

import type { ApiObject, Client } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import type { ObjectRef } from '@homeostat/operator'

export async function until<T extends ApiObject>(
  client: Client,
  ref: ObjectRef,
  wanted: (object: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  let last: T | undefined
  for await (const object of states<T>(client, ref, timeoutMs)) {
    last = object
    if (object && wanted(object)) return object
  }
  const was = last ? `it is ${writeJson(withoutManagedFields(last), 2)}` : 'it does not exist'
  throw new Error(`${shown(ref)} was not as wanted within ${timeoutMs} ms; ${was}`)
}

export async function untilGone(client: Client, ref: ObjectRef, timeoutMs: number): Promise<void> {
  let last: ApiObject | undefined
  for await (const object of states<ApiObject>(client, ref, timeoutMs)) {
    if (!object) return
    last = object
  }
  const { finalizers, deletionTimestamp } = last?.metadata ?? {}
  const why = deletionTimestamp === undefined ? 'nobody deleted it' : `finalizers: ${finalizers?.join(', ') || 'none'}`
  throw new Error(`${shown(ref)} is still there after ${timeoutMs} ms (${why})`)
}

/** Yields the object after every change, undefined while it does not exist; ends at the timeout. */
async function* states<T extends ApiObject>(
  client: Client,
  { apiVersion, kind, name, namespace }: ObjectRef,
  timeoutMs: number,
): AsyncGenerator<T | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  const resource = client.resourceOf<T>(apiVersion, kind)
  try {
    const select = { namespace, fieldSelector: `metadata.name=${name}`, signal }
    const { items, metadata } = await resource.list(select)
    yield items[0]
    const resourceVersion = metadata.resourceVersion ?? '0'
    for await (const { type, object } of resource.watch({ ...select, resourceVersion })) {
      if (type !== 'BOOKMARK') yield type === 'DELETED' ? undefined : object
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function shown({ kind, name, namespace }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
}

function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
