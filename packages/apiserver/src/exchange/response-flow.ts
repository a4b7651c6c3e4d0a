// Sends a large response: waits for pipelined responses before it and for its share of the budget, then writes no faster
// than the client reads. A client that stalls is disconnected, sooner when other responses wait for the budget.
// A fast connection never applies back-pressure, so the flow yields to the event loop by itself.

import type { Writable } from 'node:stream'
import { TimeSlice, yieldToLoop } from '@homeostat/base'
import type { ResponseBudget } from './response-budget.ts'
import type { Transport } from './transport.ts'

/** About the size of a socket's send buffer; no response has more than this in memory while it is sent. */
const BYTES_PER_WRITE = 4 << 20
/** A client that reads nothing for this long is disconnected: its snapshot costs memory. */
const STALLED_MS = 60_000
/** The same while other responses wait for the budget. */
const STALLED_BEFORE_OTHERS_MS = 5_000
/** Smaller responses do not count against the budget; neither do those to the server's own clients. */
const COUNTED_ABOVE = 64 << 10

export class ResponseFlow {
  readonly #transport: Transport
  readonly #budget: ResponseBudget
  readonly #length: number | undefined
  readonly #share: number

  /** `length` is undefined when the size is not known in advance. */
  constructor(transport: Transport, budget: ResponseBudget, length: number | undefined) {
    this.#transport = transport
    this.#budget = budget
    this.#length = length
    const share = Math.min(length ?? BYTES_PER_WRITE, BYTES_PER_WRITE)
    const counts = share > COUNTED_ABOVE && transport.peer.kind !== 'internal'
    this.#share = counts ? share : 0
  }

  /** Resolves when the response may start, with its share of the budget taken; undefined when it may start at once. */
  begin(): Promise<void> | undefined {
    if (this.#share === 0) return undefined
    if (!this.#transport.isBehind && this.#budget.tryTake(this.#share)) return undefined
    return this.#wait()
  }

  async #wait(): Promise<void> {
    // Wait for the connection first: a pipelined response must not hold budget that the one before it waits for.
    await this.#transport.turn()
    // The previous response may have ended in this turn of the event loop, and the next one may end in it, too.
    await yieldToLoop()
    await this.#budget.take(this.#share)
  }

  /** Writes the pieces; `first` was taken from the iterator already. */
  async write(
    out: Writable,
    compressed: boolean,
    first: IteratorResult<Buffer>,
    iterator: Iterator<Buffer>,
  ): Promise<void> {
    const { out: response } = this.#transport
    let next = first
    let left = this.#length ?? Number.POSITIVE_INFINITY
    // A corked chunked response does not report when it has drained; such lists are rare and are sent chunk by chunk.
    const isCorked = this.#length !== undefined && !compressed
    while (!next.done && !response.destroyed && left >= next.value.length) {
      if (isCorked) out.cork()
      let room = true
      const slice = new TimeSlice()
      for (let taken = 0; taken < BYTES_PER_WRITE && !next.done && left >= next.value.length; ) {
        if ((!isCorked && !room) || slice.isOver) break
        taken += next.value.length
        left -= next.value.length
        room = out.write(next.value)
        next = iterator.next()
      }
      if (isCorked) out.uncork()
      if (!room && !(await this.#drained(out))) break
      if (!next.done) await yieldToLoop()
    }
    // The definition changed during the response, so its length is wrong: cut it, so that the client sees a broken response.
    if (this.#length !== undefined && left !== 0) this.#transport.cut()
    else out.end()
  }

  /** Returns the share of the budget when the kernel has taken the last bytes. Must be called once `begin` has resolved. */
  end(): void {
    if (this.#share === 0) return
    const { out: response } = this.#transport
    if (response.writableFinished || response.destroyed) {
      this.#budget.give(this.#share)
      return
    }
    const watch = this.#cutOffWhenStalled()
    const finish = () => {
      watch.stop()
      response.off('finish', finish)
      response.off('close', finish)
      this.#budget.give(this.#share)
    }
    response.once('finish', finish)
    response.once('close', finish)
  }

  #drained(out: Writable): Promise<boolean> {
    const { out: response } = this.#transport
    return new Promise((resolve) => {
      const watch = this.#cutOffWhenStalled()
      const finish = (open: boolean) => {
        watch.stop()
        out.off('drain', onDrain)
        response.off('close', onClose)
        resolve(open)
      }
      const onDrain = () => finish(true)
      const onClose = () => finish(false)
      out.once('drain', onDrain)
      response.once('close', onClose)
    })
  }

  #cutOffWhenStalled(): { stop(): void } {
    const { clock } = this.#budget
    let stalled = 0
    let stop = () => {}
    const look = () => {
      stop = clock.setTimer(STALLED_BEFORE_OTHERS_MS, () => {
        stalled += STALLED_BEFORE_OTHERS_MS
        if (stalled >= STALLED_MS || this.#budget.waiting > 0) this.#transport.cut()
        else look()
      })
    }
    look()
    return { stop: () => stop() }
  }
}
