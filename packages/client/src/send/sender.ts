// Sends a request, retries it where that is safe, turns failures into errors, and reports warnings. Every request of
// the client goes through here.

import type { Clock } from '@homeostat/base'
import type { Transport, TransportRequest, TransportResponse } from '../api/transport.ts'
import { failureOf } from '../response/failure.ts'
import { connectionError } from './connection-error.ts'
import { pause } from './pause.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { planRetry, type RetryLimits, type Tried } from './retry-plan.ts'
import type { Warnings } from './warnings.ts'

export interface SenderOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly limits: RetryLimits
  readonly warnings: Warnings
  /** Default: requests are sent at once. */
  readonly limiter?: RateLimiter | undefined
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown; readonly response?: TransportResponse }

export class Sender {
  readonly #transport: Transport
  readonly #options: SenderOptions
  readonly #closing = new AbortController()

  constructor(transport: Transport, options: SenderOptions) {
    this.#transport = transport
    this.#options = options
  }

  /** Throws for a status of 400 and above. A read whose response breaks off is retried. */
  async send<T>(
    request: TransportRequest,
    read: (response: TransportResponse) => T | Promise<T>,
    retry = true,
  ): Promise<T> {
    const { clock, random, limits, limiter } = this.#options
    const signals = [request.signal, this.#closing.signal]
    let start: number | undefined
    for (let tries = 1; ; tries++) {
      for (const signal of signals) signal?.throwIfAborted()
      if (limiter !== undefined) await limiter.admit(signals)
      start ??= clock.now()
      const outcome = await this.#try(request, read)
      if ('value' in outcome) return outcome.value
      for (const signal of signals) signal?.throwIfAborted()
      const now = clock.now()
      const tried = { method: request.method, tries, elapsedMs: now - start, response: responseIn(outcome) }
      const ms = retry ? planRetry(tried, limits, now, random) : undefined
      if (ms === undefined) throw outcome.error
      await pause(clock, ms, signals)
    }
  }

  close(): void {
    this.#closing.abort(new Error('the client was closed'))
  }

  async #try<T>(request: TransportRequest, read: (response: TransportResponse) => T | Promise<T>): Promise<Outcome<T>> {
    let response: TransportResponse | undefined
    try {
      response = await this.#transport.send(request)
      this.#options.warnings.hear(response)
      if (response.status >= 400) return { error: await failureOf(request, response), response }
      return { value: await read(response) }
    } catch (error) {
      return { error: connectionError(request, error, response !== undefined) }
    }
  }
}

function responseIn({ response }: { readonly response?: TransportResponse }): Tried['response'] {
  return response && { status: response.status, retryAfter: response.header('retry-after') }
}
