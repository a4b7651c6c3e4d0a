// Connects a program inside a pod to its own cluster by the service account's files and two environment variables.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TokenFile } from './credentials/token-file.ts'
import type { NodeTransportOptions } from './transport/node-transport.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The usual place; a program that has no file system of its own is told another one by HOMEOSTAT_SERVICE_ACCOUNT. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

export function serviceAccountFolder(env: Environment): string {
  return env.HOMEOSTAT_SERVICE_ACCOUNT || SERVICE_ACCOUNT
}

export function isInCluster(env: Environment = process.env, folder = serviceAccountFolder(env)): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT) && existsSync(join(folder, 'token'))
}

export function inClusterConnection(env: Environment = process.env, folder = serviceAccountFolder(env)) {
  const file = join(folder, 'namespace')
  const namespace = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return { namespace: namespace || undefined, transport: inClusterTransport(env, folder) }
}

export function inClusterTransport(
  env: Environment = process.env,
  folder = serviceAccountFolder(env),
): NodeTransportOptions {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  if (!host || !port) {
    throw new Error('this program is not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set')
  }
  const ca = join(folder, 'ca.crt')
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...(existsSync(ca) && { ca: readFileSync(ca, 'utf8') }),
    credentials: new TokenFile(join(folder, 'token')),
  }
}
