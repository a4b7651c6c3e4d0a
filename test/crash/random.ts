// Random numbers that a seed repeats. Tests print the seed; HOMEOSTAT_SEED sets it.

export interface Random {
  readonly seed: number
  /** A whole number from `low` up to, not including, `high`. */
  between(low: number, high: number): number
  pick<T>(items: readonly [T, ...T[]]): T
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low))
  return { seed, between, pick: (items) => items[between(0, items.length)] ?? items[0] }
}

export function chosenSeed(): number {
  return Number(process.env.HOMEOSTAT_SEED ?? Date.now() % 1_000_000_007)
}
