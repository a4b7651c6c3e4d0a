// Random trouble on servers that share duties: whatever the seed, what leaders decide follows from what leaders before them decided, also
// when two believe that they lead, and in the end one leads.

import { expect, test } from 'vitest'
import { runDuties, runTakeover } from './run-duties.ts'
import { BLOCKS, runSeeds, seedsOf } from './seeds.ts'

const FILE = 'test/cluster/duties.test.ts'
const blocks = Array.from({ length: BLOCKS }, (_, block) => block)

test.each(blocks)('the seeds of block %i are sound', (block) => runSeeds(seedsOf(block, 3000), FILE, runDuties))

test.each(blocks)('what a dead server led is led again within five seconds, in block %i', (block) =>
  runSeeds(seedsOf(block, 1000), FILE, runTakeover),
)

test('a seed is the same run every time', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const [first, again] = [await runDuties(seed), await runDuties(seed)]
    expect(again.digest).toBe(first.digest)
  }
})
