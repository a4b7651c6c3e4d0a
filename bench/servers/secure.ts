// A server that listens with TLS too, and an account that may do all with the items of the bench and nothing else.

import { join } from 'node:path'
import { COLLECTION } from '../items/item.ts'
import { type Lab, post } from '../lab.ts'
import { freePort, type Program, type Started } from './homeostat.ts'
import type { Server } from './server.ts'

export interface Secure {
  /** Plain HTTP, as the administrator. */
  readonly plain: Started
  /** The same process by its TLS port. */
  readonly tls: Server
  readonly token: string
  /** Its authority's certificate and key, with which a bare server speaks TLS. */
  readonly keys: string
}

/** The flags for a TLS port that is free. */
export async function secureFlags(): Promise<string[]> {
  return ['--secure', '--secure-port', String(await freePort())]
}

export async function startSecure(lab: Lab, program?: Program, more: readonly string[] = []): Promise<Secure> {
  const flags = await secureFlags()
  const plain = await lab.startWithDefinition(program, [...more, ...flags])
  const token = await accountToken(plain)
  return { plain, tls: { ...plain, port: Number(flags.at(-1)) }, token, keys: join(plain.directory, 'pki') }
}

/** Adds the token to a request in text. */
export function withToken(text: string, token: string): string {
  return text.replace('\r\n', `\r\nauthorization: Bearer ${token}\r\n`)
}

async function accountToken(server: Server): Promise<string> {
  const metadata = { name: 'bench', namespace: 'bench' }
  const group = 'rbac.authorization.k8s.io'
  const rights = `/apis/${group}/v1/namespaces/bench`
  const accounts = '/api/v1/namespaces/bench/serviceaccounts'
  await post(server, accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  await post(server, `${rights}/roles`, {
    apiVersion: `${group}/v1`,
    kind: 'Role',
    metadata,
    rules: [{ apiGroups: [COLLECTION.split('/')[2]], resources: ['items'], verbs: ['*'] }],
  })
  await post(server, `${rights}/rolebindings`, {
    apiVersion: `${group}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: group, kind: 'Role', name: 'bench' },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  })
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 86_400 } }
  const made = (await post(server, `${accounts}/bench/token`, asked)) as { status: { token: string } }
  return made.status.token
}
