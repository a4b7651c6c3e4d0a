// Reads and writes objects at known paths, without the round trip of discovery.

import type { ApiObject, Client } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import { isExpired, isMissing } from './failure.ts'
import { collectionPath, objectPath, type Place } from './paths.ts'

export interface ListSelection {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  readonly signal?: AbortSignal
}

interface ListMetadata {
  readonly continue?: string
  readonly remainingItemCount?: number
  readonly resourceVersion?: string
}

/** One page of a list. */
interface Page {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ListMetadata
  readonly items?: readonly ApiObject[] | null
}

const PAGE = 500
const METADATA = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
const METADATA_OF_ONE = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

export async function readObject<T extends ApiObject>(
  client: Client,
  place: Place,
  namespace: string,
  name: string,
): Promise<T> {
  return (await client.requestJson({ method: 'GET', path: objectPath(place, namespace, name) })) as T
}

/** Undefined when the object or its kind does not exist. */
export async function findObject<T extends ApiObject>(
  client: Client,
  place: Place,
  namespace: string,
  name: string,
): Promise<T | undefined> {
  try {
    return await readObject<T>(client, place, namespace, name)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The same without the object's content. */
export async function findMetadata(
  client: Client,
  place: Place,
  namespace: string,
  name: string,
): Promise<ApiObject | undefined> {
  const headers = { accept: METADATA_OF_ONE }
  try {
    return (await client.requestJson({ method: 'GET', path: objectPath(place, namespace, name), headers })) as ApiObject
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

export async function listObjects<T extends ApiObject>(
  client: Client,
  place: Place,
  selection: ListSelection = {},
  accept = 'application/json',
): Promise<T[]> {
  const pages = await readPages<Page>(client, place, selection, accept)
  return pages.flatMap(({ apiVersion, kind, items }) => {
    // Items in lists of built-in kinds have no apiVersion and kind of their own.
    const type = { apiVersion, kind: kind.replace(/List$/, '') }
    return ((items ?? []) as T[]).map((item) => ({ ...type, ...item }))
  })
}

/** All pages of a list in the form that is accepted. If its revision expires meanwhile, it is read anew as one page. */
export async function readPages<P extends { readonly metadata?: ListMetadata }>(
  client: Client,
  place: Place,
  selection: ListSelection,
  accept: string,
  more: Readonly<Record<string, string>> = {},
): Promise<P[]> {
  const { namespace, labelSelector, fieldSelector, signal } = selection
  const read = async (paging: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ ...more, ...paging })
    if (labelSelector) query.set('labelSelector', labelSelector)
    if (fieldSelector) query.set('fieldSelector', fieldSelector)
    const path = `${collectionPath(place, namespace)}?${query}`
    return (await client.requestJson({ method: 'GET', path, headers: { accept }, signal })) as P
  }
  const pages = [await read({ limit: `${PAGE}` })]
  try {
    for (let token = pages[0]?.metadata?.continue; token; token = pages.at(-1)?.metadata?.continue) {
      pages.push(await read({ limit: `${PAGE}`, continue: token }))
    }
    return pages
  } catch (error) {
    if (!isExpired(error)) throw error
    return [await read({})]
  }
}

/** Names without the objects' contents. */
export function listMetadata(client: Client, place: Place, selection?: ListSelection): Promise<ApiObject[]> {
  return listObjects(client, place, selection, METADATA)
}

/** How many there are, in one short request. */
export async function countObjects(client: Client, place: Place): Promise<number> {
  const path = `${collectionPath(place)}?limit=1`
  const page = (await client.requestJson({ method: 'GET', path, headers: { accept: METADATA } })) as Page
  return (page.items?.length ?? 0) + (page.metadata.remainingItemCount ?? 0)
}

export async function createObject<T extends ApiObject>(
  client: Client,
  place: Place,
  namespace: string,
  object: object,
): Promise<T> {
  return (await client.requestJson({
    method: 'POST',
    path: collectionPath(place, namespace),
    headers: { 'content-type': 'application/json' },
    body: writeJson(object),
  })) as T
}

export async function patchObject<T extends ApiObject>(
  client: Client,
  place: Place,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  patch: object,
): Promise<T> {
  return (await client.requestJson({
    method: 'PATCH',
    path: objectPath(place, namespace, name),
    headers: { 'content-type': 'application/merge-patch+json' },
    body: writeJson(patch),
  })) as T
}

/** Does nothing when the object does not exist. */
export async function deleteObject(client: Client, place: Place, namespace: string, name: string): Promise<void> {
  try {
    await client.requestJson({ method: 'DELETE', path: objectPath(place, namespace, name) })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
