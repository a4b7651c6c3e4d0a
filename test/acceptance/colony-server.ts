// A server as users start it, with executors of the SDK, for the acceptance checks of the colony.

import { silentLog } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { type ApiObject, type Client, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { type ExecutorFunction, executor } from '@homeostat/executor'
import { onTestFinished } from 'vitest'
import { startServer } from '../server-process.ts'

export interface ColonyServer {
  readonly url: string
  readonly client: Client
  /** Sends a request below `/apis/colonies.io/v1/namespaces/default`. */
  send(method: string, path: string, body?: object): Promise<{ status: number; body: Answer }>
  create(kind: string, name: string, spec: object): Promise<{ status: number; body: Answer }>
  executor(type: string, functions: Readonly<Record<string, ExecutorFunction>>): void
}

export type Answer = ApiObject & {
  readonly message?: string
  readonly items?: readonly Answer[]
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>> & { readonly phase?: string }
}

const PLURALS: Readonly<Record<string, string>> = {
  Process: 'processes',
  ProcessGraph: 'processgraphs',
  Schedule: 'schedules',
  Executor: 'executors',
}

export async function colonyServer(): Promise<ColonyServer> {
  const { url } = await startServer(temporaryFolder(), ['--runtime', 'none'])
  const client = createClient(nodeTransport({ url }))
  onTestFinished(() => client.close())
  const send: ColonyServer['send'] = async (method, path, body) => {
    const response = await fetch(`${url}/apis/colonies.io/v1/namespaces/default${path}`, {
      method,
      headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Answer }
  }
  return {
    url,
    client,
    send,
    create: (kind, name, spec) =>
      send('POST', `/${PLURALS[kind]}`, { apiVersion: 'colonies.io/v1', kind, metadata: { name }, spec }),
    executor(type, functions) {
      const running = executor({ client, type, name: type, functions, log: silentLog, drain: '0s', concurrency: 4 })
      onTestFinished(() => running.close())
    },
  }
}
