// The time of a cluster in one process. It jumps from one event to the next, so that a run takes no time of the wall, and the
// same events come in the same order whenever the run is repeated. Each event has ended, with all that it wakes, before the next.

import type { Clock } from '@homeostat/base'

interface Due {
  readonly at: number
  readonly run: () => void
  dropped: boolean
}

export class Schedule {
  /** Whether time stands still while files are read or written, which takes as long as the machine likes. */
  waitsForFiles = false
  #now = 0
  #running = false
  readonly #due: Due[] = []

  /** Milliseconds since the start. */
  get now(): number {
    return this.#now
  }

  /** Runs the callback after the time; the returned function drops it. */
  after(ms: number, run: () => void): () => void {
    const due = { at: this.#now + Math.max(0, ms), run, dropped: false }
    this.#insert(due)
    this.#start()
    return () => {
      due.dropped = true
    }
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** The clock of a machine, which shows another time of day, and may be stepped. */
  clock(ahead = 0): SteppedClock {
    return new SteppedClock(this, ahead)
  }

  /** Later events go to the end, which is where most belong. */
  #insert(due: Due): void {
    let at = this.#due.length
    while (at > 0 && (this.#due[at - 1] as Due).at > due.at) at--
    this.#due.splice(at, 0, due)
  }

  #start(): void {
    if (this.#running) return
    this.#running = true
    setImmediate(() => this.#next())
  }

  /** One event in each turn of the event loop: promises that it settles have run before the next. */
  #next(): void {
    if (this.waitsForFiles && process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) {
      setImmediate(() => this.#next())
      return
    }
    const due = this.#due.shift()
    this.#running = this.#due.length > 0
    if (this.#running) setImmediate(() => this.#next())
    if (due === undefined || due.dropped) return
    this.#now = due.at
    due.run()
  }
}

/** Some time in 2033. */
const START = 2_000_000_000_000

export class SteppedClock implements Clock {
  readonly #schedule: Schedule
  #ahead: number
  #isFrozen = false
  #isDead = false
  /** What came due while the process stood still. */
  #late: (() => void)[] = []

  constructor(schedule: Schedule, ahead: number) {
    this.#schedule = schedule
    this.#ahead = ahead
  }

  now(): number {
    return START + this.#schedule.now + this.#ahead
  }

  uptime(): number {
    return this.#schedule.now
  }

  setTimer(ms: number, callback: () => void): () => void {
    let isDropped = false
    const fire = () => {
      if (isDropped || this.#isDead) return
      if (this.#isFrozen) this.#late.push(fire)
      else callback()
    }
    const drop = this.#schedule.after(ms, fire)
    return () => {
      isDropped = true
      drop()
    }
  }

  /** Sets the time of day forward or back, as an administrator or a time server does. */
  step(ms: number): void {
    this.#ahead += ms
  }

  /** The process stands still until `thaw`: no timer fires. */
  freeze(): void {
    this.#isFrozen = true
  }

  thaw(): void {
    this.#isFrozen = false
    for (const fire of this.#late.splice(0)) this.#schedule.after(0, fire)
  }

  /** The process is gone. */
  kill(): void {
    this.#isDead = true
  }
}
