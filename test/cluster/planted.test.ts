// The model finds mistakes: each that is planted shows within a few hundred seeds, none of which shows anything without it.

import { expect, test } from 'vitest'
import { DUTY_MISTAKES, type Mistake, OBJECT_MISTAKES, QUEUE_MISTAKES } from './planted.ts'
import { runDuties } from './run-duties.ts'
import { runObjects } from './run-objects.ts'
import { NOTHING_DONE, runQueue } from './run-queue.ts'
import type { SeedResult } from './seeds.ts'

const MOST = 300

/** The first seed that shows it, or undefined. */
async function found(run: (seed: number) => Promise<SeedResult>): Promise<number | undefined> {
  for (let seed = 1; seed <= MOST; seed++) {
    if ((await run(seed)).wrong.length > 0) return seed
  }
  return undefined
}

const cases = (mistakes: Readonly<Record<string, Mistake>>) => Object.entries(mistakes)

test.each(cases(OBJECT_MISTAKES))('clients and watchers find %s', async (_, mistake) => {
  expect(await found((seed) => runObjects(seed, mistake))).toBeDefined()
})

test.each(cases(DUTY_MISTAKES))('leaders find %s', async (_, mistake) => {
  expect(await found((seed) => runDuties(seed, mistake))).toBeDefined()
})

test.each(cases(QUEUE_MISTAKES))('executors and their clients find %s', async (_, mistake) => {
  const run = async (seed: number) => {
    const { wrong, digest } = await runQueue(seed, mistake)
    // A store that is no store at all is not what has to be found.
    return { wrong: wrong.filter((one) => one !== NOTHING_DONE), digest }
  }
  expect(await found(run)).toBeDefined()
})
