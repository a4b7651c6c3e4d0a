// Decides how an informer goes on after a connection ended: from where, and how soon. Pure; tested as a table.

import { isStatusError, type StatusError } from '@homeostat/meta'
import { ConnectionError } from '../send/connection-error.ts'

/** How a connection began: with the objects as events, with their list, or from a revision. */
export type Start = 'stream' | 'list' | 'resume'

export interface Ended {
  readonly start: Start
  /** The first state was complete. Always so when it resumed and was answered. */
  readonly listed: boolean
  /** The server answered the watch. */
  readonly answered: boolean
  /** An event or bookmark came after that. */
  readonly progressed: boolean
  readonly lastedMs: number
  /** Undefined when the server ended the answer as it should. */
  readonly error: Error | undefined
  /** Failures in a row before this one. */
  readonly failures: number
}

export interface Next {
  /** `anew` fetches the whole state again. */
  readonly from: 'revision' | 'anew'
  /** `backoff` counts as a failure. */
  readonly wait: 'none' | 'backoff'
  /** Not sooner than this. */
  readonly atLeastMs: number
  /** Not later than this. */
  readonly atMostMs: number
  readonly trouble: Error | undefined
  /** The server does not serve the kind any more. */
  readonly vanished: boolean
  /** The server refuses to list by events, now and later. */
  readonly refusesStreams: boolean
}

/** The stream ended without anything said for too long. */
export class SilenceError extends ConnectionError {}

/** A line or an event that cannot be understood. */
export class UnreadableError extends Error {}

/** An event that does not fit what came before it. */
export class DisorderError extends Error {}

/** The server does not serve the kind. */
export class NotServedError extends Error {}

/** The server gives the objects as events, but not their end: it does not know what was asked. */
export class StreamsIgnoredError extends Error {}

/** A watch that ends sooner than this, with nothing said, is not resumed at once: that would be a loop. */
const SHORT_MS = 1000
/** A kind that is not served yet is looked for more often than other failures are retried. */
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
  // One answer is not enough: a server that starts may not know its custom kinds yet.
  const absent: Next = { ...anew, vanished: failures > 0, atMostMs: SERVED_SOON_MS }
  if (error instanceof NotServedError) return absent
  if (error instanceof StreamsIgnoredError) return { ...anew, wait: 'none', trouble: undefined, refusesStreams: true }
  if (error instanceof SilenceError) {
    // Kubernetes has no bookmarks for a kind that rests: whether anybody is there still, the next answer tells.
    return { ...resume, wait: 'none', trouble: listed && answered ? undefined : error }
  }
  if (error instanceof DisorderError) return { ...anew, wait: progressed ? 'none' : 'backoff' }
  // The same bytes may come again; a list does not hold them.
  if (error instanceof UnreadableError) return failures > 0 && !progressed ? anew : resume
  if (!isStatusError(error)) return { ...resume, trouble: broken(error) }
  if (isGone(error)) return { ...anew, wait: progressed ? 'none' : 'backoff' }
  if (error.code === 404) return absent
  if (isRefused(error) || isWithoutStreams(error)) {
    if (start === 'stream' && !listed) return { ...anew, wait: 'none', trouble: undefined, refusesStreams: true }
    return anew
  }
  // The server's history may have begun anew, below our revision.
  if (isTooLarge(error) && failures > 1) return anew
  return { ...resume, atLeastMs: (error.status.details?.retryAfterSeconds ?? 0) * 1000 }
}

/** Whatever else ended the connection. */
function broken(error: Error): ConnectionError {
  return error instanceof ConnectionError ? error : new ConnectionError(error.message, { cause: error })
}

function isGone(error: StatusError): boolean {
  return error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone'
}

function isRefused(error: StatusError): boolean {
  return error.code === 400 || error.code === 422 || error.reason === 'Invalid' || error.reason === 'BadRequest'
}

/** Kubernetes on an etcd before 3.4.25 says so, as an internal error. */
function isWithoutStreams({ code, message }: StatusError): boolean {
  return code === 500 && /storage feature \w+ is disabled/.test(message)
}

function isTooLarge({ status: { details, message = '' } }: StatusError): boolean {
  const causes: readonly { readonly reason?: string }[] = details?.causes ?? []
  return (
    causes.some(({ reason }) => reason === 'ResourceVersionTooLarge') || /too large resource version/i.test(message)
  )
}
