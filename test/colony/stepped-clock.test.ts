// The same histories inside this process on a clock that is moved by hand: leases run out, retries wait for minutes and the
// server starts anew, in a few seconds. HOMEOSTAT_KILLS and HOMEOSTAT_SEED as for the server that is killed.

import { ManualClock } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, test } from 'vitest'
import { chosenSeed, randomFrom } from '../crash/random.ts'
import { checkHistory } from './checker.ts'
import { Moving } from './moving-clock.ts'
import { goesOn, reportHistory } from './report-history.ts'
import { runHistory } from './run-history.ts'
import { World } from './world.ts'

const restarts = Number(process.env.HOMEOSTAT_KILLS ?? 4)

const PACE = {
  heartbeat: 10_000,
  submit: [0, 1000],
  life: [5000, 200_000],
  away: [0, 60_000],
  work: [0, 2500],
  peace: 1_200_000,
} as const

test('a colony on a clock of its own loses no process, runs none twice at once and ends each once', {
  timeout: 300_000 + restarts * 30_000,
}, async () => {
  const random = randomFrom(chosenSeed())
  console.log(`HOMEOSTAT_SEED=${random.seed}`)
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const moving = new Moving(clock, random)
  moving.go()
  const world = new World(clock, random, PACE)
  const store = new MemoryStore()
  const start = () => testColony({ clock, listen: true, store })
  let colony: TestColony = await start()
  const history = await runHistory(world, colony.url ?? '', async (follow) => {
    for (let restart = 0; goesOn(restart, restarts, world.ledger); restart++) {
      await world.pause(random.between(1000, 70_000), world.wild)
      world.wire.lead()
      const { most } = moving
      moving.most = 1
      await colony.close()
      colony = await start()
      moving.most = most
      world.wire.lead(colony.url)
      follow(colony.url ?? '')
    }
  })
  await colony.close()
  await store.close()
  moving.stop()
  reportHistory(history, { restarts, minutes: Math.round((clock.now() - Date.UTC(2026, 0, 1)) / 60_000) })
  expect(world.wire.surprises).toEqual([])
  expect(checkHistory(history)).toEqual([])
})
