// An API server with its add-ons, in this process, on a store that the caller opens and closes. `up`, `dev` and `demo` start
// one.

import { type ApiServer, type ApiServerOptions, type SecurePort, startApiServer } from '@homeostat/apiserver'
import type { AddOn } from '@homeostat/apiserver/add-on'
import type { Log } from '@homeostat/base'
import { Fault, systemCode } from '../fault.ts'
import { baseUrl, localAddress } from './access-plan.ts'
import { definitionsOf, extensionsOf, runAddOns } from './add-ons.ts'
import { dashboard, type LoadProviders } from './dashboard.ts'

export interface ControlPlaneOptions extends Omit<ApiServerOptions, 'definitions' | 'extensions' | 'rules'> {
  readonly port: number | undefined
  readonly logger: Log
  readonly addOns: readonly AddOn[]
  /** Default: the dashboard's users log in by a token alone. */
  readonly providers?: LoadProviders | undefined
}

export interface ControlPlane {
  /** Plain HTTP where there is some, else TLS. */
  readonly url: string
  readonly configureAuthentication: ApiServer['configureAuthentication']
  /** Undefined without TLS. */
  readonly secure: SecurePort | undefined
  /** Publishes other certificates (PEM) by which clients verify this server. */
  publishAuthorities(caBundle: string): void
  /** Resolves when the server has ended, also after a failure of the store. */
  readonly done: Promise<void>
  /** Announces the end, and goes on serving. */
  drain(): void
  /** Ends the add-ons, then the server. */
  close(): Promise<void>
}

export async function startControlPlane({ addOns, providers, ...options }: ControlPlaneOptions): Promise<ControlPlane> {
  const { logger } = options
  const server = await startApiServer({
    ...options,
    site: options.pki && dashboard(options.pki, providers),
    definitions: definitionsOf(addOns),
    extensions: extensionsOf(addOns),
    rules: addOns.flatMap((addOn) => addOn.rules ?? []),
  }).catch((cause: unknown) => {
    throw listenFault(cause, options)
  })
  const working = new AbortController()
  const work = runAddOns(server, addOns, logger, working.signal)
  return {
    url: urlOf(server),
    secure: server.secure,
    publishAuthorities: (caBundle) => server.publishAuthorities(caBundle),
    configureAuthentication: (settings) => server.configureAuthentication(settings),
    done: server.done,
    drain: () => server.drain(),
    async close() {
      working.abort()
      await work
      await server.close()
    },
  }
}

function urlOf({ address, secure }: Pick<ApiServer, 'address' | 'secure'>): string {
  if (address.port > 0 || secure === undefined) return baseUrl(address.host, address.port)
  return baseUrl(localAddress(secure.address.host), secure.address.port, 'https')
}

function listenFault(
  cause: unknown,
  { host, port, secure }: Omit<ControlPlaneOptions, 'addOns' | 'providers'>,
): unknown {
  const code = systemCode(cause)
  const isSecure = secure !== undefined && (cause as { port?: number }).port === secure.port
  const where = isSecure ? baseUrl(secure.host, secure.port, 'https') : baseUrl(host, port ?? 0)
  const flag = isSecure ? '--secure-port' : '--port'
  if (code === 'EADDRINUSE')
    return new Fault(`${where} is in use; stop what listens there or choose another ${flag}`, { cause })
  if (code === 'EACCES')
    return new Fault(`${where}: this user may not listen there; choose a ${flag} above 1023`, { cause })
  if (code === 'EADDRNOTAVAIL')
    return new Fault(`${where}: this machine has no such address; use --host 127.0.0.1`, { cause })
  return cause
}
