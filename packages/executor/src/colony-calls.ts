// The calls of one executor, sent. Paths are known, so that nothing has to be discovered first.

import type { Client, TransportRequest } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import type { Clock } from '@homeostat/queue'
import {
  type AssignAnswer,
  type AssignRequest,
  type Attempt,
  COLONIES,
  type ExecutorSpec,
  type HeartbeatAnswer,
  type HeartbeatRequest,
} from './protocol.ts'
import { withinTime } from './waiting.ts'

interface CallsOptions {
  readonly client: Client
  readonly colony: string
  readonly name: string
  readonly clock: Clock
}

const API_VERSION = `${COLONIES.group}/${COLONIES.version}`
const FIELD_MANAGER = 'homeostat-executor'
/** Beyond what the server may take by itself. */
const CALL_MS = 15_000

export class ColonyCalls {
  readonly #options: CallsOptions
  readonly #root: string
  readonly #executor: string

  constructor(options: CallsOptions) {
    this.#options = options
    this.#root = `/apis/${API_VERSION}/namespaces/${options.colony}`
    this.#executor = `${this.#root}/executors/${options.name}`
  }

  /** Makes the Executor, or makes it as it should be. */
  async register(spec: ExecutorSpec, signal: AbortSignal): Promise<void> {
    const { colony, name } = this.#options
    const object = { apiVersion: API_VERSION, kind: 'Executor', metadata: { name, namespace: colony }, spec }
    const path = `${this.#executor}?fieldManager=${FIELD_MANAGER}&force=true`
    await this.#json('PATCH', path, object, signal, 'application/apply-patch+yaml')
  }

  async assign(request: AssignRequest, timeoutSeconds: number, signal: AbortSignal): Promise<AssignAnswer> {
    const path = `${this.#executor}/assign?timeoutSeconds=${timeoutSeconds}`
    const ms = timeoutSeconds * 1000 + CALL_MS
    return (await this.#json('POST', path, request, signal, 'application/json', ms)) as AssignAnswer
  }

  async heartbeat(request: HeartbeatRequest, signal: AbortSignal): Promise<HeartbeatAnswer> {
    return (await this.#json('POST', `${this.#executor}/heartbeat`, request, signal)) as HeartbeatAnswer
  }

  async log({ process, attempt }: Attempt, text: string, signal: AbortSignal): Promise<void> {
    const path = `${this.#root}/processes/${process}/log?executor=${this.#options.name}&attempt=${attempt}`
    const headers = { 'content-type': 'text/plain; charset=utf-8', accept: 'application/json' }
    await this.#within({ method: 'POST', path, headers, body: text }, signal, CALL_MS, async (request) => {
      const { body } = await this.#options.client.request(request)
      for await (const _ of body);
    })
  }

  /** Takes the Executor away. */
  async remove(signal: AbortSignal): Promise<void> {
    await this.#json('DELETE', this.#executor, undefined, signal)
  }

  #json(
    method: string,
    path: string,
    body: unknown,
    signal: AbortSignal,
    type = 'application/json',
    ms = CALL_MS,
  ): Promise<unknown> {
    const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': type }) }
    const sent = { method, path, headers, ...(body !== undefined && { body: writeJson(body) }) }
    return this.#within(sent, signal, ms, (request) => this.#options.client.requestJson(request))
  }

  #within<T>(
    request: TransportRequest,
    signal: AbortSignal,
    ms: number,
    send: (request: TransportRequest) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.#options
    const what = `${request.method} ${request.path.replace(/\?.*/s, '')}`
    return withinTime({ clock, ms, signal, what }, (inner) => send({ ...request, signal: inner }))
  }
}
