// The restart back-off of a container: the first restart is immediate, later ones wait for a delay that doubles, and a
// long run resets it. Pure.

export interface BackOff {
  /** The delay before the next restart. */
  readonly delayMs: number
  readonly restartedAt: number
}

const FIRST_MS = 10_000
const LONGEST_MS = 300_000
/** A container that ran at least this long is no crash loop. */
const GOOD_RUN_MS = 600_000

export function restartAt(backOff: BackOff | undefined, finishedAt: number): number {
  return isOver(backOff, finishedAt) ? finishedAt : finishedAt + backOff.delayMs
}

/** The back-off after a restart. */
export function restarted(backOff: BackOff | undefined, finishedAt: number, now: number): BackOff {
  const delayMs = isOver(backOff, finishedAt) ? FIRST_MS : Math.min(LONGEST_MS, backOff.delayMs * 2)
  return { delayMs, restartedAt: now }
}

function isOver(backOff: BackOff | undefined, finishedAt: number): backOff is undefined {
  return backOff === undefined || finishedAt - backOff.restartedAt > GOOD_RUN_MS
}
