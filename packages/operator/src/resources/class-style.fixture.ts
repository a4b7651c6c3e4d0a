// Class-style kinds on an in-process server, and a count of their operator's requests.

import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { type ApiObject, type Client, createClient, type LooseObject } from '@homeostat/client'
import { onTestFinished } from 'vitest'
import { type Running, type RunOptions, run } from '../run.ts'
import type { Controlled } from '../runtime/controlled.ts'
import { startTestServer } from '../testing/server.fixture.ts'

export const GROUP = 'class.test'
const NAMESPACE = 'default'

export interface Stage {
  readonly client: Client
  /** Another client of the server. */
  connect(): Client
  /** Starts an operator with its own connection. It is closed with the test. */
  operate(kinds: readonly Controlled[], options?: RunOptions): Promise<Operated>
  create(kind: string, name: string, spec?: object): Promise<LooseObject>
  find(kind: string, name: string): Promise<LooseObject | undefined>
  merge(kind: string, name: string, patch: object): Promise<LooseObject>
  delete(kind: string, name: string): Promise<void>
  /** Waits until the condition has this value, given as `status reason`. */
  untilCondition(kind: string, name: string, type: string, wanted: string): Promise<LooseObject>
}

export interface Operated {
  readonly running: Running
  /** Requests that write, as `METHOD path`. */
  readonly writes: string[]
}

export async function stage(definitions: readonly Controlled[] = []): Promise<Stage> {
  const server = await startTestServer()
  const { client } = server
  const operators: Running[] = []
  onTestFinished(async () => {
    await Promise.all(operators.map((operator) => operator.close()))
    await server.close()
  })
  const access = (kind: string) => client.resourceOf<LooseObject>(apiVersionOf(kind), kind)
  const find = (kind: string, name: string) => access(kind).find(named(name))
  await define(client, definitions)
  return {
    client,
    connect: () => server.connect(),
    find,
    create: (kind, name, spec = {}) =>
      access(kind).create({ apiVersion: apiVersionOf(kind), kind, metadata: named(name), spec }),
    merge: (kind, name, patch) => access(kind).patch(named(name), patch),
    delete: (kind, name) => access(kind).delete(named(name)),
    untilCondition: (kind, name, type, wanted) =>
      eventually(async () => {
        const object = await find(kind, name)
        return conditionOf(object, type) === wanted && object
      }),
    async operate(kinds, options = {}) {
      await define(client, kinds)
      const writes: string[] = []
      const backoff = { min: '1ms', max: '20ms' } as const
      const given = {
        client: counting(server.connect(), writes),
        log: silentLog,
        events: false as const,
        name: 'test',
        backoff,
        ...options,
      }
      const running = run(kinds, { ...given, install: false })
      operators.push(running)
      await running.ready
      return { running, writes }
    },
  }
}

/** Ready and such, as `status reason`. */
export function conditionOf(object: LooseObject | undefined, type: string): string | undefined {
  const found = object?.status?.conditions?.find((one) => one.type === type)
  return found && `${found.status} ${found.reason}`
}

async function define(client: Client, kinds: readonly Controlled[]): Promise<void> {
  const definitions = client.resourceOf<ApiObject>('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
  for (const { definition, apiVersion, kind } of kinds) {
    if (definition) await definitions.apply(definition, { fieldManager: 'test', force: true })
    await eventually(() => client.discover(apiVersion, kind))
  }
}

function named(name: string) {
  return { name, namespace: NAMESPACE }
}

function apiVersionOf(kind: string): string {
  if (kind === 'Deployment') return 'apps/v1'
  return ['ConfigMap', 'Secret', 'Service'].includes(kind) ? 'v1' : `${GROUP}/v1`
}

function counting({ transport }: Client, writes: string[]): Client {
  return createClient({
    send(request) {
      if (request.method !== 'GET') writes.push(`${request.method} ${request.path.replace(/\?.*/, '')}`)
      return transport.send(request)
    },
    close: () => transport.close(),
  })
}
