// Random graphs and schedules on a real server that is killed again and again: no node begins before its parents, none is made
// or run twice, every output arrives, and every tick has one run. With each kill comes another graph, so that there is always something
// under way. HOMEOSTAT_KILLS makes it longer, HOMEOSTAT_SEED chooses what happens.

import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { chosenSeed, randomFrom } from '../crash/random.ts'
import { startServer } from '../server-process.ts'
import { runGraphHistory } from './graph-history.ts'

const kills = Number(process.env.HOMEOSTAT_KILLS ?? 2)

test('graphs and schedules on a server that is killed at random lose nothing and run nothing twice', {
  timeout: 300_000 + kills * 10_000,
}, async () => {
  const random = randomFrom(chosenSeed())
  console.log(`HOMEOSTAT_SEED=${random.seed}, ${kills} kills`)
  const directory = temporaryFolder()
  const args = ['--log-level', 'error', '--runtime', 'none']
  let server = await startServer(directory, args)
  const wrong = await runGraphHistory({
    random,
    url: server.url,
    now: Date.now,
    everyMs: [1000, 4000],
    deadlineMs: 15_000,
    async trouble({ away, follow, submit, seen }) {
      for (let kill = 0; kill < kills; kill++) {
        submit()
        await seen(random.between(1, 40))
        away()
        await server.stop('SIGKILL')
        server = await startServer(directory, args)
        follow(server.url)
      }
    },
  })
  await server.stop()
  expect(wrong).toEqual([])
})
