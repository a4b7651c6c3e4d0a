// Connects a verb to its server: finds the server and the namespace, and turns failures into Faults.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@homeostat/client'
import {
  createClient,
  defaultConnection,
  type NodeTransportOptions,
  nodeTransport,
  readConnection,
} from '@homeostat/client/node'
import type { serverOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { faultOf } from './failure.ts'

export type ServerValues = Values<(typeof serverOptions)[number]> & {
  readonly namespace?: string | undefined
}

export interface Session {
  readonly client: Client
  readonly url: string
  /** PEM of the authority of the server's certificate, if the kubeconfig has one. */
  readonly ca?: string | undefined
  /** The name that the certificate must have, if the kubeconfig says another than that in `url`. */
  readonly serverName?: string | undefined
  /** From -n, COLONIES_COLONY_NAME or the kubeconfig, else `default`. */
  readonly namespace: string
}

type Env = Terminal['env']

/** A Status of the server and a connection error become Faults. */
export async function withServer<T>(
  values: ServerValues,
  terminal: Terminal,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  let client: Client | undefined
  let url: string | undefined
  try {
    const { transport, namespace = 'default' } = await connectionFor(values, terminal.env)
    url = transport.url
    client = createClient(nodeTransport(transport), { onWarning: (text) => terminal.error(`Warning: ${text}\n`) })
    const { ca, servername: serverName } = transport
    return await work({ client, url, ca: ca?.toString(), serverName, namespace: values.namespace ?? namespace })
  } catch (error) {
    throw faultOf(error, url)
  } finally {
    client?.close()
  }
}

interface Found {
  readonly namespace?: string | undefined
  readonly transport: NodeTransportOptions
}

/** Where the server is, and with which credentials, as flags, the environment and kubeconfigs say. */
export async function connectionFor({ server, kubeconfig, context }: ServerValues, env: Env): Promise<Found> {
  // A flag takes precedence over the environment variables of both options.
  const fileWasSaid = kubeconfig !== undefined && kubeconfig !== env.KUBECONFIG
  const serverWasSaid = server !== undefined && server !== env.HOMEOSTAT_SERVER
  if (context !== undefined) {
    const found = await connectionWith(context, kubeconfig, env)
    // As with kubectl: another address, with the credentials of the context.
    return serverWasSaid ? { ...found, transport: { ...found.transport, url: server } } : found
  }
  if (server !== undefined && (serverWasSaid || !fileWasSaid)) return { transport: { url: server } }
  if (kubeconfig !== undefined) return readConnection({ path: kubeconfig })
  const colony = colonyServer(env)
  if (colony !== undefined) return { transport: { url: colony } }
  const own = env.HOMEOSTAT_DATA ? join(env.HOMEOSTAT_DATA, 'kubeconfig') : ''
  return existsSync(own) ? readConnection({ path: own }) : defaultConnection({ env })
}

function connectionWith(context: string, kubeconfig: string | undefined, env: Env): Promise<Found> {
  if (kubeconfig !== undefined) return readConnection({ path: kubeconfig, context })
  return defaultConnection({ env, context })
}

/** From the environment variables of ColonyOS executors. */
function colonyServer({ COLONIES_SERVER_HOST: host, COLONIES_SERVER_PORT: port, COLONIES_INSECURE: plain }: Env) {
  if (!host) return undefined
  return `${plain === 'true' ? 'http' : 'https'}://${host}${port ? `:${port}` : ''}`
}
