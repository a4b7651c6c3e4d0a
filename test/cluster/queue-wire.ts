// The way from simulated clients of the colony to the servers of the model, each call to another of them: what HTTP would do.

import { type Clock, pause } from '@homeostat/base'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import { type Channel, type Exchange, outcomeOf, type Reply } from '../colony/wire.ts'
import { NAMESPACE } from '../colony/world.ts'
import type { Random } from '../crash/random.ts'
import { Disconnected, type ModelServer } from './model-server.ts'
import { piecesOf, type QueueServer, requestOf } from './queue-server.ts'

export interface QueueWireParts {
  readonly clock: Clock
  readonly random: Random
  server(): ModelServer
  queue(server: ModelServer): QueueServer | undefined
}

/** Of a hundred calls. */
const CUTS = 6
/** Connecting anew takes time: otherwise a client that finds no server would ask for ever in one instant. */
const RECONNECT_MS = 20

export class QueueWire implements Channel {
  readonly surprises: string[] = []
  cuts = true
  readonly #parts: QueueWireParts

  constructor(parts: QueueWireParts) {
    this.#parts = parts
  }

  lead(): void {}

  close(): void {}

  async send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Exchange> {
    const { clock, random } = this.#parts
    const sentAt = clock.now()
    const isCut = this.cuts && random.between(0, 100) < CUTS
    const answering = this.#answer(method, path, body, signal).catch((error: unknown) => replyOf(error))
    const gone = new Promise<undefined>((resolve) => {
      signal?.addEventListener('abort', () => resolve(undefined))
      if (signal?.aborted) resolve(undefined)
    })
    const whole = await Promise.race([answering, gone])
    const reply = isCut ? undefined : whole
    if (reply === undefined) await pause(clock, RECONNECT_MS, signal ?? new AbortController().signal)
    if (reply !== undefined && [400, 415, 422].includes(reply.code))
      this.surprises.push(`${method} ${path}: ${reply.code} ${JSON.stringify(reply.body)}`)
    return { sent: { sentAt, ...outcomeOf(reply, clock.now()) }, reply }
  }

  async #answer(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Reply> {
    const server = this.#parts.server()
    const { pathname, searchParams } = new URL(path, 'http://model')
    const [kind = '', name = '', subresource] = pathname.split(/\/namespaces\/lab\/|\/api\/v1\//)[1]?.split('/') ?? []
    if (subresource !== undefined && kind !== 'namespaces') {
      const queue = this.#parts.queue(server)
      if (queue === undefined) throw new Disconnected()
      const request = requestOf(name, searchParams, JSON.stringify(body ?? {}))
      const answer = await queue.call(subresource, request, signal ?? new AbortController().signal)
      const text = Buffer.concat(await Array.fromAsync(piecesOf(answer))).toString()
      return { code: answer.status ?? 200, body: text.startsWith('{') ? JSON.parse(text) : {} }
    }
    const resource = kind === 'namespaces' ? { group: '', resource: kind } : { group: 'colonies.io', resource: kind }
    const place = kind === 'namespaces' ? { name } : { namespace: NAMESPACE, name }
    return server.request(async ({ api }) => {
      if (method === 'POST') return { code: 201, body: await api.create(resource, structuredClone(body) as KubeObject) }
      if (method === 'DELETE') {
        await api.delete(resource, place)
        return { code: 200, body: {} }
      }
      const changed = await api.change(resource, place, (object) => merge(object, body as object))
      return changed === undefined ? { code: 404, body: {} } : { code: 200, body: changed }
    })
  }
}

/** A merge patch, as far as the clients use it. */
function merge(into: object, patch: object): void {
  for (const [name, value] of Object.entries(patch)) {
    const target = into as Record<string, unknown>
    if (value === null) delete target[name]
    else if (typeof value === 'object') {
      target[name] ??= {}
      merge(target[name] as object, value)
    } else target[name] = value
  }
}

function replyOf(error: unknown): Reply | undefined {
  if (error instanceof Disconnected) return undefined
  if (isStatusError(error)) return { code: error.code, body: error.status }
  throw error
}
