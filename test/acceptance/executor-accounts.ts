// Executors with accounts of their own, for the acceptance checks: each has a token and sends calls with it.

import type { ApiObject, Client } from '@homeostat/client'
import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { type AccountOptions, accountName, executorAccount } from '@homeostat/executor/account'
import { isStatusError } from '@homeostat/meta'
import type { TestColony } from '@homeostat/testing/colony'

export const COLONY = '/apis/colonies.io/v1/namespaces/lab'

export interface Answer {
  readonly code: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any response
  readonly body: any
}

export type Call = (method: string, path: string, body?: unknown, type?: string) => Promise<Answer>

export interface Credentialed {
  readonly call: Call
  readonly client: Client
  readonly token: string
}

/** Sends a call and returns its code, also for an error. */
export function callsOf(client: Client): Call {
  return async (method, path, body, type = 'application/json') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const sent = body === undefined ? {} : { headers: { 'content-type': type }, body: text }
    try {
      return { code: 200, body: await client.requestJson({ method, path, ...sent }) }
    } catch (error) {
      if (!isStatusError(error)) throw error
      return { code: error.code, body: error.status }
    }
  }
}

export function withToken(server: TestColony['server'], token: string): Credentialed {
  const headers = { authorization: `Bearer ${token}` }
  const client = createClient(nodeTransport({ url: 'http://localhost', headers, connect: () => server.connect() }))
  return { call: callsOf(client), client, token }
}

export async function tokenOf(client: Client, namespace: string, account: string): Promise<string> {
  const answer = (await client.requestJson({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    headers: { 'content-type': 'application/json' },
    body: '{"spec": {"expirationSeconds": 3600}}',
  })) as unknown as { status: { token: string } }
  return answer.status.token
}

/** Makes the account, its rights and a token. */
export async function credentialed(
  { client, server }: TestColony,
  options: Partial<AccountOptions> & { readonly name: string },
): Promise<Credentialed> {
  const { namespace = 'lab' } = options
  const { account, role, binding } = executorAccount({ type: 'python', ...options, namespace })
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
  const places: [string, ApiObject][] = [
    [`/api/v1/namespaces/${namespace}/serviceaccounts`, account],
    [`${rbac}/roles`, role],
    [`${rbac}/rolebindings`, binding],
  ]
  for (const [path, object] of places) {
    const headers = { 'content-type': 'application/json' }
    await client.requestJson({ method: 'POST', path, headers, body: JSON.stringify(object) })
  }
  return withToken(server, await tokenOf(client, namespace, accountName(options.name)))
}

export function executorObject(name: string, spec: object = { type: 'python' }) {
  return { apiVersion: 'colonies.io/v1', kind: 'Executor', metadata: { name, namespace: 'lab' }, spec }
}

export function processObject(name: string, executorType = 'python') {
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: { name, namespace: 'lab' },
    spec: { funcName: 'add', args: ['secret input'], conditions: { executorType } },
  }
}
