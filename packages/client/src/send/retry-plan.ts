// Decides whether a request is sent again, and after how long. Pure: the sender brings what happened and waits.

export interface RetryLimits {
  /** How often a request is sent at most. */
  readonly tries: number
  /** No wait goes beyond this time after the first try, in milliseconds. */
  readonly totalMs: number
}

export const DEFAULT_LIMITS: RetryLimits = { tries: 10, totalMs: 120_000 }

/** A server that is gone is told soon; a connection that just ended is made again at once. */
const BROKEN_TRIES = 4
const BROKEN_MS = 50

export interface Tried {
  readonly method: string
  /** How often it was sent so far. */
  readonly tries: number
  /** Since the first try. */
  readonly elapsedMs: number
  /** Undefined when no answer came. */
  readonly answer: { readonly status: number; readonly retryAfter: string | undefined } | undefined
}

/** Milliseconds to wait before the next try; undefined when there is none. */
export function planRetry(tried: Tried, limits: RetryLimits, now: number, random: () => number): number | undefined {
  if (tried.tries >= limits.tries) return undefined
  const ms = tried.answer === undefined ? afterBreak(tried, random) : afterAnswer(tried.answer, now)
  if (ms === undefined || tried.elapsedMs + ms > limits.totalMs) return undefined
  return tried.answer === undefined ? ms : Math.min(spread(ms, tried.tries, random), limits.totalMs - tried.elapsedMs)
}

/** All who were refused together would come back together, and be refused again. */
function spread(ms: number, tries: number, random: () => number): number {
  return ms * (1 + random() * (tries - 1))
}

/** Only the server knows whether a write that lost its connection was carried out, so only reads are repeated. */
function afterBreak({ method, tries }: Tried, random: () => number): number | undefined {
  if (method !== 'GET' || tries >= BROKEN_TRIES) return undefined
  return BROKEN_MS * 4 ** (tries - 1) * (1 + random())
}

/** A server that says when to come back has carried nothing out. */
function afterAnswer({ status, retryAfter }: { status: number; retryAfter: string | undefined }, now: number) {
  if (retryAfter === undefined || ![429, 500, 503, 504].includes(status)) return undefined
  return retryAfterMs(retryAfter, now)
}

/** Seconds, or a date. */
function retryAfterMs(text: string, now: number): number | undefined {
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
