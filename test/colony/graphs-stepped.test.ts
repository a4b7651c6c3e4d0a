// Random graphs and schedules inside this process, on a clock that runs fast, is set forward and back, and whose server starts anew in
// between. HOMEOSTAT_KILLS and HOMEOSTAT_SEED as for the server that is killed.

import { ManualClock } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, test } from 'vitest'
import { chosenSeed, randomFrom } from '../crash/random.ts'
import { runGraphHistory } from './graph-history.ts'
import { Moving } from './moving-clock.ts'

const steps = Number(process.env.HOMEOSTAT_KILLS ?? 8)
const FORWARD_MS = 300_000
const BACK_MS = 60_000

test('graphs and schedules on a clock that is set lose nothing and run nothing twice', {
  timeout: 300_000 + steps * 10_000,
}, async () => {
  const random = randomFrom(chosenSeed())
  console.log(`HOMEOSTAT_SEED=${random.seed}, ${steps} steps`)
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const moving = new Moving(clock, random)
  moving.go()
  const store = new MemoryStore()
  const start = () => testColony({ clock, listen: true, store })
  let colony: TestColony = await start()
  const wrong = await runGraphHistory({
    random,
    url: colony.url ?? '',
    now: () => clock.now(),
    everyMs: [10_000, 40_000],
    deadlineMs: FORWARD_MS,
    backMs: BACK_MS,
    async trouble({ away, follow, submit, seen }) {
      for (let step = 0; step < steps; step++) {
        submit()
        await seen(random.between(1, 40))
        const what = random.between(0, 3)
        if (what === 0) clock.stopFor(random.between(1, FORWARD_MS))
        else if (what === 1) clock.stopFor(-random.between(1, BACK_MS))
        else {
          away()
          // At full speed the deadlines of a close and a start pass before their work is done.
          const { most } = moving
          moving.most = 1
          await colony.close()
          colony = await start()
          moving.most = most
          follow(colony.url ?? '')
        }
      }
    },
  })
  moving.most = 1
  await colony.close()
  await store.close()
  moving.stop()
  expect(wrong).toEqual([])
})
