// Reads a request as RBAC does: its verb, and what it is about. Pure. Requests about no resource, such as discovery and
// /version, need no rights of their own and are left out.

import type { TransportRequest } from '@homeostat/client'

export interface RequestInfo {
  /** get, list, watch, create, update, patch, delete or deletecollection. */
  readonly verb: string
  /** Empty for the core group. */
  readonly group: string
  /** The plural in URLs. */
  readonly resource: string
  readonly subresource?: string | undefined
  /** Undefined for all namespaces, and for cluster-scoped kinds. */
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

const NAMED: Readonly<Record<string, string>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }
const COLLECTION: Readonly<Record<string, string>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' }

export function requestInfo({ method, path }: Pick<TransportRequest, 'method' | 'path'>): RequestInfo | undefined {
  const { pathname, searchParams } = new URL(path, 'http://server')
  const parts = pathname.split('/').slice(1).map(decodeURIComponent)
  const group = parts[0] === 'apis' ? parts[1] : parts[0] === 'api' ? '' : undefined
  if (group === undefined) return undefined
  const rest = parts.slice(group === '' ? 2 : 3)
  // `/api/v1/namespaces/shop` is the Namespace itself.
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? rest[1] : undefined
  const [resource, named, subresource] = namespace === undefined ? rest : rest.slice(2)
  if (resource === undefined) return undefined
  const watches = named === undefined && method === 'GET' && ['true', '1'].includes(searchParams.get('watch') ?? '')
  const verb = watches ? 'watch' : (named !== undefined && method !== 'POST' ? NAMED : COLLECTION)[method]
  if (verb === undefined) return undefined
  return {
    verb,
    group,
    resource,
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...nameIn(named, searchParams),
  }
}

/** A list or a watch of one object carries its name in the selector, and RBAC counts it. */
function nameIn(named: string | undefined, query: URLSearchParams): { name?: string } {
  const name = named ?? /^metadata\.name=([^,]+)$/.exec(query.get('fieldSelector') ?? '')?.[1]
  return name === undefined ? {} : { name }
}
