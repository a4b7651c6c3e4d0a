// The loops of an executor: one pulls work, one says at once what ended meanwhile, one says that it is alive. What they
// send is decided by the book.

import { Backoff, Pace, PauseWatch, pause } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { ColonyCalls } from './colony-calls.ts'
import { colonyDeleted, type ExecutorEndedError, isReplaced, replaced } from './executor-ended.ts'
import { FunctionRun } from './function-run.ts'
import type { Settings } from './options.ts'
import { attemptOf, type Batch, idOf, ProcessBook } from './process-book.ts'
import { ProcessLog } from './process-log.ts'
import { type AssignAnswer, type Attempt, HEARTBEAT_SECONDS, type Process } from './protocol.ts'
import { refusalOf } from './refusal.ts'
import { Wakeup } from './waiting.ts'

interface PullerOptions extends Settings {
  readonly client: Client
  readonly calls: ColonyCalls
  /** It cannot go on. Called once. */
  onEnd(error: ExecutorEndedError): void
}

const POLL_SECONDS = 30
const TTL_AFTER_LOST_SECONDS = 600
/** A poll that brings nothing in less time is not repeated at once. */
const EMPTY_MS = 1000
/** How long functions may go on after they were aborted at the end, and how long the last ends may take to be taken. */
const GRACE_MS = 5000
/** A function that takes longer is worth a call that waits for its cancel. */
const LISTEN_AFTER_MS = 250
const LAST_ENDS_MS = 10_000

type Call = 'register' | 'poll' | 'report' | 'heartbeat'

export class Puller {
  readonly #options: PullerOptions
  readonly #book: ProcessBook
  readonly #backoff: Backoff<Call>
  readonly #pace: Pace
  readonly #runs = new Map<string, FunctionRun>()
  readonly #changed = new Wakeup()
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  #loops: Promise<unknown> = Promise.resolve()
  #registering: Promise<void> | undefined
  #pauses: PauseWatch | undefined
  #isOver = false
  #beatNow = new AbortController()

  constructor(options: PullerOptions) {
    const { concurrency, capabilities, random } = options
    this.#options = options
    this.#book = new ProcessBook({ concurrency, capabilities })
    this.#pace = new Pace((message) => options.log.warn({}, message))
    this.#backoff = new Backoff({ min: 250, max: 10_000, jitter: 0.5, random })
  }

  get running(): number {
    return this.#book.running
  }

