// Writes the kubeconfig with which kubectl and other clients reach this server.

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Replaces the file atomically, readable by its owner alone, and returns its path. */
export function writeKubeconfig(directory: string, server: string): string {
  return write(
    directory,
    kubeconfig(
      `server: ${JSON.stringify(server)}
      # There is no TLS on loopback. The JavaScript client refuses plain HTTP unless it is told so.
      insecure-skip-tls-verify: true`,
      '{}',
    ),
  )
}

export interface SecureCredentials {
  readonly server: string
  /** PEM by which clients verify the server. Default: the authorities that they trust. */
  readonly caBundle: string | undefined
  /** The name to verify instead of that in `server`. */
  readonly serverName: string | undefined
  /** PEM of the client's certificate and key. */
  readonly certificate: string
  readonly key: string
}

/** The same for a server with TLS. */
export function writeSecureKubeconfig(directory: string, credentials: SecureCredentials): string {
  return write(directory, secureKubeconfig(credentials))
}

export function secureKubeconfig({ server, caBundle, serverName, certificate, key }: SecureCredentials): string {
  const authority = caBundle === undefined ? '' : `\n      certificate-authority-data: ${base64(caBundle)}`
  const name = serverName === undefined ? '' : `\n      tls-server-name: ${serverName}`
  return kubeconfig(
    `server: ${JSON.stringify(server)}${name}${authority}`,
    `
      client-certificate-data: ${base64(certificate)}
      client-key-data: ${base64(key)}`,
  )
}

function write(directory: string, text: string): string {
  const file = join(directory, 'kubeconfig')
  const unfinished = `${file}.${process.pid}.tmp`
  writeFileSync(unfinished, text, { mode: 0o600 })
  renameSync(unfinished, file)
  return file
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function kubeconfig(cluster: string, user: string): string {
  return `apiVersion: v1
kind: Config
current-context: homeostat
clusters:
  - name: homeostat
    cluster:
      ${cluster}
contexts:
  - name: homeostat
    context:
      cluster: homeostat
      user: homeostat
      namespace: default
users:
  - name: homeostat
    user: ${user}
`
}
