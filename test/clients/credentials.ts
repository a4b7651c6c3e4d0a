// Who a client of the matrix is: each comes over TLS with a token, a certificate or a JWT of an issuer, in rotation, and has its rights
// by a binding of its own. Writes the kubeconfig.

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readPki } from '@homeostat/apiserver/keys'
import { issueCertificate } from '@homeostat/pki'
import type { Issuer } from './issuer.ts'
import type { MatrixServer } from './matrix-server.ts'
import type { Manager } from './programs.ts'

const WAYS = ['token', 'certificate', 'oidc'] as const
type Way = (typeof WAYS)[number]

const run = promisify(execFile)
const RBAC = 'rbac.authorization.k8s.io'

export function wayOf(index: number): Way {
  return WAYS[index % WAYS.length] as Way
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

const HOUR_MS = 3_600_000

/** Gives a manager and its accounts their rights. The kubeconfig has a certificate, which the command makes for no user of the system. */
export async function managerKubeconfig({ user, rules, accounts }: Manager, server: MatrixServer): Promise<string> {
  await grant(server, user, rules, { apiGroup: RBAC, kind: 'User', name: user })
  for (const [name, own] of Object.entries(accounts))
    await grant(server, name, own, { kind: 'ServiceAccount', name, namespace: 'kube-system' })
  const text = (file: string) => readFileSync(join(server.folder, 'pki', file), 'utf8')
  const files = { 'ca.crt': text('ca.crt'), 'ca.key': text('ca.key'), 'token.key': text('token.key') }
  const now = Date.now()
  const { certificate, key } = issueCertificate(readPki(files).issuingAuthority, {
    commonName: user,
    usage: 'client',
    notBefore: new Date(now - HOUR_MS),
    notAfter: new Date(now + HOUR_MS),
  })
  const base64 = (pem: string) => Buffer.from(pem).toString('base64')
  const cluster = { server: server.secureUrl, 'certificate-authority': join(server.folder, 'pki/ca.crt') }
  const credential = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) }
  return writeKubeconfig(user.replaceAll(':', '-'), server, cluster, credential)
}

async function grant(server: MatrixServer, name: string, rules: readonly object[], subject: object): Promise<void> {
  const metadata = { name: `matrix:${name}` }
  await server.post(`/apis/${RBAC}/v1/clusterroles`, { metadata, rules })
  await server.post(`/apis/${RBAC}/v1/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: metadata.name },
    subjects: [subject],
  })
}

async function accountToken(namespace: string, server: MatrixServer): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`
  const { status } = (await server.post(path, { spec: { expirationSeconds: 3600 } })) as { status: { token: string } }
  return status.token
}
