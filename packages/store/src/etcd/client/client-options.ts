// The options of the client and their defaults. The store's options hold most of them.

import type { EtcdStoreOptions } from '../options.ts'

export interface EtcdClientOptions
  extends Pick<
    EtcdStoreOptions,
    'endpoints' | 'tls' | 'user' | 'password' | 'dialTimeoutMs' | 'requestTimeoutMs' | 'maxRequestBytes'
  > {
  /** The longest answer that is read. Default 256 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** How often the connected member is asked how it is. One that does not answer within `dialTimeoutMs` is left. Default 1 second. */
  readonly healthMs?: number | undefined
}

export function withDefaults(options: EtcdClientOptions) {
  const endpoints = options.endpoints.map((endpoint) => checked(endpoint))
  if (endpoints.length === 0) throw new TypeError('etcd needs at least one endpoint, such as http://127.0.0.1:2379')
  if (new Set(endpoints.map((endpoint) => endpoint.split(':')[0])).size > 1)
    throw new TypeError(`the endpoints of etcd must be all https or all http: ${endpoints.join(',')}`)
  return {
    endpoints,
    tls: options.tls,
    user: options.user,
    password: options.password ?? '',
    dialTimeoutMs: options.dialTimeoutMs ?? 2000,
    requestTimeoutMs: options.requestTimeoutMs ?? 5000,
    maxRequestBytes: options.maxRequestBytes ?? 1.5 * 2 ** 20,
    maxResponseBytes: options.maxResponseBytes ?? 2 ** 28,
    healthMs: options.healthMs ?? 1000,
  }
}

export type Settings = ReturnType<typeof withDefaults>

function checked(endpoint: string): string {
  const url = URL.parse(endpoint)
  if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || url.pathname !== '/' || url.username !== '')
    throw new TypeError(`an endpoint of etcd looks like https://a.example:2379, not ${endpoint}`)
  return url.origin
}
