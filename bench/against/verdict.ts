// Judges one row of a comparison with another clone. The noise is what the same code shows against itself in the same run,
// so a difference counts only where it is larger than what chance makes of equal code.

/** CPU per operation, in microseconds, of each slice; the three sides were measured in turns. */
export interface Slices {
  readonly ours: readonly number[]
  /** A second server of our own code. */
  readonly twin: readonly number[]
  readonly other: readonly number[]
}

export interface Verdict {
  readonly ours: number
  readonly other: number
  /** How much more CPU ours takes, as a fraction; negative when it takes less. */
  readonly change: number
  /** The difference between the two servers of our own code, as a fraction. */
  readonly noise: number
  /** Whether ours is worse by more than the larger of 3 % and twice the noise. */
  readonly worse: boolean
}

const LEAST_CHANGE = 0.03

export function judge({ ours, twin, other }: Slices): Verdict {
  const [mine, again, theirs] = [median(ours), median(twin), median(other)]
  // Both servers of our code count, which halves what chance does to one of them.
  const both = median([...ours, ...twin])
  const change = both / theirs - 1
  const noise = Math.abs(mine / again - 1)
  return { ours: both, other: theirs, change, noise, worse: change > Math.max(LEAST_CHANGE, 2 * noise) }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [below = Number.NaN, above = Number.NaN] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 0 ? (below + above) / 2 : above
}
