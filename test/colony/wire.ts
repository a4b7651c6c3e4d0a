// The way from simulated clients to a server that comes and goes, or to any of several: waits until there is one, sends, and now and
// then cuts the connection, before the answer or in the middle of it. What was not answered in full is answered with undefined.

import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Clock } from '@homeostat/base'
import type { Random } from '../crash/random.ts'
import type { Sent } from './history.ts'

export interface Reply {
  readonly code: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer it has asked for
  readonly body: any
}

export interface Exchange {
  readonly sent: Sent
  readonly reply: Reply | undefined
}

export interface WireOptions {
  readonly clock: Clock
  readonly random: Random
  /** How long a client waits for an answer. Default: as long as the connection holds. */
  readonly patienceMs?: number | undefined
}

/** Of a thousand calls. */
const CUTS = 60
const LONGEST_CUT_MS = 40
/** 503 and 504 are what a server that ends may say. */
const STRANGE = [400, 415, 422, 500]

/** How simulated clients reach servers. */
export type Channel = Pick<Wire, 'surprises' | 'cuts' | 'lead' | 'send' | 'close'>

export class Wire {
  readonly #options: WireOptions
  readonly #agent = new Agent({ keepAlive: true })
  #urls: readonly string[] = []
  #up = Promise.withResolvers<void>()
  /** Answers that a sound server does not give. */
  readonly surprises: string[] = []
  /** Whether connections are cut. */
  cuts = true

  constructor(options: WireOptions) {
    this.#options = options
  }

  /** There is a server, or several, of which each call goes to any; or none. */
  lead(...urls: readonly (string | undefined)[]): void {
    this.#urls = urls.filter((url) => url !== undefined)
    if (this.#urls.length === 0) this.#up = Promise.withResolvers()
    else this.#up.resolve()
  }

  async send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Exchange> {
    const { clock } = this.#options
    const url = await this.#server(signal)
    const sentAt = clock.now()
    if (url === undefined) return { sent: { sentAt, outcome: 'unknown' }, reply: undefined }
    const reply = await this.#exchange(method, `${url}${path}`, body, signal)
    if (reply !== undefined && STRANGE.includes(reply.code))
      this.surprises.push(`${method} ${path}: ${reply.code} ${JSON.stringify(reply.body)}`)
    return { sent: { sentAt, ...outcomeOf(reply, clock.now()) }, reply }
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Undefined when the signal ended the wait. */
  async #server(signal: AbortSignal | undefined): Promise<string | undefined> {
    const aborted = Promise.withResolvers<void>()
    const onAbort = () => aborted.resolve()
    signal?.addEventListener('abort', onAbort)
    while (this.#urls.length === 0 && !signal?.aborted) await Promise.race([this.#up.promise, aborted.promise])
    signal?.removeEventListener('abort', onAbort)
    if (signal?.aborted || this.#urls.length < 2) return signal?.aborted ? undefined : this.#urls[0]
    return this.#urls[this.#options.random.between(0, this.#urls.length)]
  }

  #exchange(method: string, url: string, body: unknown, signal?: AbortSignal): Promise<Reply | undefined> {
    const { random, clock, patienceMs } = this.#options
    const cut = this.cuts && random.between(0, 1000) < CUTS ? random.pick(['request', 'answer'] as const) : undefined
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    return new Promise((resolve) => {
      const lost = () => resolve(undefined)
      const sending = request(url, {
        method,
        agent: this.#agent,
        ...(body !== undefined && { headers: { 'content-type': type } }),
        ...(signal && { signal }),
      })
      sending.on('error', lost)
      sending.on('response', (response) => {
        if (cut === 'answer') sending.destroy(new Error('cut'))
        else void read(response).then(resolve, lost)
      })
      sending.end(body === undefined ? undefined : JSON.stringify(body))
      if (cut === 'request') this.#cutSoon(sending)
      if (patienceMs === undefined) return
      const drop = clock.setTimer(patienceMs, () => sending.destroy(new Error('no answer')))
      sending.once('close', drop)
    })
  }

  #cutSoon(sending: ClientRequest): void {
    const { clock, random } = this.#options
    clock.setTimer(random.between(0, LONGEST_CUT_MS), () => sending.destroy(new Error('cut')))
  }
}

async function read(response: IncomingMessage): Promise<Reply> {
  const text = (await Array.fromAsync(response.setEncoding('utf8'), String)).join('')
  if (!response.complete) throw new Error('cut off')
  return { code: response.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

export function outcomeOf(reply: Reply | undefined, now: number): Omit<Sent, 'sentAt'> {
  if (reply === undefined || reply.code >= 500) return { outcome: 'unknown' }
  return { outcome: reply.code < 300 ? 'accepted' : 'refused', answeredAt: now }
}
