// Random clients, watchers and trouble on 2 to 5 servers: whatever the seed, what clients are told can be explained, watchers see each
// change once and in order on whichever server, and nothing acknowledged is lost.

import { expect, test } from 'vitest'
import { runObjects } from './run-objects.ts'
import { BLOCKS, runSeeds, seedsOf } from './seeds.ts'

const FILE = 'test/cluster/objects.test.ts'

test.each(Array.from({ length: BLOCKS }, (_, block) => block))('the seeds of block %i are sound', async (block) => {
  await runSeeds(seedsOf(block, 10_000), FILE, runObjects)
})

test('a seed is the same run every time', async () => {
  const digests = async () => {
    const all: string[] = []
    for (let seed = 1; seed <= 20; seed++) all.push((await runObjects(seed)).digest)
    return all
  }
  const first = await digests()
  expect(await digests()).toEqual(first)
  expect(new Set(first).size).toBe(first.length)
})
