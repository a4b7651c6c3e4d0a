// Random clients, executors and trouble on 2 to 5 servers that lead one namespace's queue in turns: whatever the seed, no Process and no
// concurrency key is with two executors at once, each Process ends once and by right, and nothing acknowledged is lost. Two runs of a
// seed may differ in what code that is loaded for the first time is late for.

import { test } from 'vitest'
import { runQueue } from './run-queue.ts'
import { BLOCKS, runSeeds, seedsOf } from './seeds.ts'

const FILE = 'test/cluster/queue.test.ts'

test.each(Array.from({ length: BLOCKS }, (_, block) => block))('the seeds of block %i are sound', async (block) => {
  await runSeeds(seedsOf(block, 500), FILE, runQueue)
})
