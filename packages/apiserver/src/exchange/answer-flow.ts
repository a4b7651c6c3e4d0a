// The way of a large answer to its client: it waits for its turn on the connection and for room among all large answers,
// then goes out no faster than it is read. Who reads too slowly is cut off, soon when others wait for the room.
// A connection that takes everything at once never lets the event loop go on by itself: it must be made to.

import type { Writable } from 'node:stream'
import { TimeSlice, yieldToLoop } from '@homeostat/base'
import type { AnswerBudget } from './answer-budget.ts'
import type { Transport } from './transport.ts'

/** About what the kernel takes at once; no answer has more than that in memory on its way out. */
const BYTES_PER_WRITE = 4 << 20
/** A client that takes nothing for so long has its answer cut off: the picture it reads costs memory. */
const STALLED_MS = 60_000
/** The same while other answers wait for the room that this one takes. */
const STALLED_BEFORE_OTHERS_MS = 5_000
/** Of a few kilobytes nobody has to keep count, and the server's own parts wait for nobody. */
const COUNTED_ABOVE = 64 << 10

export class AnswerFlow {
  readonly #transport: Transport
  readonly #budget: AnswerBudget
  readonly #length: number | undefined
  readonly #share: number

  /** `length` is undefined when it is not known before the end. */
  constructor(transport: Transport, budget: AnswerBudget, length: number | undefined) {
    this.#transport = transport
    this.#budget = budget
    this.#length = length
    const share = Math.min(length ?? BYTES_PER_WRITE, BYTES_PER_WRITE)
    const counts = share > COUNTED_ABOVE && transport.localUser === undefined
    this.#share = counts ? share : 0
  }

  /** Resolves when the answer may begin, with its share of the budget taken; undefined when it may at once. */
  begin(): Promise<void> | undefined {
    if (this.#share === 0) return undefined
    if (!this.#transport.isBehind && this.#budget.tryTake(this.#share)) return undefined
    return this.#wait()
  }

  async #wait(): Promise<void> {
    // An answer that waits behind another of its connection must not hold what that one waits for.
    await this.#transport.turn()
    // The one before may have ended in this very turn, and the next one may, too.
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
    // Corked chunks do not say when they have drained; such lists are rare, and go out chunk by chunk.
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
    // The objects were to be shown differently from some point on: half an answer is clearly half, and asked for again.
    if (this.#length !== undefined && left !== 0) this.#transport.cut()
    else out.end()
  }

  /** Gives the share back when the system has taken the last of it. Must be called once `begin` has resolved. */
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
