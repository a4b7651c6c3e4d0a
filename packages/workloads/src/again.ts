// Computes when a controller of this package reconciles an object again.

import type { Outcome } from '@homeostat/operator'

/** The operator runtime accepts no shorter time, and would warn. */
const SOONEST_MS = 100

export function again(ms: number | undefined): Outcome {
  return ms === undefined ? undefined : { requeueAfter: { milliseconds: Math.max(SOONEST_MS, ms) } }
}
