// The outcomes of a reconcile other than success: waiting for something, terminal until the object changes, or failed
// and retried with backoff. Waiting and terminal are errors, so that they end a reconcile from anywhere.

import { hasBrand, messageOf } from '@homeostat/base'
import type { Duration } from '@homeostat/meta'

const WAITING = Symbol.for('homeostat.operator.waiting')
const TERMINAL = Symbol.for('homeostat.operator.terminal')

/** Not yet: something else has to happen first. Not a failure, no retry; a change of what was read queues the key. */
export class Waiting extends Error {
  readonly [WAITING] = true
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
  readonly [TERMINAL] = true
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

/** By a brand, not by its class: a library that an author uses may bring its own copy of this package. */
export function isWaiting(error: unknown): error is Waiting {
  return hasBrand(error, WAITING)
}

export function isTerminal(error: unknown): error is Terminal {
  return hasBrand(error, TERMINAL)
}
