// Fetches a server's OpenAPI documents for the requested group versions.

import type { Client } from '../api/client.ts'
import type { OpenApiDocument } from './openapi.ts'

/** Documents by group version, e.g. `apps/v1`, sorted. */
export async function readDocuments(
  client: Client,
  wanted: (apiVersion: string) => boolean,
  signal?: AbortSignal,
): Promise<Map<string, OpenApiDocument>> {
  const get = (path: string) =>
    client.requestJson({ method: 'GET', path, headers: { accept: 'application/json' }, signal })
  const index = (await get('/openapi/v3')) as { paths?: Record<string, { serverRelativeURL: string }> }
  const documents = new Map<string, OpenApiDocument>()
  for (const [path, { serverRelativeURL }] of Object.entries(index.paths ?? {}).toSorted()) {
    const apiVersion = groupVersionOf(path)
    if (apiVersion === undefined || !wanted(apiVersion)) continue
    documents.set(apiVersion, (await get(serverRelativeURL)) as OpenApiDocument)
  }
  return documents
}

/** `api/v1` and `apis/apps/v1`; others, such as `version`, describe no kinds. */
function groupVersionOf(path: string): string | undefined {
  return /^api\/([^/]+)$|^apis\/([^/]+\/[^/]+)$/
    .exec(path)
    ?.slice(1)
    .find((part) => part !== undefined)
}
