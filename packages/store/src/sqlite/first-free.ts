// Where the counter of revisions goes on after a loss or a restore: above every revision that was ever given out in
// the directory.

import type { Revision } from '../contract.ts'
import { readHighWater } from './high-water.ts'
import { readReservation } from './reservation.ts'

/** If the revisions given out so far are unknown, the counter jumps further than any server can have written. */
export const UNKNOWN_JUMP = 1_000_000_000

export function firstFree(directory: string, newest: Revision): Revision {
  const mark = readHighWater(directory)
  const acknowledged = typeof mark === 'object' ? mark.revision : 0
  const reserved = readReservation(directory)?.revision
  return reserved === undefined
    ? Math.max(acknowledged, newest) + UNKNOWN_JUMP
    : Math.max(acknowledged, newest, reserved) + 1
}
