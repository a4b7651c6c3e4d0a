// When a controller of this package has to look at an object again.

import type { Outcome } from '@homeostat/operator'

/** The runtime takes no shorter time, and would warn of one. */
const SOONEST_MS = 100

export function again(ms: number | undefined): Outcome {
  return ms === undefined ? undefined : { requeueAfter: { milliseconds: Math.max(SOONEST_MS, ms) } }
}
