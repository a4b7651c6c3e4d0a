// What the verbs about executors' credentials share: the objects of an account, its token, the server as executors see it.

import type { ApiObject, Client } from '@homeostat/client'
import { accountName, type ExecutorAccount } from '@homeostat/executor/account'
import { writeJson } from '@homeostat/meta'
import { createObject, findObject } from '../../access/objects.ts'
import {
  CONFIG_MAPS,
  NAMESPACES,
  objectPath,
  type Place,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
} from '../../access/paths.ts'
import { type ServerForOthers, serverForOthers } from '../../access/server-for-others.ts'
import type { Session } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { Terminal } from '../../terminal.ts'

/** Throws a Fault when there is an account for the executor. */
export async function createAccount({ client, namespace }: Session, made: ExecutorAccount): Promise<void> {
  const { name = '' } = made.account.metadata
  if (await findObject(client, SERVICE_ACCOUNTS, namespace, name)) {
    const executor = name.slice(accountName('').length)
    throw new Fault(
      `there is a credential for ${executor} in the namespace ${namespace} already; end it with: homeostat executor revoke ${executor} -n ${namespace}`,
    )
  }
  await createNamespace(client, namespace)
  const places: [Place, ApiObject][] = [
    [SERVICE_ACCOUNTS, made.account],
    [ROLES, made.role],
    [ROLE_BINDINGS, made.binding],
  ]
  for (const [place, object] of places) await createObject(client, place, namespace, object)
}

/** Unless it exists: as for other objects of a colony. */
async function createNamespace(client: Client, name: string): Promise<void> {
  if ((await findObject(client, NAMESPACES, name, name)) !== undefined) return
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  await createObject(client, NAMESPACES, name, namespace)
}

export async function requestToken(client: Client, namespace: string, account: string, ms: number): Promise<string> {
  const answer = (await client.requestJson({
    method: 'POST',
    path: objectPath(SERVICE_ACCOUNTS, namespace, account, 'token'),
    headers: { 'content-type': 'application/json' },
    body: writeJson({ spec: { expirationSeconds: Math.ceil(ms / 1000) } }),
  })) as unknown as { status: { token: string } }
  return answer.status.token
}

/** The server as executors reach it, with the authority of its certificate. */
export async function serverFor(
  { client, url, ca, serverName, namespace }: Session,
  values: { readonly address?: string | undefined; readonly 'certificate-authority'?: string | undefined },
  terminal: Terminal,
): Promise<ServerForOthers> {
  const asked = { url, serverName, address: values.address, authorityFile: values['certificate-authority'] }
  return serverForOthers({ ...asked, ca: ca ?? (await publishedAuthority(client, namespace)) }, terminal)
}

async function publishedAuthority(client: Client, namespace: string): Promise<string | undefined> {
  type ConfigMap = ApiObject & { data?: Record<string, string> }
  const root = await findObject<ConfigMap>(client, CONFIG_MAPS, namespace, 'kube-root-ca.crt')
  return root?.data?.['ca.crt']
}
