// Limits the TLS handshakes of each address: one costs about 2 ms of CPU, and whoever may start any number of them can
// keep the server from all other work. Handshakes beyond the rate wait for their turn; those beyond the queue are refused.

import { type Clock, TokenBucket } from '@homeostat/base'

export interface HandshakeLimits {
  /** Handshakes that an address may start at once. Default 500. */
  readonly burst: number
  /** And then per second. Default 100. */
  readonly perSecond: number
  /** Unfinished handshakes of an address. Default 256. */
  readonly unfinished: number
  /** Connections of an address that wait. Default 1000. */
  readonly waiting: number
}

export const HANDSHAKE_LIMITS: HandshakeLimits = { burst: 500, perSecond: 100, unfinished: 256, waiting: 1000 }

/** A connection whose handshake has not begun. */
export interface Arrival {
  /** Whether the client is still there. */
  readonly isGone: boolean
  /** Begins the handshake; `done` must be called once, when it has ended. */
  start(done: () => void): void
  refuse(): void
}

interface Source {
  readonly tokens: TokenBucket
  unfinished: number
  readonly waiting: Arrival[]
  cancel: (() => void) | undefined
}

/** Addresses that are remembered before quiet ones are forgotten. */
const SWEEP_AT = 1024

export class HandshakeGate {
  readonly #clock: Clock
  readonly #limits: HandshakeLimits
  readonly #sources = new Map<string, Source>()
  #sweepAt = SWEEP_AT

  constructor(clock: Clock, limits: HandshakeLimits = HANDSHAKE_LIMITS) {
    this.#clock = clock
    this.#limits = limits
  }

  arrive(address: string, arrival: Arrival): void {
    const source = this.#sourceOf(networkOf(address))
    if (source.waiting.length >= this.#limits.waiting) {
      arrival.refuse()
      return
    }
    source.waiting.push(arrival)
    this.#advance(source)
  }

  /** Refuses what waits. */
  close(): void {
    for (const source of this.#sources.values()) {
      source.cancel?.()
      for (const arrival of source.waiting.splice(0)) arrival.refuse()
    }
    this.#sources.clear()
  }

  #advance(source: Source): void {
    const { tokens, waiting } = source
    while (waiting.length > 0 && source.unfinished < this.#limits.unfinished) {
      const arrival = waiting[0] as Arrival
      if (arrival.isGone) {
        waiting.shift()
        continue
      }
      const wait = tokens.wait(this.#clock.now())
      if (wait > 0) {
        this.#advanceAfter(source, wait)
        return
      }
      waiting.shift()
      tokens.take()
      source.unfinished++
      arrival.start(once(() => this.#finished(source)))
    }
  }

  #finished(source: Source): void {
    source.unfinished--
    if (source.waiting.length > 0) this.#advance(source)
  }

  #advanceAfter(source: Source, ms: number): void {
    source.cancel ??= this.#clock.setTimer(ms, () => {
      source.cancel = undefined
      this.#advance(source)
    })
  }

  #sourceOf(key: string): Source {
    const known = this.#sources.get(key)
    if (known) return known
    if (this.#sources.size >= this.#sweepAt) this.#sweep()
    const tokens = new TokenBucket(this.#limits, this.#clock.now())
    const source: Source = { tokens, unfinished: 0, waiting: [], cancel: undefined }
    this.#sources.set(key, source)
    return source
  }

  /** Forgets addresses that have nothing under way and all their tokens back. */
  #sweep(): void {
    const now = this.#clock.now()
    for (const [key, { tokens, unfinished, waiting }] of this.#sources)
      if (unfinished === 0 && waiting.length === 0 && tokens.isFull(now)) this.#sources.delete(key)
    this.#sweepAt = Math.max(SWEEP_AT, this.#sources.size * 2)
  }
}

/** An IPv6 host commonly has a network of 64 bits, and could use another address for each connection. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = ''] = address.split('::')
  const groups = head.split(':')
  // A short form whose first four groups are not all there has zeros in their place.
  return [0, 1, 2, 3].map((at) => groups[at] || '0').join(':')
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
