// Writes the kubeconfig with which kubectl and other clients reach this server.

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Replaces the file atomically, readable by its owner alone, and returns its path. */
export function writeKubeconfig(directory: string, server: string): string {
  const file = join(directory, 'kubeconfig')
  const unfinished = `${file}.${process.pid}.tmp`
  writeFileSync(unfinished, kubeconfig(server), { mode: 0o600 })
  renameSync(unfinished, file)
  return file
}

function kubeconfig(server: string): string {
  return `apiVersion: v1
kind: Config
current-context: homeostat
clusters:
  - name: homeostat
    cluster:
      server: ${JSON.stringify(server)}
      # There is no TLS on loopback. The JavaScript client refuses plain HTTP unless it is told so.
      insecure-skip-tls-verify: true
contexts:
  - name: homeostat
    context:
      cluster: homeostat
      user: homeostat
      namespace: default
users:
  - name: homeostat
    user: {}
`
}
