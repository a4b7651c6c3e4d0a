// An API server with its add-ons, in this process, on a store that the caller opens and closes. `up`, `dev` and `demo` start
// one.

import { type ApiServer, type ApiServerOptions, startApiServer } from '@homeostat/apiserver'
import type { AddOn } from '@homeostat/apiserver/add-on'
import type { Log } from '@homeostat/base'
import { Fault, systemCode } from '../fault.ts'
import { definitionsOf, runAddOns } from './add-ons.ts'
import { baseUrl } from './loopback.ts'

export interface ControlPlaneOptions extends Omit<ApiServerOptions, 'definitions' | 'extensions' | 'rules'> {
  readonly port: number
  readonly logger: Log
  readonly addOns: readonly AddOn[]
}

export interface ControlPlane {
  readonly url: string
  readonly configureAuthentication: ApiServer['configureAuthentication']
  /** Resolves when the server has ended, also after a failure of the store. */
  readonly done: Promise<void>
  /** Ends the add-ons, then the server. */
  close(): Promise<void>
}

export async function startControlPlane({ addOns, ...options }: ControlPlaneOptions): Promise<ControlPlane> {
  const { host, port, logger } = options
  const server = await startApiServer({
    ...options,
    definitions: definitionsOf(addOns),
    extensions: addOns.flatMap((addOn) => addOn.extensions ?? []),
    rules: addOns.flatMap((addOn) => addOn.rules ?? []),
  }).catch((cause: unknown) => {
    throw listenFault(cause, host, port)
  })
  const working = new AbortController()
  const work = runAddOns(server, addOns, logger, working.signal)
  return {
    url: baseUrl(host, server.address.port),
    configureAuthentication: (settings) => server.configureAuthentication(settings),
    done: server.done,
    async close() {
      working.abort()
      await work
      await server.close()
    },
  }
}

function listenFault(cause: unknown, host: string, port: number): unknown {
  const code = systemCode(cause)
  const where = baseUrl(host, port)
  if (code === 'EADDRINUSE')
    return new Fault(`${where} is in use; stop what listens there or choose another --port`, { cause })
  if (code === 'EACCES')
    return new Fault(`${where}: this user may not listen there; choose a --port above 1023`, { cause })
  if (code === 'EADDRNOTAVAIL')
    return new Fault(`${where}: this machine has no such address; use --host 127.0.0.1`, { cause })
  return cause
}
