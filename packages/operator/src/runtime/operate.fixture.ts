// Operators on a server inside the test, with two custom kinds, and a count of what they send.

import { type ApiObject, type Client, createClient, type LooseObject, type ObjectName } from '@homeostat/client'
import { onTestFinished } from 'vitest'
import { type Running, type RunOptions, run } from '../run.ts'
import { eventually, silentLog, startTestServer } from '../testing/server.fixture.ts'
import type { Controlled } from './controlled.ts'

export { eventually }

export interface Stage {
  readonly client: Client
  /** Starts an operator with a connection of its own. It ends with the test. */
  operate(controlled: Controlled | readonly Controlled[], options?: RunOptions): Promise<Operated>
  create(object: object): Promise<LooseObject>
  widget(name: string, more?: { spec?: object; metadata?: object }): Promise<LooseObject>
  find(kind: 'Widget' | 'ConfigMap' | 'Secret', name: string): Promise<LooseObject | undefined>
  merge(kind: 'Widget' | 'ConfigMap' | 'Secret', name: string, patch: object): Promise<LooseObject>
  delete(kind: 'Widget' | 'ConfigMap' | 'Secret', name: string): Promise<void>
}

export interface Operated extends Running {
  /** Requests that change something, as `METHOD path`. */
  readonly writes: string[]
}

export const NAMESPACE = 'default'
export const WIDGET = { apiVersion: 'example.com/v1', kind: 'Widget' }

const condition = {
  type: 'object',
  required: ['type', 'status'],
  properties: {
    type: { type: 'string' },
    status: { type: 'string' },
    reason: { type: 'string' },
    message: { type: 'string' },
    lastTransitionTime: { type: 'string', format: 'date-time' },
    observedGeneration: { type: 'integer', format: 'int64' },
  },
}

const conditions = {
  type: 'array',
  items: condition,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
}

export function definition(kind: string, { subresource = true } = {}): ApiObject {
  const plural = `${kind.toLowerCase()}s`
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const status = {
    type: 'object',
    properties: {
      conditions,
      observedGeneration: { type: 'integer', format: 'int64' },
      url: { type: 'string' },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
    },
  }
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status } } },
    ...(subresource && { subresources: { status: {} } }),
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope: 'Namespaced', names: { kind, plural }, versions: [version] },
  } as ApiObject
}

export async function define(client: Client, kind: string, options?: { subresource?: boolean }): Promise<void> {
  await client.resourceOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition').create(definition(kind, options))
  await eventually(() => client.discover('example.com/v1', kind))
}

export async function stage(): Promise<Stage> {
  const server = await startTestServer()
  const { client } = server
  const operators: Running[] = []
  onTestFinished(async () => {
    await Promise.all(operators.map((operator) => operator.close()))
    await server.close()
  })
  await define(client, 'Widget')
  const access = (kind: string) => client.resourceOf<LooseObject>(kind === 'Widget' ? WIDGET.apiVersion : 'v1', kind)
  const named = (name: string): ObjectName => ({ name, namespace: NAMESPACE })
  const create = (object: object) => access((object as ApiObject).kind).create(object)
  return {
    client,
    create,
    widget: (name, { spec = {}, metadata = {} } = {}) =>
      create({ ...WIDGET, metadata: { ...named(name), ...metadata }, spec }),
    find: (kind, name) => access(kind).find(named(name)),
    merge: (kind, name, patch) => access(kind).patch(named(name), patch),
    delete: (kind, name) => access(kind).delete(named(name)),
    async operate(controlled, options = {}) {
      const writes: string[] = []
      const counted = counting(server.connect(), writes)
      const given = {
        client: counted,
        log: silentLog,
        name: 'test',
        install: false,
        events: false as const,
        ...options,
      }
      const running = run([controlled].flat(), given)
      operators.push(running)
      await running.ready
      return Object.assign(running, { writes })
    },
  }
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

export function configMap(name: string, data: Record<string, string> = {}, labels?: Record<string, string>): object {
  const metadata = { name, namespace: NAMESPACE, ...(labels && { labels }) }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
}

export const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' }

/** Ready, Paused and such, as `status reason`. */
export function conditionOf(object: LooseObject | undefined, type: string): string | undefined {
  const found = object?.status?.conditions?.find((one) => one.type === type)
  return found && `${found.status} ${found.reason}`
}
