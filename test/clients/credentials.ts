// Who a client of the matrix is: each comes over TLS with a token, a certificate or a JWT of an issuer, in rotation, and has its rights
// by a binding of its own. Writes the kubeconfig.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Issuer } from './issuer.ts'
import type { MatrixServer } from './matrix-server.ts'

const WAYS = ['token', 'certificate', 'oidc'] as const
type Way = (typeof WAYS)[number]

const run = promisify(execFile)
const RBAC = 'rbac.authorization.k8s.io'

export function wayOf(index: number): Way {
  return WAYS[index % WAYS.length] as Way
}

/** A kubeconfig for plain HTTP on this machine, whose callers are the administrator. */
export function plainKubeconfig(namespace: string, server: MatrixServer): string {
  return writeKubeconfig(namespace, server, { server: server.url }, {})
}

/** Gives the client of this namespace a credential with every right; the path of its kubeconfig. */
export async function credentialFor(
  way: Way,
  namespace: string,
  server: MatrixServer,
  issuer: Issuer,
): Promise<string> {
  await server.post(`/apis/${RBAC}/v1/clusterrolebindings`, {
    metadata: { name: namespace },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [
      way === 'token'
        ? { kind: 'ServiceAccount', name: 'default', namespace }
        : { apiGroup: RBAC, kind: 'User', name: way === 'oidc' ? `oidc:${namespace}` : namespace },
    ],
  })
  if (way === 'certificate') return certificateFor(namespace, server)
  const token = way === 'oidc' ? await issuer.token(namespace) : await accountToken(namespace, server)
  const cluster = { server: server.secureUrl, 'certificate-authority': join(server.folder, 'pki/ca.crt') }
  return writeKubeconfig(namespace, server, cluster, { token })
}

function writeKubeconfig(namespace: string, server: MatrixServer, cluster: object, user: object): string {
  const file = join(server.folder, `${namespace}.kubeconfig`)
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'matrix',
    clusters: [{ name: 'homeostat', cluster }],
    contexts: [{ name: 'matrix', context: { cluster: 'homeostat', user: 'client', namespace } }],
    users: [{ name: 'client', user }],
  }
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return file
}

/** A kubeconfig with a certificate, made by the command. */
async function certificateFor(user: string, server: MatrixServer): Promise<string> {
  const out = join(server.folder, `${user}.kubeconfig`)
  const args = ['kubeconfig', '--user', user, '--for', '1h', '--out', out, '--data-dir', server.folder]
  await run(process.execPath, [...server.command, ...args], { cwd: server.root })
  return out
}

async function accountToken(namespace: string, server: MatrixServer): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`
  const { status } = (await server.post(path, { spec: { expirationSeconds: 3600 } })) as { status: { token: string } }
  return status.token
}
