// Decides whether a request is retried, and after how long. Pure: the sender passes in what happened and does the
// waiting.

export interface RetryLimits {
  /** Maximum number of times that a request is sent. */
  readonly tries: number
  /** No retry starts later than this after the first try, in milliseconds. */
  readonly totalMs: number
}

export const DEFAULT_LIMITS: RetryLimits = { tries: 10, totalMs: 120_000 }

/**
 * A broken connection is retried a few times at short intervals, so that the caller learns soon of a server that is
 * down.
 */
const BROKEN_TRIES = 4
const BROKEN_MS = 50

export interface Tried {
  readonly method: string
  /** Number of times sent so far. */
  readonly tries: number
  /** Time since the first try. */
  readonly elapsedMs: number
  /** Undefined when no response arrived. */
  readonly response: { readonly status: number; readonly retryAfter: string | undefined } | undefined
}

/** Milliseconds to wait before the next try; undefined to give up. */
export function planRetry(tried: Tried, limits: RetryLimits, now: number, random: () => number): number | undefined {
  if (tried.tries >= limits.tries) return undefined
  const ms = tried.response === undefined ? afterBreak(tried, random) : afterResponse(tried.response, now)
  if (ms === undefined || tried.elapsedMs + ms > limits.totalMs) return undefined
  return tried.response === undefined ? ms : Math.min(spread(ms, tried.tries, random), limits.totalMs - tried.elapsedMs)
}

/** Jitter: clients that were refused at the same moment must not all retry at the same moment. */
function spread(ms: number, tries: number, random: () => number): number {
  return ms * (1 + random() * (tries - 1))
}

/** A write that lost its connection may have happened, so only reads are retried. */
function afterBreak({ method, tries }: Tried, random: () => number): number | undefined {
  if (method !== 'GET' || tries >= BROKEN_TRIES) return undefined
  return BROKEN_MS * 4 ** (tries - 1) * (1 + random())
}

/** A response with Retry-After means that the request was not carried out, so any method is retried. */
function afterResponse({ status, retryAfter }: { status: number; retryAfter: string | undefined }, now: number) {
  if (retryAfter === undefined || ![429, 500, 503, 504].includes(status)) return undefined
  return retryAfterMs(retryAfter, now)
}

/** Parses Retry-After: seconds or a date. */
function retryAfterMs(text: string, now: number): number | undefined {
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
