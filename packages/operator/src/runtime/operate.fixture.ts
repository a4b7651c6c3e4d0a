// Operators on an in-process server with two custom kinds, and a count of their requests.

import type { User } from '@homeostat/apiserver'
import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { type ApiObject, type Client, createClient, type LooseObject, type ObjectName } from '@homeostat/client'
import { onTestFinished } from 'vitest'
import { type Running, type RunOptions, run } from '../run.ts'
import { startTestServer } from '../testing/server.fixture.ts'
import type { Controlled } from './controlled.ts'

export interface Stage {
  readonly client: Client
  /**
   * Starts an operator with its own connection, as an administrator by default. It is closed with the test. It writes no Events
   * unless it `tells`.
   */
  operate(
    controlled: Controlled | readonly Controlled[],
    options?: RunOptions & { forbidden?: string | RegExp; user?: User; tells?: boolean },
  ): Promise<Operated>
  create(object: object): Promise<LooseObject>
  widget(name: string, more?: { spec?: object; metadata?: object }): Promise<LooseObject>
  find(kind: 'Widget' | 'ConfigMap' | 'Secret', name: string): Promise<LooseObject | undefined>
  merge(kind: 'Widget' | 'ConfigMap' | 'Secret', name: string, patch: object): Promise<LooseObject>
  delete(kind: 'Widget' | 'ConfigMap' | 'Secret', name: string): Promise<void>
}

export interface Operated extends Running {
  /** Holds back the watch events of a resource until the returned function is called. */
  holdWatches(resource: string): () => void
  /** Requests that write, as `METHOD path`. */
  readonly writes: string[]
  /** Paths of requests that read, with their query. */
  readonly reads: string[]
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
    async operate(controlled, { forbidden, user, tells = false, ...options } = {}) {
      const [reads, writes]: [string[], string[]] = [[], []]
      const watches: Watches = new Map()
      const counted = counting(server.connect(user), { reads, writes }, watches, forbidden)
      const given = {
        client: counted,
        log: silentLog,
        name: 'test',
        install: false,
        ...(tells ? {} : { events: false as const }),
        ...options,
      }
      const running = run([controlled].flat(), given)
      operators.push(running)
      await running.ready
      const holdWatches = (resource: string) => {
        const gate = Promise.withResolvers<void>()
        watches.set(resource, gate.promise)
        return gate.resolve
      }
      return Object.assign(running, { reads, writes, holdWatches })
    },
  }
}

/** What holds up the watches, by resource. */
type Watches = Map<string, Promise<void>>

function counting(
  { transport }: Client,
  { reads, writes }: Pick<Operated, 'reads' | 'writes'>,
  watches: Watches,
  forbidden?: string | RegExp,
): Client {
  const isForbidden = (path: string) =>
    forbidden instanceof RegExp ? forbidden.test(path) : forbidden !== undefined && path.endsWith(`/${forbidden}`)
  return createClient({
    async send(request) {
      const path = request.path.replace(/\?.*/, '')
      if (request.method === 'GET') reads.push(request.path)
      else writes.push(`${request.method} ${path}`)
      if (isForbidden(path)) return refusal(`${path.replace(/.*\//, '')} is forbidden`)
      const answer = await transport.send(request)
      if (!request.path.includes('watch=')) return answer
      const body = held(answer.body, () => watches.get(path.replace(/.*\//, '')))
      return { status: answer.status, header: (name) => answer.header(name), body }
    },
    close: () => transport.close(),
  })
}

function refusal(message: string) {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403, message }
  const body = (async function* () {
    yield new TextEncoder().encode(JSON.stringify(status))
  })()
  return { status: 403, header: () => 'application/json', body }
}

async function* held(
  body: AsyncIterable<Uint8Array>,
  gate: () => Promise<void> | undefined,
): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    await gate()
    yield chunk
  }
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
