// One JSON request and its whole answer. Rejects when the connection breaks before the answer is complete.

import type { KubeObject, Status } from '@homeostat/meta'

export interface Answer {
  readonly code: number
  readonly headers: Headers
  /** An object, a list or a Status; the text itself where it is no JSON. */
  readonly body: KubeObject & Partial<Status> & { readonly items?: readonly KubeObject[] }
  readonly text: string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export async function call(
  url: string,
  method: Method = 'GET',
  body?: unknown,
  contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': contentType } }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : {}
  return { code: response.status, headers: response.headers, body: json, text }
}

/** The revision of an object or a list. */
export function revisionOf({ metadata }: { metadata: { resourceVersion?: string } }): number {
  return Number(metadata.resourceVersion)
}
