// The names that the palette may mean: of namespaces, and of objects of custom kinds, a few thousand at most, asked for when somebody writes two letters.

import { client } from '../../connection/client.ts'
import { collectionPath, type Kind } from '../../kinds/kind.ts'
import type { NamedObject } from './entries.ts'

const MOST_KINDS = 30
const MOST_OF_EACH = 500
const AT_ONCE = 3
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'

interface Names {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[]
}

/** Tells after each kind. One that may not be listed is left out. */
export async function readObjectNames(
  kinds: readonly Kind[],
  tell: (objects: readonly NamedObject[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const waiting = kinds.filter(isSearched).slice(0, MOST_KINDS)
  const found: NamedObject[] = []
  const worker = async () => {
    for (let kind = waiting.shift(); kind !== undefined && !signal.aborted; kind = waiting.shift()) {
      try {
        const path = `${collectionPath(kind)}?limit=${MOST_OF_EACH}`
        const headers = { Accept: METADATA }
        const { items } = (await client.requestJson({ method: 'GET', path, headers, signal })) as Names
        for (const { metadata } of items) found.push({ kind, namespace: metadata.namespace, name: metadata.name })
        tell([...found])
      } catch {
        // The palette offers what there is.
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

export async function readNamespaces(signal: AbortSignal): Promise<string[]> {
  const request = { method: 'GET', path: '/api/v1/namespaces', headers: { Accept: METADATA }, signal }
  const { items } = (await client.requestJson(request)) as Names
  return items.map(({ metadata }) => metadata.name)
}

function isSearched({ group, resource }: Kind): boolean {
  if (group === '') return resource === 'configmaps' || resource === 'pods' || resource === 'services'
  return group.includes('.') && !group.endsWith('.k8s.io')
}
