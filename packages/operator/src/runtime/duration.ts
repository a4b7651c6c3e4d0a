// Durations as authors write them.

import { parseGoDuration } from '@homeostat/meta'
import type { Duration } from './run.ts'

/** Milliseconds. Throws for what is no duration, so that `10 minutes` is no quiet zero. */
export function milliseconds(duration: Duration): number {
  const ms = typeof duration === 'number' ? duration : parseGoDuration(duration)
  if (ms === undefined || !(ms >= 0)) {
    throw new Error(`"${duration}" is not a duration: write milliseconds, or a text such as 90s, 10m, 1h30m`)
  }
  return ms
}
