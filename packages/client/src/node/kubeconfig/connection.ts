// Turns a context of a kubeconfig into transport options: the server, the trusted authority, the credentials.

import { readFileSync } from 'node:fs'
import { basic, bearer, type Credential, type Credentials, fixed, withHeaders } from '../credentials/credentials.ts'
import { ExecPlugin } from '../credentials/exec-plugin.ts'
import { TokenFile } from '../credentials/token-file.ts'
import type { NodeTransportOptions } from '../transport/node-transport.ts'
import type { ClusterEntry, Kubeconfig, UserEntry } from './kubeconfig.ts'

export interface Connection {
  readonly context: string
  /** The namespace of the context. */
  readonly namespace: string | undefined
  readonly transport: NodeTransportOptions
}

/** `context` undefined: the current one. */
export function connectionOf(config: Kubeconfig, context: string | undefined): Connection {
  const name = context ?? config.currentContext
  if (name === '') throw new Error('the kubeconfig has no current-context; say which context to use')
  const { cluster: clusterName, user: userName, namespace } = named(config.contexts, 'context', name)
  if (!clusterName) throw new Error(`the context "${name}" of the kubeconfig names no cluster`)
  const cluster = named(config.clusters, 'cluster', clusterName)
  const user = userName ? named(config.users, 'user', userName) : {}
  return { context: name, namespace: namespace || undefined, transport: transportOf(clusterName, cluster, user) }
}

function transportOf(name: string, cluster: ClusterEntry, user: UserEntry): NodeTransportOptions {
  if (!cluster.server) throw new Error(`the cluster "${name}" of the kubeconfig has no server`)
  if (cluster['proxy-url']) {
    throw new Error(
      `the cluster "${name}" of the kubeconfig has a proxy-url, which this client does not support; ` +
        'take it out, or connect through a tunnel, e.g. kubectl proxy',
    )
  }
  const ca = dataOr(cluster['certificate-authority-data'], cluster['certificate-authority'])
  const servername = cluster['tls-server-name']
  const credentials = credentialsOf(user, cluster, ca)
  return {
    url: cluster.server,
    ...(ca !== undefined && { ca }),
    ...clientCertificate(user),
    ...(servername && { servername }),
    ...(cluster['insecure-skip-tls-verify'] && { insecureSkipTlsVerify: true }),
    ...(credentials !== undefined && { credentials }),
  }
}

function clientCertificate(user: UserEntry): { cert: string; key: string } | Record<string, never> {
  const cert = dataOr(user['client-certificate-data'], user['client-certificate'])
  const key = dataOr(user['client-key-data'], user['client-key'])
  if (cert === undefined && key === undefined) return {}
  if (cert === undefined || key === undefined) {
    throw new Error('the user of the kubeconfig has one of client certificate and key; both are needed')
  }
  return { cert, key }
}

function credentialsOf(user: UserEntry, cluster: ClusterEntry, ca: string | undefined): Credentials | undefined {
  const source = credentialSource(user, cluster, ca)
  const headers = impersonation(user)
  return headers === undefined ? source : withHeaders(source ?? fixed({}), headers)
}

function credentialSource(user: UserEntry, cluster: ClusterEntry, ca: string | undefined): Credentials | undefined {
  if (user.tokenFile) return new TokenFile(user.tokenFile, user.token)
  if (user.token) return fixed(bearer(user.token))
  if (user.username) return fixed(basic(user.username, user.password ?? ''))
  if (user.exec) {
    const { server = '', 'tls-server-name': tls, 'insecure-skip-tls-verify': insecure } = cluster
    return new ExecPlugin(user.exec, {
      server,
      ...(tls && { 'tls-server-name': tls }),
      ...(insecure && { 'insecure-skip-tls-verify': insecure }),
      ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    })
  }
  const provider = user['auth-provider']
  if (provider) {
    throw new Error(
      `the user of the kubeconfig has the auth-provider "${provider.name}", which clients no longer support; ` +
        'use an exec plugin',
    )
  }
  return undefined
}

function impersonation(user: UserEntry): Credential['headers'] | undefined {
  const { as, 'as-uid': uid, 'as-groups': groups } = user
  if (!as) return undefined
  return {
    'impersonate-user': as,
    ...(uid && { 'impersonate-uid': uid }),
    ...(groups && groups.length > 0 && { 'impersonate-group': groups }),
  }
}

/** PEM from inline base64, which takes precedence, or from a file. */
function dataOr(data: string | undefined, path: string | undefined): string | undefined {
  if (data) return Buffer.from(data, 'base64').toString()
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${path}, which the kubeconfig names, could not be read`, { cause })
  }
}

function named<T>(entries: ReadonlyMap<string, T>, what: string, name: string): T {
  const entry = entries.get(name)
  if (entry !== undefined) return entry
  const names = [...entries.keys()].map((known) => `"${known}"`).join(', ')
  throw new Error(`the kubeconfig has no ${what} "${name}"; it has ${names || 'none'}`)
}
