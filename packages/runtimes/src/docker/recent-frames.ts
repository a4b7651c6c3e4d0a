// The last entries that were read of a log, to go on after them without a gap and without repeating any. Times alone would
// not do: parts of one line share one, and two streams are not in order. Pure.

/** More than two streams can be out of order by. */
const KEPT = 64
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z /

export class RecentFrames {
  readonly #start: number
  readonly #frames: string[] = []

  /** When reading began, for a log of which nothing was read. */
  constructor(start: number) {
    this.#start = start
  }

  add(frame: Buffer): void {
    this.#frames.push(frame.toString('latin1'))
    if (this.#frames.length > KEPT) this.#frames.shift()
  }

  /** Seconds since the epoch with all digits, as the engine takes it: from the earliest entry that is remembered. */
  get since(): string {
    const times = this.#frames.flatMap((frame) => {
      const [, whole, fraction = ''] = TIME.exec(frame) ?? []
      return whole === undefined ? [] : [`${Date.parse(`${whole}Z`) / 1000}${fraction}`]
    })
    return times.sort()[0] ?? (this.#start / 1000).toFixed(3)
  }

  /** Those that were not read before. */
  unseen(frames: readonly Buffer[]): Buffer[] {
    return frames.filter((frame) => {
      const index = this.#frames.indexOf(frame.toString('latin1'))
      if (index === -1) return true
      this.#frames.splice(index, 1)
      return false
    })
  }
}
