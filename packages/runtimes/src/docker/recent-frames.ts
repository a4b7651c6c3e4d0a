// Remembers the last entries of a log, so that a reader can resume without gaps and repetitions. Times do not suffice:
// parts of one line share a time, and the two streams are not in order. Pure.

/** More entries than two streams can be out of order by. */
const KEPT = 64
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z /

export class RecentFrames {
  readonly #start: number
  readonly #frames: string[] = []

  /** When reading began; the start if nothing was read yet. */
  constructor(start: number) {
    this.#start = start
  }

  add(frame: Buffer): void {
    this.#frames.push(frame.toString('latin1'))
    if (this.#frames.length > KEPT) this.#frames.shift()
  }

  /** The time of the earliest remembered entry, in seconds since the epoch with all digits, as the engine accepts it. */
  get since(): string {
    const times = this.#frames.flatMap((frame) => {
      const [, whole, fraction = ''] = TIME.exec(frame) ?? []
      return whole === undefined ? [] : [`${Date.parse(`${whole}Z`) / 1000}${fraction}`]
    })
    return times.sort()[0] ?? (this.#start / 1000).toFixed(3)
  }

  /** The entries that were not read before. */
  unseen(frames: readonly Buffer[]): Buffer[] {
    return frames.filter((frame) => {
      const index = this.#frames.indexOf(frame.toString('latin1'))
      if (index === -1) return true
      this.#frames.splice(index, 1)
      return false
    })
  }
}
