// Registers the Executor at the start, and again when a user deleted it. When its namespace is deleted it is not registered
// again, since that would create the namespace again.

import { pause } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { CallRetries } from './call-retries.ts'
import type { ColonyCalls } from './colony-calls.ts'
import type { ExecutorEnd } from './executor-end.ts'
import { colonyDeleted } from './executor-ended-error.ts'
import type { Settings } from './options.ts'
import type { ExecutorSpec } from './protocol.ts'

const TTL_AFTER_LOST_SECONDS = 600

interface RegistrationOptions extends Settings {
  readonly calls: ColonyCalls
}

export class Registration {
  readonly #options: RegistrationOptions
  readonly #retries: CallRetries
  readonly #end: ExecutorEnd
  #again: Promise<void> | undefined

  constructor(options: RegistrationOptions, retries: CallRetries, end: ExecutorEnd) {
    this.#options = options
    this.#retries = retries
    this.#end = end
  }

  /** Retries until the Executor is registered. Throws when the server rejects it as invalid, or the signal is aborted. */
  async register(signal: AbortSignal): Promise<void> {
    const { calls, clock } = this.#options
    const spec = this.#spec()
    for (;;) {
      signal.throwIfAborted()
      try {
        await calls.register(spec, signal)
        this.#retries.succeeded('register')
        return
      } catch (error) {
        if (isStatusError(error, 'Invalid') || isStatusError(error, 'BadRequest')) throw error
        signal.throwIfAborted()
        this.#retries.warn('register', error)
        await pause(clock, this.#retries.next('register'), signal)
      }
    }
  }

  /** Called when the Executor was deleted. Several calls may find that at the same time. */
  async registerAgain(signal: AbortSignal): Promise<void> {
    this.#again ??= this.#unlessColonyGone(signal).finally(() => {
      this.#again = undefined
    })
    try {
      await this.#again
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn({ err: error }, 'the executor could not be registered again yet')
    }
  }

  async #unlessColonyGone(signal: AbortSignal): Promise<void> {
    const { calls, colony, log, name } = this.#options
    if (await calls.isColonyGone(signal)) {
      this.#end.end(colonyDeleted(colony, undefined))
      return
    }
    log.warn({ executor: name }, 'the Executor was deleted; it is registered again')
    await this.register(signal)
  }

  #spec(): ExecutorSpec {
    const { type, functions, location, capabilities } = this.#options
    return {
      type,
      functions: [...functions.keys()],
      ...(location !== undefined && { location }),
      ...(capabilities !== undefined && { capabilities }),
      ttlSecondsAfterLost: TTL_AFTER_LOST_SECONDS,
    }
  }
}
