// Who gets which Process. Executors ask, and wait when there is nothing for them; whatever becomes free is handed to exactly
// one of those who wait.

import type { Api, CachedObject } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { Process, ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import { isStatusError } from '@homeostat/meta'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { Puller, QueuedProcess } from '../queue/queued-process.ts'
import { Sets } from '../queue/sets.ts'
import { assigned, isRefusal, notHeld } from '../queue/transitions.ts'
import { WaitingPullers } from '../queue/waiting-pullers.ts'
import type { ColonyMetrics } from './colony-metrics.ts'
import { keyOf, nameOf, PROCESSES } from './resources.ts'
import type { RunEvents } from './run-events.ts'
import type { Steps } from './steps.ts'

interface Poll {
  readonly puller: Puller
  readonly max: number
  /** Ends the wait, with what was taken for it. */
  give(taken: readonly QueuedProcess[]): void
  /** Keeps the wait until it is known whether a new Process was stored as its own. */
  hold(): (stored: CachedObject | undefined) => void
}

/** What a wait ends with: what was taken, a Process that runs already, or nothing that came of something. */
type Given = readonly QueuedProcess[] | CachedObject | 'nothing'

/** A new Process for somebody who waits. */
export interface Claimed {
  readonly status: ProcessStatus
  settle(stored: CachedObject | undefined): void
}

export interface Wanted {
  readonly max: number
  readonly waitMs: number
  /** Attempts that the same call ends. */
  readonly ends: Promise<void> | undefined
  /** Whether the executor has not been deleted meanwhile: nobody would interrupt its wait. */
  isThere(): boolean
}

export interface AssignmentParts {
  readonly api: Api
  readonly steps: Steps
  readonly queue: ProcessQueue
  readonly clock: Clock
  readonly metrics: ColonyMetrics
  readonly runs: RunEvents
  /** What was taken is free again: somebody else may want it. */
  released(): void
}

export class Assignments {
  readonly #parts: AssignmentParts
  readonly #waiting = new WaitingPullers<Poll>()
  readonly #listening = new Sets<() => void>()

  constructor(parts: AssignmentParts) {
    this.#parts = parts
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Processes that run from now on, by this puller. None when the time is up, the signal ends, or it was interrupted.
   * What is free at once is written together with the `ends` that the call brought; if those fail, it is given back.
   */
  async take(puller: Puller, wanted: Wanted, signal: AbortSignal): Promise<readonly CachedObject[]> {
    const { queue, clock } = this.#parts
    const until = clock.now() + wanted.waitMs
    let ends: Promise<void> | undefined = wanted.ends
    while (!signal.aborted) {
      const now = clock.now()
      let taken: readonly QueuedProcess[] = queue.take(puller, wanted.max, now)
      if (taken.length === 0) {
        await ends
        // An end may have freed something.
        if (ends !== undefined) taken = queue.take(puller, wanted.max, clock.now())
        ends = undefined
      }
      const given: Given =
        taken.length === 0 && now < until && wanted.isThere()
          ? await this.#wait(puller, wanted.max, until - now, signal)
          : taken
      if (given === 'nothing') continue
      if (isTaken(given) && given.length === 0) break
      const running = isTaken(given) ? await this.#assignBeside(given, puller, ends) : [given]
      ends = undefined
      if (running.length === 0) continue
      if (!signal.aborted) return running
      // Nobody hears the answer.
      await this.#takeBack(running, puller)
    }
    await ends
    return []
  }

  /** Hands what is free of that type to those who wait for it. */
  offer(namespace: string, executorType: string): void {
    const { queue, clock } = this.#parts
    if (this.#waiting.size === 0) return
    const now = clock.now()
    const accepts = (puller: Puller) => queue.eligible(puller, now)
    for (let poll = this.#match(accepts, namespace, executorType); poll; ) {
      poll.give(queue.take(poll.puller, poll.max, now))
      poll = this.#match(accepts, namespace, executorType)
    }
  }

  /**
   * Finds who waits for a Process that is about to be stored, so that it is stored as theirs: one write instead of two. One
   * with a concurrency key goes the long way, since others may hold the key.
   */
  claim(process: QueuedProcess, spec: ProcessSpec, submitted: ProcessStatus): Claimed | undefined {
    const { queue, clock, metrics } = this.#parts
    const { namespace, demands, concurrencyKey } = process
    const now = clock.now()
    const status = assigned(spec, submitted, '', now)
    if (concurrencyKey !== undefined || isRefusal(status)) return undefined
    const poll = this.#match((puller) => queue.wouldGet(puller, demands, now), namespace, demands.executorType)
    if (poll === undefined) return undefined
    const tell = poll.hold()
    const settle = (stored: CachedObject | undefined) => {
      if (stored !== undefined) metrics.assigned(process, clock.now())
      tell(stored)
    }
    return { status: { ...status, executor: poll.puller.name }, settle }
  }

  /** Waits until there is something to tell an executor that has no room for more. */
  listen(
    executor: { readonly namespace: string; readonly name: string },
    ms: number,
    signal: AbortSignal,
  ): Promise<void> {
    const key = keyOf(executor)
    return new Promise((resolve) => {
      const end = () => {
        this.#listening.delete(key, end)
        cancelTimer()
        signal.removeEventListener('abort', end)
        resolve()
      }
      if (signal.aborted) return resolve()
      this.#listening.add(key, end)
      const cancelTimer = this.#parts.clock.setTimer(ms, end)
      signal.addEventListener('abort', end)
    })
  }

  /** Ends the waits of one executor: there is something to tell it. */
  interrupt(namespace: string, name: string): void {
    for (const end of [...this.#listening.get(keyOf({ namespace, name }))]) end()
    for (const poll of [...this.#waiting.of(namespace, name)]) poll.give([])
  }

  #match(accepts: (puller: Puller) => boolean, namespace: string, executorType: string): Poll | undefined {
    return this.#waiting.match(accepts, namespace, executorType)
  }

  #wait(puller: Puller, max: number, ms: number, signal: AbortSignal): Promise<Given> {
    return new Promise((resolve) => {
      const stop = () => {
        leave()
        cancelTimer()
        signal.removeEventListener('abort', end)
      }
      const give = (taken: readonly QueuedProcess[]) => {
        stop()
        resolve(taken)
      }
      const hold = () => {
        stop()
        return (stored: CachedObject | undefined) => resolve(stored ?? 'nothing')
      }
      const end = () => give([])
      const leave = this.#waiting.add(puller, { puller, max, give, hold })
      const cancelTimer = this.#parts.clock.setTimer(ms, end)
      signal.addEventListener('abort', end)
    })
  }

  async #assignBeside(
    taken: readonly QueuedProcess[],
    puller: Puller,
    ends: Promise<void> | undefined,
  ): Promise<readonly CachedObject[]> {
    if (ends === undefined) return this.#assignAll(taken, puller)
    const [ended, assigned] = await Promise.allSettled([ends, this.#assignAll(taken, puller)])
    if (ended.status === 'rejected') {
      if (assigned.status === 'fulfilled') await this.#takeBack(assigned.value, puller)
      throw ended.reason
    }
    if (assigned.status === 'rejected') throw assigned.reason
    return assigned.value
  }

  async #assignAll(taken: readonly QueuedProcess[], puller: Puller): Promise<CachedObject[]> {
    const ends = await Promise.allSettled(taken.map((process) => this.#assign(process, puller)))
    const running = ends.flatMap((end) => (end.status === 'fulfilled' && end.value !== undefined ? [end.value] : []))
    const failed = ends.find((end) => end.status === 'rejected')
    // Those that run have to be told.
    if (failed !== undefined && running.length === 0) throw failed.reason
    return running
  }

  async #assign(process: QueuedProcess, puller: Puller): Promise<CachedObject | undefined> {
    const { steps, queue, clock, metrics, runs, released } = this.#parts
    const now = clock.now()
    try {
      const written = await steps.take(process, (spec, status) => assigned(spec, status, puller.name, now))
      if (written !== undefined) metrics.assigned(process, clock.now())
      // Only runs of resources are told, and these have a key.
      if (written !== undefined && process.concurrencyKey !== undefined) runs.assigned(written)
      return written
    } catch (error) {
      // Somebody cancelled or took it, or it was set aside: its newest state is on its way here. Anything else is tried again.
      if (isStatusError(error, 'Conflict')) return undefined
      throw error
    } finally {
      // Does nothing when the new state is known already.
      queue.release(process.namespace, process.name)
      released()
    }
  }

  async #takeBack(running: readonly CachedObject[], { name }: Puller): Promise<void> {
    const { api, steps, clock } = this.#parts
    const back = running.map((process) => {
      const { attempt } = (api.parsed(PROCESSES, process) as unknown as Process).status
      return steps.take(nameOf(process.name), (spec, status) => notHeld(spec, status, name, attempt, clock.now()))
    })
    await Promise.all(back)
  }
}

function isTaken(given: Given): given is readonly QueuedProcess[] {
  return Array.isArray(given)
}
