// Calls webhooks over HTTPS, for admission and conversion: kept connections, a time limit, a limit of what is read, no
// redirects. It resolves a name once and connects to the address that it checked. It knows nothing of what is asked.

import { lookup as systemLookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import type { Agent, RequestOptions } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type Clock, systemClock } from '@homeostat/base'
import { writeJson } from '@homeostat/meta'
import { goReason, WebhookCallError } from './call-error.ts'
import type { Egress } from './egress.ts'
import type { WebhookTarget } from './webhook-target.ts'

export interface WebhookClientOptions {
  readonly egress: Egress
  /** Default: the system's. */
  readonly clock?: Clock
  /** Resolves names. Default: the system's. */
  readonly lookup?: typeof systemLookup
}

export interface CallLimits {
  readonly timeoutMs: number
  /** The most bytes that are read of an answer. */
  readonly maxBytes: number
}

/** Connections at once to one webhook; further calls wait within their time limit. */
const MAX_SOCKETS = 32
const MAX_IDLE_SOCKETS = 4
const IDLE_MS = 90_000
const USER_AGENT = 'homeostat-webhooks'
/** The longest part of an error page that a message quotes. */
const MAX_QUOTED = 1024

interface Https {
  readonly request: typeof import('node:https').request
  readonly agent: Agent
}

/** A webhook in this process: gets the body of a request and returns that of the answer. */
export type LocalWebhook = (path: string, body: string) => Promise<string>

export class WebhookClient {
  /** Made with the first call: most servers have no webhook, and TLS is 2.5 MiB of memory (bench row "resident memory, idle"). */
  #https: Https | undefined
  readonly #local = new Map<string, LocalWebhook>()
  readonly #egress: Egress
  readonly #clock: Clock
  readonly #lookup: LookupFunction
  readonly #ending = new AbortController()

  constructor({ egress, clock = systemClock, lookup = systemLookup }: WebhookClientOptions) {
    this.#egress = egress
    this.#clock = clock
    this.#lookup = checkedLookup(lookup, egress)
  }

  /** Serves the host of URLs in this process instead of on the network, until the returned function is called. */
  serveHere(host: string, webhook: LocalWebhook): () => void {
    this.#local.set(host, webhook)
    return () => {
      if (this.#local.get(host) === webhook) this.#local.delete(host)
    }
  }

  /** POSTs JSON and resolves with the JSON text of the answer. Rejects with a WebhookCallError. */
  async call(target: WebhookTarget, body: string, limits: CallLimits): Promise<string> {
    const over = new AbortController()
    const cancel = this.#clock.setTimer(limits.timeoutMs, () => over.abort(new Error(DEADLINE)))
    const end = () => over.abort(new Error('the server ends'))
    this.#ending.signal.addEventListener('abort', end)
    try {
      return await this.#post(target, body, limits, over.signal)
    } catch (error) {
      const reason = over.signal.aborted ? (over.signal.reason as Error).message : goReason(error, target)
      throw new WebhookCallError(`Post "${target.url}": ${reason}`, { cause: error })
    } finally {
      cancel()
      this.#ending.signal.removeEventListener('abort', end)
    }
  }

  async #post(target: WebhookTarget, body: string, { maxBytes }: CallLimits, signal: AbortSignal): Promise<string> {
    const local = this.#local.get(target.host)
    if (local !== undefined) return limited(await unlessAborted(local(target.path, body), signal), maxBytes)
    if (isIP(target.host) > 0) {
      const problem = this.#egress.problemOf(target.host)
      if (problem !== undefined) throw new Error(problem)
    }
    try {
      return await this.#send(target, body, maxBytes, signal)
    } catch (error) {
      // The webhook closed a kept connection at the moment at which it was used again.
      if (!(error instanceof StaleConnection) || signal.aborted) throw error
      return this.#send(target, body, maxBytes, signal, false)
    }
  }

  #send(target: WebhookTarget, body: string, maxBytes: number, signal: AbortSignal, kept = true): Promise<string> {
    this.#https ??= openHttps()
    const { request, agent } = this.#https
    const options: RequestOptions & { lookup: LookupFunction } = {
      method: 'POST',
      host: target.host,
      port: target.port,
      path: target.path,
      servername: target.serverName,
      lookup: this.#lookup,
      agent: kept ? agent : false,
      signal,
      headers: {
        host: target.authority,
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': USER_AGENT,
        'content-length': Buffer.byteLength(body),
      },
      ...(target.ca !== undefined && { ca: target.ca }),
    }
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => readAnswer(response, maxBytes).then(resolve, reject))
      sent.once('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        reject(isStale ? new StaleConnection('EOF', { cause: error }) : error)
      })
      sent.end(body)
    })
  }

  /** Ends calls and closes connections. */
  close(): void {
    this.#ending.abort()
    this.#https?.agent.destroy()
  }
}

function openHttps(): Https {
  const { Agent, request } = process.getBuiltinModule('node:https')
  const agent = new Agent({
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    timeout: IDLE_MS,
  })
  return { request, agent }
}

const DEADLINE = 'context deadline exceeded'

class StaleConnection extends Error {}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<string> {
  const { statusCode = 0 } = response
  const isGood = statusCode >= 200 && statusCode < 300
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (!isGood && size > MAX_QUOTED) break
    if (size <= maxBytes) continue
    response.destroy()
    throw new Error(`the answer has more than ${maxBytes} bytes`)
  }
  const text = Buffer.concat(chunks).toString()
  if (isGood) return text
  response.destroy()
  throw new Error(statusProblem(statusCode, text.slice(0, MAX_QUOTED)))
}

/** The words of Kubernetes' client for an answer that is no success. */
function statusProblem(code: number, text: string): string {
  if (code >= 300 && code < 400) return `the webhook answered with a redirect (${code}), which is not followed`
  if (code === 404) return 'the server could not find the requested resource'
  if (code === 401) return 'the server has asked for the client to provide credentials'
  if (code === 403) return `forbidden: ${text.trim() || 'the webhook refuses the call'}`
  const quoted = text.trim() === '' ? `status code ${code}` : text.trim()
  if (code >= 500) return `an error on the server (${writeJson(quoted)}) has prevented the request from succeeding`
  return `the server rejected our request (${code}): ${quoted}`
}

/** Resolves a name once, and passes on only addresses that may be connected to: the very ones that are connected to. */
function checkedLookup(lookup: typeof systemLookup, egress: Egress): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const permitted = addresses.filter(({ address }) => egress.problemOf(address) === undefined)
      const [first] = permitted
      const problem = first ?? egress.problemOf(addresses[0]?.address ?? '')
      if (first === undefined) callback(new Error(String(problem ?? `lookup ${hostname}: no such host`)), '', 0)
      else if (options.all) callback(null, permitted)
      else callback(null, first.address, first.family)
    })
  }
}

function limited(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`)
  return text
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
