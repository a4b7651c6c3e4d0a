// Real servers on a real etcd under faults drawn at random: nothing acknowledged is lost, every read is as new as was asked for, every
// watcher sees each change once and in order, nothing runs twice. HOMEOSTAT_SEED repeats a run, HOMEOSTAT_RUNS makes more of them.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_TRIES } from '@homeostat/base/testing/tries'
import { etcdMissing } from '@homeostat/store/testing/etcd/etcd-program'
import { describe, expect, test } from 'vitest'
import { chosenSeed } from '../crash/random.ts'
import { need } from '../tools.ts'
import { type Report, run } from './run.ts'

const chosen = process.env.HOMEOSTAT_SEED
const runs = Number(process.env.HOMEOSTAT_RUNS ?? (ALL_TRIES && chosen === undefined ? 15 : 1))
const first = chosenSeed()
const seeds = Array.from({ length: runs }, (_, index) => first + index)
const FAILURES = join(import.meta.dirname, '../../.homeostat/failed-runs')

describe.skipIf(etcdMissing() !== undefined || need('strace').missing !== undefined)(
  'three servers on three members',
  () => {
    test.each(seeds)('with the faults of seed %i', { timeout: 600_000 }, async (seed) => {
      const report = await run(seed, chosen === undefined ? undefined : (line) => console.log(line))
      const counts = countsOf(report)
      console.log(`HOMEOSTAT_SEED=${seed} ${JSON.stringify(counts)}`)
      if (report.wrong.length > 0) keep(seed, report)
      expect(report.wrong).toEqual([])
      // A run that did nothing would prove nothing.
      expect(counts.acknowledged).toBeGreaterThan(50)
      expect(counts.taken).toBeGreaterThan(0)
    })
  },
)

function countsOf({ history, colony, endings, faults }: Report) {
  const count = (type: string) => history.operations.filter(({ outcome }) => outcome.type === type).length
  return {
    acknowledged: count('done'),
    reads: count('shown'),
    refused: count('refused'),
    unknown: count('unknown'),
    lists: history.lists.length,
    events: history.streams.reduce((sum, { events }) => sum + events.length, 0),
    streams: history.streams.length,
    processes: colony.listed.length,
    taken: colony.taken.length,
    endings: endings.length,
    faults: faults.length,
  }
}

function keep(seed: number, report: Report): void {
  mkdirSync(FAILURES, { recursive: true })
  const file = join(FAILURES, `${seed}.json`)
  writeFileSync(file, JSON.stringify(report, null, 1))
  console.log(
    `${report.faults.join('\n')}\nwhat happened is in ${file}; HOMEOSTAT_SEED=${seed} draws the same faults again`,
  )
}
