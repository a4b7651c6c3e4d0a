// Finds a server in the usual places: KUBECONFIG, the cluster a pod runs in, Homeostat in this folder, ~/.kube/config.

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../api/client.ts'
import { type ClientOptions, createClient } from '../create-client.ts'
import { inClusterConnection, isInCluster, serviceAccountFolder } from './in-cluster.ts'
import { type Connection, connectionOf } from './kubeconfig/connection.ts'
import { readKubeconfig } from './kubeconfig/read-kubeconfig.ts'
import { type NodeTransportOptions, nodeTransport } from './transport/node-transport.ts'

export interface KubeconfigOptions {
  /** One path, or several as in KUBECONFIG. Default: KUBECONFIG, else ~/.kube/config. */
  readonly path?: string | undefined
  /** Default: the current context. */
  readonly context?: string | undefined
}

/** Where a default client looks; tests set these. */
export interface Places {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly folder?: string
  readonly home?: string
  readonly serviceAccount?: string
  /** Of the kubeconfig; the first one that has it is taken. Default: the current context of the first one. */
  readonly context?: string | undefined
}

export async function clientFromKubeconfig(options: KubeconfigOptions & ClientOptions = {}): Promise<Client> {
  const { transport } = await readConnection(options)
  return createClient(nodeTransport(transport), options)
}

export async function defaultClient(options: ClientOptions = {}): Promise<Client> {
  return createClient(nodeTransport(await defaultTransport()), options)
}

/** Reads a context of a kubeconfig: its namespace and the transport options for its server. */
export async function readConnection({ path, context }: KubeconfigOptions = {}): Promise<Connection> {
  const paths = path ?? (process.env.KUBECONFIG || join(homeFolder(), '.kube/config'))
  return connectionOf(await readKubeconfig(paths), context)
}

export async function defaultTransport(places: Places = {}): Promise<NodeTransportOptions> {
  return (await defaultConnection(places)).transport
}

/** The transport options of the default client with their namespace. */
export async function defaultConnection(places: Places = {}): Promise<Omit<Connection, 'context'>> {
  const { env = process.env, folder = '.', home = homeFolder() } = places
  const { serviceAccount = serviceAccountFolder(env) } = places
  const own = join(folder, '.homeostat/kubeconfig')
  const users = join(home, '.kube/config')
  if (places.context !== undefined) {
    return withContext(
      places.context,
      env.KUBECONFIG ? [env.KUBECONFIG] : [own, users].filter((path) => existsSync(path)),
    )
  }
  if (env.KUBECONFIG) return readConnection({ path: env.KUBECONFIG })
  if (isInCluster(env, serviceAccount)) return inClusterConnection(env, serviceAccount)
  const file = [own, users].find((path) => existsSync(path))
  if (file !== undefined) return readConnection({ path: file })
  throw new Error(
    'no server is known: the variable KUBECONFIG is not set, this program does not run in a pod ' +
      `(${serviceAccount}), and there is neither ${own}, which \`homeostat\` writes, nor ${users}`,
  )
}

/** A user that the machine has no entry of has none: containers run with any number. */
function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return '/'
  }
}

async function withContext(context: string, paths: readonly string[]): Promise<Connection> {
  const known: string[] = []
  for (const path of paths) {
    const config = await readKubeconfig(path)
    if (config.contexts.has(context)) return connectionOf(config, context)
    known.push(`${path} has ${[...config.contexts.keys()].map((name) => `"${name}"`).join(', ') || 'none'}`)
  }
  throw new Error(`no kubeconfig has a context "${context}": ${known.join('; ') || 'there is no kubeconfig'}`)
}
