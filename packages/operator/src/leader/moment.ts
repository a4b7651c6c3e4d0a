// A point in time by two clocks: a suspend of the machine stops one of them, and a person or NTP can set the other.

import type { Clock } from '@homeostat/base'

export interface Moment {
  readonly wall: number
  /** Monotonic. It stands still while the machine is suspended, and never jumps. */
  readonly uptime: number
}

export function momentOf(clock: Clock): Moment {
  const wall = clock.now()
  return { wall, uptime: clock.uptime?.() ?? wall }
}

/** The time since, as long as it may have been: for a process that must stop in time. */
export function longestSince(from: Moment, to: Moment): number {
  return Math.max(to.wall - from.wall, to.uptime - from.uptime)
}
