// Many executors with bad luck, on a real server that is killed again and again: nothing is lost, nothing runs twice at
// once, everything ends once. HOMEOSTAT_KILLS makes it longer, HOMEOSTAT_SEED chooses what happens.

import { systemClock } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { tries } from '@homeostat/base/testing/tries'
import { expect, test } from 'vitest'
import { chosenSeed, randomFrom } from '../crash/random.ts'
import { startServer } from '../server-process.ts'
import { checkHistory } from './checker.ts'
import { goesOn, reportHistory } from './report-history.ts'
import { runHistory } from './run-history.ts'
import { World } from './world.ts'

const kills = Number(process.env.HOMEOSTAT_KILLS ?? tries(8))

const PACE = {
  heartbeat: 1500,
  submit: [0, 30],
  life: [500, 8000],
  away: [0, 3000],
  work: [0, 250],
  peace: 60_000,
} as const
/** A pause of the queue or a crash of all executors does not hold up the test. */
const LONGEST_LIFE_MS = 4000

test('a colony whose server is killed at random loses no process, runs none twice at once and ends each once', {
  timeout: 300_000 + kills * 10_000,
}, async () => {
  const random = randomFrom(chosenSeed())
  console.log(`HOMEOSTAT_SEED=${random.seed}`)
  const directory = temporaryFolder()
  const args = ['--log-level', 'error']
  const world = new World(systemClock, random, PACE)
  let server = await startServer(directory, args)
  const history = await runHistory(world, server.url, async (follow) => {
    for (let kill = 0; goesOn(kill, kills, world.ledger); kill++) {
      // Counted in what was taken, so that a slow machine sees as much happen as a fast one.
      const enough = world.ledger.taken.length + random.between(0, 50)
      const late = Date.now() + LONGEST_LIFE_MS
      while (world.ledger.taken.length < enough && Date.now() < late) await world.pause(5, world.wild)
      const dead = server.stop('SIGKILL')
      world.wire.lead()
      await dead
      server = await startServer(directory, args)
      world.wire.lead(server.url)
      follow(server.url)
    }
  })
  await server.stop()
  reportHistory(history, { kills })
  expect(world.wire.surprises).toEqual([])
  expect(checkHistory(history)).toEqual([])
})
