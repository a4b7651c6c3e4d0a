// The outcomes of a reconcile other than success: waiting for something, terminal until the object changes, or failed
// and retried with backoff. Waiting and terminal are errors, so that they end a reconcile from anywhere.

import { messageOf } from '@homeostat/base'
import type { Duration } from '@homeostat/meta'

/** Not yet: something else has to happen first. Not a failure, no retry; a change of what was read queues the key. */
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

/** Hopeless as the object stands: no retry until its generation changes. */
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

/** `throw terminal(error)`: a retry would not help. */
export function terminal(error: unknown, reason = 'Failed'): Terminal {
  const message = messageOf(error)
  return new Terminal(reason, message, { cause: error })
}
