// Decides how an informer continues after a connection ended: from which revision, and how soon. Pure; tested as a
// table.

import { isStatusError, type StatusError } from '@homeostat/meta'
import { ConnectionError, isConnectionError } from '../send/connection-error.ts'

/** How a connection starts: with the objects as initial events, with a list, or from a revision. */
export type Start = 'stream' | 'list' | 'resume'

export interface Ended {
  readonly start: Start
  /** The initial state was complete. Always true for a resumed watch that was answered. */
  readonly listed: boolean
  /** The server responded to the watch. */
  readonly answered: boolean
  /** An event or bookmark arrived after the initial state. */
  readonly progressed: boolean
  readonly lastedMs: number
  /** Undefined when the server ended the response properly. */
  readonly error: Error | undefined
  /** Consecutive failures before this one. */
  readonly failures: number
}

export interface Next {
  /** `anew` lists again. */
  readonly from: 'revision' | 'anew'
  /** `backoff` counts as a failure. */
  readonly wait: 'none' | 'backoff'
  /** Lower bound of the wait. */
  readonly atLeastMs: number
  /** Upper bound of the wait. */
  readonly atMostMs: number
  readonly trouble: Error | undefined
  /** The server no longer serves the kind. */
  readonly vanished: boolean
  /** The server does not support `sendInitialEvents`; do not ask again. */
  readonly refusesStreams: boolean
}

/** The watch was silent for too long. */
export class SilenceError extends ConnectionError {}

/** A line or an event that cannot be parsed. */
export class UnreadableError extends Error {}

/** An event whose revision contradicts the cache. */
export class DisorderError extends Error {}

export class NotServedError extends Error {}

/** The server ignored `sendInitialEvents`: it sent objects, but no bookmark that ends them. */
export class StreamsIgnoredError extends Error {}

/**
 * A watch that ends sooner than this without an event is resumed with backoff, since an immediate resume would loop.
 */
const SHORT_MS = 1000
/** Upper bound of the wait for a kind that is not served yet: its definition often follows soon. */
const SERVED_SOON_MS = 5000

const RESUME: Next = {
  from: 'revision',
  wait: 'backoff',
  atLeastMs: 0,
  atMostMs: Number.POSITIVE_INFINITY,
  trouble: undefined,
  vanished: false,
  refusesStreams: false,
}

export function afterEnd(ended: Ended): Next {
  const { error, listed, progressed, lastedMs } = ended
  if (error !== undefined) return afterError(ended, error)
  if (!listed)
    return { ...RESUME, from: 'anew', trouble: new Error('The server ended the list before it was complete.') }
  return { ...RESUME, wait: progressed || lastedMs >= SHORT_MS ? 'none' : 'backoff' }
}

function afterError(ended: Ended, error: Error): Next {
  const { start, listed, answered, progressed, failures } = ended
  const resume: Next = { ...RESUME, from: listed || start === 'resume' ? 'revision' : 'anew', trouble: error }
  const anew: Next = { ...resume, from: 'anew' }
  // A single 404 does not count: a starting server may not serve its custom kinds yet.
  const absent: Next = { ...anew, vanished: failures > 0, atMostMs: SERVED_SOON_MS }
  if (error instanceof NotServedError) return absent
  if (error instanceof StreamsIgnoredError) return { ...anew, wait: 'none', trouble: undefined, refusesStreams: true }
  if (error instanceof SilenceError) {
    // Kubernetes may send no bookmarks for an idle kind: the response to the next watch shows whether the server is
    // alive.
    return { ...resume, wait: 'none', trouble: listed && answered ? undefined : error }
  }
  if (error instanceof DisorderError) return { ...anew, wait: progressed ? 'none' : 'backoff' }
  // A resumed watch may send the same bytes again; a list does not contain that event.
  if (error instanceof UnreadableError) return failures > 0 && !progressed ? anew : resume
  if (!isStatusError(error)) return { ...resume, trouble: broken(error) }
  if (isGone(error)) return { ...anew, wait: progressed ? 'none' : 'backoff' }
  if (error.code === 404) return absent
  if (isRefused(error) || isWithoutStreams(error)) {
    if (start === 'stream' && !listed) return { ...anew, wait: 'none', trouble: undefined, refusesStreams: true }
    return anew
  }
  // The server's history may have been reset to below our revision.
  if (isTooLarge(error) && failures > 1) return anew
  return { ...resume, atLeastMs: (error.status.details?.retryAfterSeconds ?? 0) * 1000 }
}

function broken(error: Error): ConnectionError {
  return isConnectionError(error) ? error : new ConnectionError(error.message, { cause: error })
}

function isGone(error: StatusError): boolean {
  return error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone'
}

function isRefused(error: StatusError): boolean {
  return error.code === 400 || error.code === 422 || error.reason === 'Invalid' || error.reason === 'BadRequest'
}

/** Kubernetes on etcd before 3.4.25 reports the missing feature as an internal error. */
function isWithoutStreams({ code, message }: StatusError): boolean {
  return code === 500 && /storage feature \w+ is disabled/.test(message)
}

function isTooLarge({ status: { details, message = '' } }: StatusError): boolean {
  const causes: readonly { readonly reason?: string }[] = details?.causes ?? []
  return (
    causes.some(({ reason }) => reason === 'ResourceVersionTooLarge') || /too large resource version/i.test(message)
  )
}
