// Functional-style operators on an in-process server, with a count of their writes.

import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { type ApiObject, type Client, createClient, type LooseObject } from '@homeostat/client'
import { type Running, type RunOptions, run } from '../run.ts'
import type { Controlled } from '../runtime/controlled.ts'
import { startTestServer } from '../testing/server.fixture.ts'

/** `await using shop = await openShop(...)`: closes operators and server with the test. */
export interface Shop extends AsyncDisposable {
  readonly client: Client
  operate(controlled: Controlled | readonly Controlled[], options?: RunOptions): Promise<Operated>
  apply(manifest: object): Promise<LooseObject>
  find(apiVersion: string, kind: string, name: string, namespace?: string): Promise<LooseObject | undefined>
  patch(apiVersion: string, kind: string, name: string, patch: object, namespace?: string): Promise<LooseObject>
  patchStatus(apiVersion: string, kind: string, name: string, status: object): Promise<LooseObject>
  remove(apiVersion: string, kind: string, name: string, namespace?: string): Promise<void>
}

export interface Operated extends Running {
  /** Writes since the last call, once the operators are idle. */
  settledWrites(): Promise<string[]>
}

export async function openShop(...definitions: Controlled[]): Promise<Shop> {
  const server = await startTestServer()
  const { client } = server
  const operators: Running[] = []
  for (const { definition, apiVersion, kind } of definitions) {
    if (!definition) continue
    await client.resourceOf<ApiObject>(definition.apiVersion, definition.kind).create(definition)
    await eventually(() => client.discover(apiVersion, kind))
  }
  const access = (apiVersion: string, kind: string) => client.resourceOf<LooseObject>(apiVersion, kind)
  return {
    client,
    async [Symbol.asyncDispose]() {
      await Promise.all(operators.map((operator) => operator.close()))
      await server.close()
    },
    apply: (manifest) => {
      const { apiVersion, kind } = manifest as ApiObject
      return access(apiVersion, kind).apply(manifest, { fieldManager: 'user' })
    },
    find: (apiVersion, kind, name, namespace = 'default') =>
      access(apiVersion, kind).find(place(kind, name, namespace)),
    patch: (apiVersion, kind, name, patch, namespace = 'default') =>
      access(apiVersion, kind).patch(place(kind, name, namespace), patch, { fieldManager: 'user' }),
    patchStatus: (apiVersion, kind, name, status) =>
      access(apiVersion, kind).status.patch(place(kind, name, 'default'), { status }),
    remove: (apiVersion, kind, name, namespace = 'default') =>
      access(apiVersion, kind).delete(place(kind, name, namespace)),
    async operate(controlled, options = {}) {
      let writes: string[] = []
      const counted = counting(server.connect(), (write) => writes.push(write))
      const running = run([controlled].flat(), {
        client: counted,
        log: silentLog,
        name: 'shop',
        install: false,
        events: false,
        ...options,
      })
      operators.push(running)
      await running.ready
      const settledWrites = async () => {
        await running.idle()
        const taken = writes
        writes = []
        return taken
      }
      return Object.assign(running, { settledWrites })
    },
  }
}

const CLUSTER_SCOPED = new Set(['Namespace', 'ClusterRole', 'Fleet'])

function place(kind: string, name: string, namespace: string) {
  return CLUSTER_SCOPED.has(kind) ? { name } : { name, namespace }
}

function counting({ transport }: Client, onWrite: (write: string) => void): Client {
  return createClient({
    send(request) {
      if (request.method !== 'GET') onWrite(`${request.method} ${request.path.replace(/\?.*/, '')}`)
      return transport.send(request)
    },
    close: () => transport.close(),
  })
}

/** Each condition as `type=status reason`. */
export function conditionsOf(object: LooseObject | undefined): Record<string, string> {
  const conditions = object?.status?.conditions ?? []
  return Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}
