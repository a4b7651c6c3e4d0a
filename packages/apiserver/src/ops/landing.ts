// The body of GET /: what this server is, endpoints that a person can try, and every path, as Kubernetes lists them.

import { formatGroupVersion } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { GIT_VERSION } from './version.ts'

export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly description: string
}

export interface Landing {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly endpoints: readonly Endpoint[]
  readonly paths: readonly string[]
}

const FIXED: readonly Endpoint[] = [
  endpoint('GET', '/', 'This page'),
  endpoint('GET', '/healthz', 'Health; also /livez and /readyz, with ?verbose for every check'),
  endpoint('GET', '/metrics', 'Metrics in the Prometheus text format'),
  endpoint('GET', '/version', 'The Kubernetes version whose API is served'),
  endpoint('GET', '/api', 'Versions of the core group'),
  endpoint('GET', '/apis', 'All other API groups'),
  endpoint('GET', '/openapi/v2', 'The OpenAPI document of everything, for older clients'),
  endpoint('GET', '/openapi/v3', 'OpenAPI documents, one per group and version'),
  endpoint('GET', '/crd', 'Custom resource definitions'),
  endpoint('GET', '/watch', 'Changes of custom resources as server-sent events'),
  endpoint('GET', '/events', 'Recent events'),
]

/** `health` holds the paths of single checks, such as `/livez/ping`. */
export function landing(types: ResourceTypes, health: readonly string[] = []): Landing {
  const all = types.all()
  const custom = all.filter((type) => type.custom).sort((a, b) => (collectionPath(a) < collectionPath(b) ? -1 : 1))
  return {
    name: 'homeostat',
    description: 'A control plane for custom resources that speaks the Kubernetes API',
    version: GIT_VERSION,
    endpoints: [...FIXED, ...custom.flatMap(resourceEndpoints)],
    paths: paths(all, health),
  }
}

function paths(types: readonly ResourceType[], health: readonly string[]): string[] {
  const found = new Set(['/livez', '/readyz', ...health])
  for (const { path } of FIXED) if (path !== '/') found.add(path)
  for (const type of types) {
    found.add(versionPath(type))
    if (type.group !== '') found.add(`/apis/${type.group}`)
    found.add(`/openapi/v3${versionPath(type)}`)
  }
  return [...found].sort()
}

function resourceEndpoints(type: ResourceType): Endpoint[] {
  const collection = collectionPath(type)
  const one = `${collection}/{name}`
  const offered: [verb: string, Endpoint][] = [
    ['list', endpoint('GET', collection, `List ${type.resource}; with ?watch=true, watch them`)],
    ['create', endpoint('POST', collection, `Create a resource of kind ${type.kind}`)],
    ['get', endpoint('GET', one, `Get one ${type.kind}`)],
    ['update', endpoint('PUT', one, `Replace one ${type.kind}`)],
    ['patch', endpoint('PATCH', one, `Change parts of one ${type.kind}`)],
    ['delete', endpoint('DELETE', one, `Delete one ${type.kind}`)],
  ]
  return offered.filter(([verb]) => type.verbs.includes(verb)).map(([, entry]) => entry)
}

function collectionPath(type: ResourceType): string {
  return `${versionPath(type)}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.resource}`
}

function versionPath(type: ResourceType): string {
  return `${type.group === '' ? '/api' : '/apis'}/${formatGroupVersion(type)}`
}

function endpoint(method: string, path: string, description: string): Endpoint {
  return { method, path, description }
}