  /** Tries until the server has the Executor; throws when it can never be, or the signal ends. */
  async register(signal: AbortSignal): Promise<void> {
    const { calls, clock, type, functions, location, capabilities } = this.#options
    const spec = {
      type,
      functions: [...functions.keys()],
      ...(location !== undefined && { location }),
      ...(capabilities !== undefined && { capabilities }),
      ttlSecondsAfterLost: TTL_AFTER_LOST_SECONDS,
    }
    for (;;) {
      signal.throwIfAborted()
      try {
        await calls.register(spec, signal)
        this.#backoff.forget('register')
        return
      } catch (error) {
        if (isStatusError(error, 'Invalid') || isStatusError(error, 'BadRequest')) throw error
        signal.throwIfAborted()
        this.#tellTrouble('register', error)
        await pause(clock, this.#backoff.next('register'), signal)
      }
    }
  }

  start(): void {
    const { clock, log } = this.#options
    const onPause = (ms: number) => {
      log.warn(
        { seconds: Math.round(ms / 1000) },
        'the executor did not run for a while; it asks what is still its own',
      )
      this.#beatNow.abort()
      this.#beatNow = new AbortController()
    }
    this.#pauses = new PauseWatch({ clock, onPause })
    this.#loops = Promise.all([this.#poll(), this.#report(), this.#heartbeat(), this.#listen()])
  }

  /** Safe to call once. */
  async close(): Promise<void> {
    const { drainMs } = this.#options
    this.#book.stop()
    this.#stopping.abort(new Error('the executor takes no more'))
    this.#changed.wake()
    await this.#until(() => this.#runs.size === 0, drainMs)
    for (const run of this.#runs.values()) run.abort(aborted('the executor ends'))
    await this.#until(() => this.#runs.size === 0, GRACE_MS)
    await this.#until(() => !this.#book.hasEnds, LAST_ENDS_MS)
    this.#sayWhatIsLeft()
    this.#pauses?.close()
    this.#ending.abort(new Error('the executor has ended'))
    await this.#loops
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const batch = this.#book.next('poll')
      if (batch === undefined) await this.#changed.wait(signal)
      // Ends do not wait for the next work to be known as taken.
      else await this.#send(batch, batch.ends.length > 0 ? 0 : POLL_SECONDS, signal)
    }
  }

  async #report(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      const batch = this.#book.next('report')
      if (batch === undefined) await this.#changed.wait(signal)
      else await this.#send(batch, 0, signal)
    }
  }

  /** Without room there is no poll that could bring a cancel: then a call waits for that alone. */
  async #listen(): Promise<void> {
    const { clock, calls } = this.#options
    const { signal } = this.#ending
    while (!signal.aborted) {
      if (!this.#book.isFull) {
        await this.#changed.wait(signal)
        continue
      }
      const over = new AbortController()
      const until = AbortSignal.any([signal, over.signal])
      void this.#untilRoom(over)
      // What ends sooner needs no such call.
      await pause(clock, LISTEN_AFTER_MS, until)
      if (until.aborted) continue
      const began = clock.now()
      try {
        this.#cancel((await calls.assign({ max: 0 }, POLL_SECONDS, until)).cancelled)
      } catch (error) {
        // The heartbeat says what is wrong, if anything is.
        if (isReplaced(error)) this.#end(replaced(this.#options.name, this.#options.colony, error))
      }
      if (clock.now() - began < EMPTY_MS) await pause(clock, EMPTY_MS, until)
      over.abort()
    }
  }

  async #untilRoom(over: AbortController): Promise<void> {
    while (this.#book.isFull && !over.signal.aborted) await this.#changed.wait(over.signal)
    over.abort()
  }

  async #heartbeat(): Promise<void> {
    const { calls, clock } = this.#options
    const { signal } = this.#ending
    let ms = HEARTBEAT_SECONDS * 1000
    while (!signal.aborted) {
      await pause(clock, ms, AbortSignal.any([signal, this.#beatNow.signal]))
      if (signal.aborted) return
      try {
        const { cancelled, lost } = await calls.heartbeat({ holding: this.#book.holding }, signal)
        this.#backoff.forget('heartbeat')
        ms = HEARTBEAT_SECONDS * 1000
        this.#cancel(cancelled)
        for (const id of this.#book.lost(lost)) this.#runs.get(id)?.abort(aborted('the process was given to others'))
        this.#changed.wake()
      } catch (error) {
        if (signal.aborted || this.#endsWith(error)) return
        ms = Math.max(1000, this.#backoff.next('heartbeat'))
        if (isStatusError(error, 'NotFound')) await this.#registerAgain(signal)
        else this.#tellTrouble('heartbeat', error)
      }
    }
  }

  async #send(batch: Batch, timeoutSeconds: number, signal: AbortSignal): Promise<void> {
    const { calls, clock, log } = this.#options
    const began = clock.now()
    let answer: AssignAnswer
    try {
      answer = await calls.assign(batch.request, timeoutSeconds, signal)
    } catch (error) {
      await this.#failed(batch, error, signal)
      return
    }
    this.#backoff.forget(batch.way)
    this.#book.taken(batch)
    for (const { process, finished } of batch.ends) {
      this.#tell('onClosed', () => this.#options.onClosed(process, finished))
    }
    for (const process of this.#book.assigned(answer.processes)) this.#run(process)
    const isNew = this.#cancel(answer.cancelled)
    this.#changed.wake()
    const isIdle = answer.processes.length === 0 && batch.ends.length === 0 && !isNew
    if (isIdle && clock.now() - began < EMPTY_MS) {
      log.debug({}, 'a poll was answered at once with nothing')
      await pause(clock, EMPTY_MS, signal)
    }
  }

  async #failed(batch: Batch, error: unknown, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    if (this.#endsWith(error)) {
      this.#book.refused(batch, { causes: new Map(), final: true, message: '' })
      return
    }
    const refusal = signal.aborted || batch.ends.length === 0 ? undefined : refusalOf(error)
    if (refusal === undefined) this.#book.unsent(batch)
    else this.#giveUp(this.#book.refused(batch, refusal), error)
    this.#changed.wake()
    if (refusal !== undefined || signal.aborted) return
    if (isStatusError(error, 'NotFound')) await this.#registerAgain(signal)
    else this.#tellTrouble(batch.way, error)
    await pause(clock, this.#backoff.next(batch.way), signal)
  }

  /** Said once, however often it is tried again. */
  #tellTrouble(call: Call, error: unknown): void {
    const { log } = this.#options
    const hint = call === 'register' && isStatusError(error, 'NotFound') ? '; is this a server with a colony?' : ''
    const message = `a call (${call}) did not succeed; it is tried again${hint}`
    if (this.#backoff.failures(call) === 0) log.warn({ err: error }, message)
    else log.debug({ err: error }, message)
  }

  #giveUp(ends: Batch['ends'], error: unknown): void {
    for (const { finished } of ends) {
      const { process, attempt, result } = finished
      this.#options.log.warn({ err: error, process, attempt, result }, 'the server refused the end of a process')
    }
  }

  #endsWith(error: unknown): boolean {
    const { name, colony } = this.#options
    if (isReplaced(error)) this.#end(replaced(name, colony, error))
    return this.#isOver
  }

  /** Nothing it runs is its own any more. */
  #end(error: ExecutorEndedError): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#book.stop()
    const attempts = this.#book.holding
    for (const id of this.#book.lost(attempts)) this.#runs.get(id)?.abort(aborted(error.message))
    this.#options.onEnd(error)
  }

  /** Somebody deleted the Executor, or its namespace with it: that is not made again. */
  async #registerAgain(signal: AbortSignal): Promise<void> {
    this.#registering ??= this.#registerUnlessGone(signal).finally(() => {
      this.#registering = undefined
    })
    try {
      await this.#registering
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn({ err: error }, 'the executor could not be registered again yet')
    }
  }

  async #registerUnlessGone(signal: AbortSignal): Promise<void> {
    const { calls, colony } = this.#options
    if (await calls.isColonyGone(signal)) {
      this.#end(colonyDeleted(colony, undefined))
      return
    }
    this.#options.log.warn({ executor: this.#options.name }, 'the Executor was deleted; it is registered again')
    await this.register(signal)
  }

  #run(process: Process): void {
    const { calls, client, clock, random, functions, log } = this.#options
    const attempt = attemptOf(process)
    const id = idOf(attempt)
    const lines = new ProcessLog({
      send: (text, signal) => calls.log(attempt, text, signal),
      clock,
      random,
      onRefused: (error) => log.warn({ err: error, ...attempt }, 'the server refused the log of a process'),
    })
    this.#tell('onAssigned', () => this.#options.onAssigned(process))
    const isCancelled = () => this.#book.stateOf(id) === 'cancelled'
    const isLost = () => this.#book.stateOf(id) === 'lost'
    const around = { functions, client, clock, log: lines, pace: this.#pace, isCancelled, isLost }
    const run = new FunctionRun({ process, attempt, ...around })
    this.#runs.set(id, run)
    void run.ended.then((finished) => {
      this.#runs.delete(id)
      this.#book.ended(finished)
      this.#changed.wake()
    })
  }

  #cancel(attempts: readonly Attempt[]): boolean {
    const ids = this.#book.cancelled(attempts)
    for (const id of ids) this.#runs.get(id)?.abort(aborted('the process was cancelled'))
    return ids.length > 0
  }

  #tell(what: string, tell: () => void): void {
    try {
      tell()
    } catch (error) {
      this.#options.log.error({ err: error }, `${what} threw`)
    }
  }

  async #until(isSo: () => boolean, ms: number): Promise<void> {
    const { clock } = this.#options
    const late = new AbortController()
    const cancel = clock.setTimer(ms, () => late.abort())
    while (!isSo() && !late.signal.aborted) await this.#changed.wait(late.signal)
    cancel()
  }

  #sayWhatIsLeft(): void {
    const left = this.#book.holding.map(idOf)
    if (left.length === 0) return
    this.#options.log.warn({ processes: left }, 'the executor ends without these; the server gives them to others')
  }
}

function aborted(message: string): Error {
  return new DOMException(message, 'AbortError')
}
