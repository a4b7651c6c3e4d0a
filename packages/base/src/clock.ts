// Time as an argument: code that waits takes a Clock, so that tests control it.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds of a monotonic clock, which stands still while the machine sleeps. Absent: `now`. */
  uptime?(): number
  /** Calls back once after the time; the returned function cancels it and may be called at any time. */
  setTimer(ms: number, callback: () => void): () => void
}

/** Node treats a longer delay as one millisecond. */
const LONGEST_TIMEOUT = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => performance.now(),
  setTimer(ms, callback) {
    let timer: NodeJS.Timeout
    const wait = (left: number) => {
      if (left > LONGEST_TIMEOUT) timer = setTimeout(() => wait(left - LONGEST_TIMEOUT), LONGEST_TIMEOUT)
      else timer = setTimeout(callback, Math.max(0, left))
    }
    wait(ms)
    return () => clearTimeout(timer)
  },
}
