// The times at which a schedule is due: an interval, one time, or what a calendar says. Pure; times are milliseconds since the epoch.

export interface TickSource {
  /** The first tick after the time. */
  after(time: number): number | undefined
  /** Up to `count` last ticks after `since` and not after `until`, the oldest first. */
  last(count: number, since: number, until: number): number[]
}

/** Every `everyMs` after `start`, and not at `start` itself. */
export function intervalTicks(everyMs: number, start: number): TickSource {
  const tickOf = (number: number) => start + number * everyMs
  return {
    after: (time) => tickOf(Math.max(1, Math.floor((time - start) / everyMs) + 1)),
    last(count, since, until) {
      const newest = Math.floor((until - start) / everyMs)
      const oldest = Math.max(1, Math.floor((since - start) / everyMs) + 1, newest - count + 1)
      return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, index) => tickOf(oldest + index))
    },
  }
}

/** Once. */
export function onceTicks(at: number): TickSource {
  return {
    after: (time) => (time < at ? at : undefined),
    last: (count, since, until) => (count > 0 && since < at && at <= until ? [at] : []),
  }
}
