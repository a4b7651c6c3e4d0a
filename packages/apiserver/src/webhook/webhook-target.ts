// Where a webhook is: made of the clientConfig of a webhook configuration or of a definition, for each call anew, since
// services move.

import { isIP } from 'node:net'
import type { ServiceAddresses } from './service-addresses.ts'

/** `clientConfig` as it is stored, after validation and defaults. */
export interface ClientConfig {
  readonly url?: string
  readonly service?: {
    readonly namespace?: string
    readonly name?: string
    readonly path?: string
    readonly port?: number
  }
  readonly caBundle?: string
}

export interface WebhookTarget {
  /** For messages. */
  readonly url: string
  /** The name or address to connect to. */
  readonly host: string
  readonly port: number
  /** With the query. */
  readonly path: string
  /** For the Host header. */
  readonly authority: string
  /** The name that the certificate must have; empty for an address. */
  readonly serverName: string
  /** PEM; undefined for the authorities of the system. */
  readonly ca: string | undefined
}

/** Throws an Error that says what is missing. `query` is added to the URL. */
export function webhookTarget(config: ClientConfig, services: ServiceAddresses, query = ''): WebhookTarget {
  const ca = bundleOf(config.caBundle)
  if (config.service === undefined) return urlTarget(config.url ?? '', query, ca)
  const { namespace = '', name = '', path = '', port = 443 } = config.service
  const serverName = `${name}.${namespace}.svc`
  const url = new URL(`https://${serverName}:${port}`)
  url.pathname = path
  url.search = query
  const address = services.resolve(
    { namespace, name, port },
    `Post "https://${serverName}:${port}${url.pathname}${url.search}"`,
  )
  return {
    url: `https://${serverName}:${port}${url.pathname}${url.search}`,
    host: address.host,
    port: address.port,
    path: url.pathname + url.search,
    authority: `${serverName}:${port}`,
    serverName,
    ca,
  }
}

function urlTarget(text: string, query: string, ca: string | undefined): WebhookTarget {
  const url = new URL(text)
  url.search = query
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    url: url.href,
    host,
    port: url.port === '' ? 443 : Number(url.port),
    path: url.pathname + url.search,
    authority: url.host,
    serverName: isIP(host) > 0 ? '' : host,
    ca,
  }
}

function bundleOf(caBundle: string | undefined): string | undefined {
  if (caBundle === undefined || caBundle === '') return undefined
  const pem = Buffer.from(caBundle, 'base64').toString('latin1')
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('unable to load root certificates: unable to parse bytes as PEM block')
  return pem
}
