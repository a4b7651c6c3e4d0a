// Parses Kubernetes URLs: /api/v1 or /apis/GROUP/VERSION, an optional namespace, a resource, a name, a subresource.
// Every request passes here, so it slices strings and allocates little.

import { OVERVIEW_PATH } from '../overview/overview-path.ts'

export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly namespace: string | undefined
  readonly resource: string
  readonly name: string | undefined
  readonly subresource: string | undefined
  /** The deprecated form /api/v1/watch/..., which means ?watch=true. */
  readonly watch: boolean
}

export type RequestPath =
  | { readonly kind: 'resource'; readonly path: ResourcePath }
  /** /api, /apis, /apis/GROUP, /apis/GROUP/VERSION; `version` undefined lists what there is. */
  | {
      readonly kind: 'discovery'
      readonly root: 'api' | 'apis'
      readonly group: string | undefined
      readonly version: string | undefined
    }
  | { readonly kind: 'other' }

const OTHER: RequestPath = { kind: 'other' }

/**
 * Parses the paths of a server's requests. Clients name the same few collections again and again, so that a get or a create
 * seldom has to take its path apart; the rows of gets and creates gain by it.
 */
export class RequestPaths {
  readonly #collections = new Map<string, RequestPath>()
  /** Collections by what stands before the last slash when an object is named after it. */
  readonly #parents = new Map<string, ResourcePath>()

  /** `pathname` without query. Throws URIError for a broken escape. */
  parse(pathname: string): RequestPath {
    const known = this.#collections.get(pathname)
    if (known) return known
    const slash = pathname.lastIndexOf('/')
    const collection = this.#parents.get(pathname.slice(0, slash))
    if (collection && slash + 1 < pathname.length && !pathname.includes('%', slash)) {
      return { kind: 'resource', path: { ...collection, name: pathname.slice(slash + 1) } }
    }
    const parsed = parsePath(pathname)
    if (parsed.kind === 'resource') {
      if (parsed.path.name === undefined) this.#keepCollection(pathname, parsed)
      else this.#keepParent(parsed.path, pathname, slash)
    }
    return parsed
  }

  #keepCollection(pathname: string, parsed: RequestPath): void {
    if (pathname.length > MAX_PATH) return
    if (this.#collections.size >= MAX_KEPT) this.#collections.clear()
    this.#collections.set(pathname, parsed)
  }

  #keepParent(path: ResourcePath, pathname: string, slash: number): void {
    if (path.name === undefined || path.subresource !== undefined || path.watch || pathname.includes('%')) return
    if (slash + 1 === pathname.length) return
    if (this.#parents.size >= MAX_KEPT) this.#parents.clear()
    this.#parents.set(pathname.slice(0, slash), { ...path, name: undefined })
  }
}

/** Paths of strangers must not fill the memory. */
const MAX_PATH = 512
const MAX_KEPT = 256

/** `pathname` without query. Throws URIError for a broken escape. */
export function parsePath(pathname: string): RequestPath {
  if (pathname === OVERVIEW_PATH) return OTHER
  const core = pathname.startsWith('/api/') || pathname === '/api'
  if (!core && !pathname.startsWith('/apis/') && pathname !== '/apis') return OTHER
  const parts = pathname.split('/')
  if (parts.at(-1) === '') parts.pop()
  if (pathname.includes('%')) for (let i = 0; i < parts.length; i++) parts[i] = decodeURIComponent(parts[i] as string)
  const group = core ? '' : parts[2]
  const version = core ? parts[2] : parts[3]
  let at = core ? 3 : 4
  if (parts.length <= at || group === undefined || version === undefined) {
    return { kind: 'discovery', root: core ? 'api' : 'apis', group, version }
  }
  const watch = parts[at] === 'watch' && parts.length > at + 1
  if (watch) at++
  const path = resourcePath(parts, at, group, version, watch)
  return path ? { kind: 'resource', path } : OTHER
}

function resourcePath(
  parts: readonly string[],
  at: number,
  group: string,
  version: string,
  watch: boolean,
): ResourcePath | undefined {
  if (parts.indexOf('', at) >= 0) return undefined
  let namespace: string | undefined
  // /namespaces/x and its subresources name the namespace itself; longer paths are inside it.
  if (
    parts[at] === 'namespaces' &&
    parts.length > at + 2 &&
    !(group === '' && NAMESPACE_SUBRESOURCES.includes(parts[at + 2] as string))
  ) {
    namespace = parts[at + 1]
    at += 2
  }
  const [resource, name, subresource, ...more] = parts.slice(at)
  if (resource === undefined || more.length > 0) return undefined
  return { group, version, namespace, resource, name, subresource, watch }
}

const NAMESPACE_SUBRESOURCES = ['status', 'finalize']
