// Sends the calls of one executor. Their paths are fixed, so no discovery is needed.

import type { Clock } from '@homeostat/base'
import type { ApiObject, Client, TransportRequest } from '@homeostat/client'
import { isStatusError, writeJson } from '@homeostat/meta'
import type { GraphNode } from './graph-protocol.ts'
import {
  type AssignRequest,
  type AssignResponse,
  type Attempt,
  COLONIES,
  type ExecutorSpec,
  type HeartbeatRequest,
  type HeartbeatResponse,
  INSTANCE_ANNOTATION,
} from './protocol.ts'
import { withinTime } from './waiting.ts'

interface CallsOptions {
  readonly client: Client
  readonly colony: string
  readonly name: string
  readonly clock: Clock
  /** Distinguishes this program from others that are started under the same name. */
  readonly instance: string
}

const API_VERSION = `${COLONIES.group}/${COLONIES.version}`
const FIELD_MANAGER = 'homeostat-executor'
/** Added to the time for which the server may hold a long poll. */
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

  /** Creates or updates the Executor. */
  async register(spec: ExecutorSpec, signal: AbortSignal): Promise<void> {
    const { colony, name, instance } = this.#options
    const metadata = { name, namespace: colony, annotations: { [INSTANCE_ANNOTATION]: instance } }
    const object = { apiVersion: API_VERSION, kind: 'Executor', metadata, spec }
    const path = `${this.#executor}?fieldManager=${FIELD_MANAGER}&force=true`
    await this.#json('PATCH', path, object, signal, 'application/apply-patch+yaml')
  }

  async assign(request: AssignRequest, timeoutSeconds: number, signal: AbortSignal): Promise<AssignResponse> {
    const path = `${this.#executor}/assign?timeoutSeconds=${timeoutSeconds}`
    const ms = timeoutSeconds * 1000 + CALL_MS
    const body = { ...request, instance: this.#options.instance }
    return (await this.#json('POST', path, body, signal, 'application/json', ms)) as AssignResponse
  }

  async heartbeat(request: HeartbeatRequest, signal: AbortSignal): Promise<HeartbeatResponse> {
    const body = { ...request, instance: this.#options.instance }
    return (await this.#json('POST', `${this.#executor}/heartbeat`, body, signal)) as HeartbeatResponse
  }

  async log({ process, attempt }: Attempt, text: string, signal: AbortSignal): Promise<void> {
    const path = `${this.#root}/processes/${process}/log?executor=${this.#options.name}&attempt=${attempt}`
    const headers = { 'content-type': 'text/plain; charset=utf-8', accept: 'application/json' }
    await this.#within({ method: 'POST', path, headers, body: text }, signal, CALL_MS, async (request) => {
      const { body } = await this.#options.client.request(request)
      for await (const _ of body);
    })
  }

  /** One output of the input of a held Process. */
  async readInput({ process, attempt }: Attempt, index: number, signal: AbortSignal): Promise<unknown> {
    const query = `executor=${this.#options.name}&attempt=${attempt}&index=${index}`
    const path = `${this.#root}/processes/${process}/input?${query}`
    return ((await this.#json('GET', path, undefined, signal)) as { output: unknown }).output
  }

  async addNodes({ process, attempt }: Attempt, nodes: readonly GraphNode[], signal: AbortSignal): Promise<void> {
    const body = { executor: this.#options.name, attempt, nodes }
    await this.#json('POST', `${this.#root}/processes/${process}/nodes`, body, signal)
  }

  /** Whether the namespace is deleted or being deleted. False when the executor has no right to read it. */
  async isColonyGone(signal: AbortSignal): Promise<boolean> {
    try {
      const namespace = await this.#json('GET', `/api/v1/namespaces/${this.#options.colony}`, undefined, signal)
      return (namespace as ApiObject).metadata.deletionTimestamp !== undefined
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return true
      if (isStatusError(error, 'Forbidden') || isStatusError(error, 'Unauthorized')) return false
      throw error
    }
  }

  /** Deletes the Executor. */
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
