// Runs the seeds of the model, many on continuous integration and few at a desk. HOMEOSTAT_SEED repeats one.

import { ALL_TRIES } from '@homeostat/base/testing/tries'

export interface SeedResult {
  /** In words; empty when the seed is sound. */
  readonly wrong: readonly string[]
  /** Equal for equal runs. */
  readonly digest: string
}

/** How many seeds a test file runs in each of its tests, of which there are `BLOCKS`. */
export const BLOCKS = 10

const chosen = process.env.HOMEOSTAT_SEED

/** The seeds of a block, from 0 on, of so many in all on continuous integration; a thirtieth of them at a desk. */
export function seedsOf(block: number, all: number): number[] {
  if (chosen !== undefined) return block === 0 ? [Number(chosen)] : []
  const size = Math.ceil(all / BLOCKS / (ALL_TRIES ? 1 : 30))
  return Array.from({ length: size }, (_, index) => block * size + index + 1)
}

/** Rejects with what is wrong with the first seed that is not sound, and how to run it again. */
export async function runSeeds(
  seeds: readonly number[],
  file: string,
  run: (seed: number) => Promise<SeedResult>,
): Promise<void> {
  for (const seed of seeds) {
    const again = `HOMEOSTAT_SEED=${seed} npm test -- ${file}`
    const { wrong } = await run(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed} broke the model; repeat it with ${again}`, { cause: error })
    })
    if (wrong.length > 0) throw new Error(`seed ${seed} is not sound; repeat it with ${again}\n${wrong.join('\n')}`)
  }
}
