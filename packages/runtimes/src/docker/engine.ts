// The HTTP client of the Docker engine's API, over its unix socket. All requests of the driver go through it; it knows
// nothing about units.

import { type IncomingMessage, request } from 'node:http'
import { chooseApiVersion, type EngineVersions } from './api-version.ts'
import { unreachable } from './engine-socket.ts'

/** The engine returned an error status. */
export class EngineError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function isRefusal(error: unknown, ...statuses: readonly number[]): error is EngineError {
  return error instanceof EngineError && statuses.includes(error.status)
}

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Default 60 s; none for a stream. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 60_000
/** A list of some ten thousand containers. */
const LONGEST_ANSWER = 32 * 1024 * 1024

export class Engine {
  readonly socket: string
  #version: Promise<string> | undefined

  constructor(socket: string) {
    this.socket = socket
  }

  /** The response as JSON; undefined for an empty one. Rejects with `EngineError` for an error status. */
  async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    const { timeoutMs = TIMEOUT_MS, signal } = options
    const timeout = AbortSignal.timeout(timeoutMs)
    const limited = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      const response = await this.#send(method, `/v${await this.#negotiated()}${path}`, { ...options, signal: limited })
      const text = await bodyOf(response)
      return (text === '' ? undefined : JSON.parse(text)) as T
    } catch (error) {
      if (!timeout.aborted || signal?.aborted || error instanceof EngineError) throw error
      throw new Error(`Docker did not answer ${method} ${path} within ${timeoutMs / 1000} s`, { cause: error })
    }
  }

  /** The response as a stream. The caller reads it to its end or destroys it. */
  async stream(method: string, path: string, options: CallOptions = {}): Promise<IncomingMessage> {
    return this.#send(method, `/v${await this.#negotiated()}${path}`, options)
  }

  /** Negotiates the version again, since another engine may listen there after a lost connection. */
  forgetVersion(): void {
    this.#version = undefined
  }

  #negotiated(): Promise<string> {
    this.#version ??= this.#askVersion().catch((error) => {
      this.#version = undefined
      throw error
    })
    return this.#version
  }

  async #askVersion(): Promise<string> {
    const response = await this.#send('GET', '/version', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return chooseApiVersion(JSON.parse(await bodyOf(response)) as EngineVersions)
  }

  async #send(
    method: string,
    path: string,
    { query = {}, body, headers, signal }: CallOptions,
  ): Promise<IncomingMessage> {
    const given = new URLSearchParams()
    for (const [key, value] of Object.entries(query)) if (value !== undefined) given.set(key, String(value))
    const search = given.size > 0 ? `?${given}` : ''
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({
        socketPath: this.socket,
        method,
        path: `${path}${search}`,
        // HTTP requires a host name; the engine ignores it.
        headers: { ...headers, host: 'docker', ...(payload !== undefined && { 'content-type': 'application/json' }) },
        agent: false,
        ...(signal && { signal }),
      })
      sent.once('response', resolve)
      sent.once('error', (error) => reject(signal?.aborted ? error : unreachable(this.socket, error)))
      sent.end(payload)
    })
    const { statusCode = 0 } = response
    if (statusCode >= 400) throw new EngineError(statusCode, messageOf(await bodyOf(response), statusCode))
    return response
  }
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += (chunk as Buffer).length
    if (size > LONGEST_ANSWER) throw new Error(`an answer of Docker is longer than ${LONGEST_ANSWER} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function messageOf(body: string, status: number): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    if (typeof message === 'string' && message !== '') return message.trim()
  } catch {
    // Not JSON: the text itself is the message.
  }
  return body.trim() || `Docker answered ${status}`
}
