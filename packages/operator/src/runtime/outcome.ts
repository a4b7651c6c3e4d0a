// How a run can end other than by success: it waits for something, it cannot go on until its object changes, or it
// failed and is tried again with growing delay. The first two are thrown, too, so that they end a run from anywhere.

import { messageOf } from '@homeostat/base'
import type { Duration } from '@homeostat/meta'

/** Not yet: something else has to happen first. No error, no retry; a change of what was read brings the next run. */
export class Waiting extends Error {
  readonly reason: string
  readonly retryAfter: Duration | undefined

  constructor(reason: string, message: string, retryAfter?: Duration) {
    super(message)
    this.name = 'Waiting'
    this.reason = reason
    this.retryAfter = retryAfter
  }
}

/** Never, as the object stands: no retry until its generation changes. */
export class Terminal extends Error {
  readonly reason: string

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Terminal'
    this.reason = reason
  }
}

/** `throw waiting('DatabaseNotReady', 'waiting for database orders')` */
export function waiting(reason: string, message: string, options: { retryAfter?: Duration } = {}): Waiting {
  return new Waiting(reason, message, options.retryAfter)
}

/** `throw terminal(error)`: says that a retry would not help. */
export function terminal(error: unknown, reason = 'Failed'): Terminal {
  const message = messageOf(error)
  return new Terminal(reason, message, { cause: error })
}
