// A server that is killed at any moment loses nothing it has acknowledged, invents nothing, and its watchers go on
// without a gap. Set HOMEOSTAT_KILLS for a longer run and HOMEOSTAT_SEED to choose what the clients do.

import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { tries } from '@homeostat/base/testing/tries'
import { expect, test } from 'vitest'
import { spawnHomeostat, spawnScript, startScript, startServer, upArgs } from '../server-process.ts'
import { checkRun, type LogEntry } from './checker.ts'
import { crashRun } from './crash-run.ts'
import { chosenSeed, randomFrom } from './random.ts'
import { storedHistory, storedLog, withStore } from './stored-log.ts'

const kills = Number(process.env.HOMEOSTAT_KILLS ?? tries(50))
/** A machine that is busy with ten other things takes ten seconds from one kill to the next. */
const limit = { timeout: 300_000 + kills * 20_000 }

test(`nothing acknowledged is lost and no watcher misses a change over ${kills} kills`, limit, async () => {
  const random = seeded()
  const directory = temporaryFolder()
  const args = ['--with', join(import.meta.dirname, 'widget-add-on.ts'), '--log-level', 'error']
  const { ledger, ...run } = await crashRun({
    kills,
    random,
    start: () => startServer(directory, args),
    startInVain: async () => {
      const child = spawnHomeostat(upArgs(directory, args))
      await delay(random.between(0, 500))
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  })
  const log = await withStore(directory, (store) => storedLog(store, 0))
  tell(log, run.writes)
  expect(ledger.surprises).toEqual([])
  expect(checkRun({ ...run, log })).toEqual([])
})

test('the same while old changes are being forgotten', limit, async () => {
  const random = seeded()
  const directory = temporaryFolder()
  const script = join(import.meta.dirname, 'compacting-server.ts')
  const { ledger, watched, ...run } = await crashRun({
    kills: Math.ceil(kills / 3),
    random,
    start: () => startScript(script, [directory]),
    startInVain: async () => {
      const child = spawnScript(script, [directory])
      await delay(random.between(0, 500))
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  })
  tell(watched, run.writes)
  expect(ledger.surprises).toEqual([])
  expect(checkRun({ ...run, log: watched })).toEqual([])
  await withStore(directory, async (store) => {
    const horizon = await store.horizon()
    expect(horizon).toBeGreaterThan(0)
    expect(await storedLog(store, horizon)).toEqual(watched.filter(({ revision }) => revision > horizon))
    for (const key of new Set(watched.map((entry) => entry.key))) {
      const kept = await storedHistory(store, key)
      const all = watched.filter((entry) => entry.key === key)
      expect(kept, `the history of ${key}`).toEqual(all.slice(-kept.length || all.length))
    }
  })
})

function seeded() {
  const random = randomFrom(chosenSeed())
  console.log(`HOMEOSTAT_SEED=${random.seed}`)
  return random
}

/** A run that wrote nothing would prove nothing. */
function tell(log: readonly LogEntry[], writes: readonly { outcome: string }[]): void {
  const count = (outcome: string) => writes.filter((write) => write.outcome === outcome).length
  console.log(`${log.length} changes: ${count('acknowledged')} acknowledged, ${count('unknown')} writes cut off`)
  expect(count('acknowledged')).toBeGreaterThan(kills)
  expect(count('unknown')).toBeGreaterThan(0)
}
