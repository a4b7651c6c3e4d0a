// Requeues a running Process whose executor does not have it: the executor was lost, or never received the assignment.
// A Process that has changed since is left alone.

import type { CachedObject } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { executorLost, notHeld } from '../queue/transitions.ts'
import type { ProcessName, Transition, TransitionWriter } from './transition-writer.ts'

export class Requeue {
  readonly #writer: TransitionWriter
  readonly #clock: Clock

  constructor(writer: TransitionWriter, clock: Clock) {
    this.#writer = writer
    this.#clock = clock
  }

  /** The executor never received the assignment: the attempt does not count as failed. */
  async notHeld(process: ProcessName, executor: string, attempt: number): Promise<void> {
    await this.#write(process, (spec, status) => notHeld(spec, status, executor, attempt, this.#clock.now()))
  }

  /** The executor was silent for too long: the attempt failed. Returns the written Process. */
  executorLost(process: ProcessName, executor: string, attempt: number): Promise<CachedObject | undefined> {
    return this.#write(process, (spec, status) => executorLost(spec, status, executor, attempt, this.#clock.now()))
  }

  async #write(process: ProcessName, transition: Transition): Promise<CachedObject | undefined> {
    try {
      return await this.#writer.write(process, transition)
    } catch (error) {
      if (isStatusError(error, 'Conflict')) return undefined
      throw error
    }
  }
}
