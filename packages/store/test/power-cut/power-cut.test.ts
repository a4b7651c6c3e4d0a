// Power cuts at random moments of a recorded run: every image must open as a store does, without a word of loss, be
// sound, and hold what was acknowledged. The same check on a store that does not sync its commits must find losses, or it would prove nothing.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { tries } from '@homeostat/base/testing/tries'
import { expect, it, onTestFinished } from 'vitest'
import { Database } from '../../src/sqlite/database.ts'
import { DATA_FILE } from '../../src/sqlite/format.ts'
import { damagedRecords } from '../../src/sqlite/verify.ts'
import { seeded } from '../damage-matrix/damages.ts'
import { OpenedLog } from '../damage-matrix/opened-log.ts'
import { freshDirectory } from '../fresh-directory.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { type Fate, SimulatedDisk } from './disk.ts'
import { cannotRecord, checkpointsIn, type DiskEvent, recordWriter } from './trace.ts'

const WRITES = 300
const CHECKPOINTS = 6
const FATES: readonly Fate[] = ['lost', 'kept', 'either', 'garbled']
/** Moments; each is tried with every fate. */
const CUTS = { FULL: tries(250), NORMAL: 30 }
const skipped = cannotRecord()

it.skipIf(skipped)(because(`starts after ${CUTS.FULL * FATES.length} power cuts and has lost nothing`), async () => {
  const directory = freshDirectory()
  const events = recordWriter(directory, { writes: WRITES, checkpoints: CHECKPOINTS, durability: 'FULL' })
  expect(events.filter((event) => event.type === 'acknowledged').length).toBeGreaterThanOrEqual(WRITES)
  expect(checkpointsIn(events)).toBeGreaterThanOrEqual(CHECKPOINTS)
  expect(cutEverywhere(events, CUTS.FULL)).toEqual([])
})

it.skipIf(skipped)(because('finds the losses of a store that does not sync its commits'), async () => {
  const directory = freshDirectory()
  const events = recordWriter(directory, { writes: WRITES, checkpoints: CHECKPOINTS, durability: 'NORMAL' })
  const found = cutEverywhere(events, CUTS.NORMAL)
  expect(found.length).toBeGreaterThan(CUTS.NORMAL / 4)
  expect(found.some((problem) => problem.includes('lost'))).toBe(true)
})

function because(sentence: string): string {
  return skipped === undefined ? sentence : `${sentence} (skipped: ${skipped})`
}

/** What is wrong with the images of many cuts. */
function cutEverywhere(events: readonly DiskEvent[], cuts: number): string[] {
  const random = seeded(20_241)
  const firstAck = events.findIndex((event) => event.type === 'acknowledged')
  const moments = new Set<number>()
  while (moments.size < cuts) moments.add(firstAck + Math.floor(random() * (events.length - firstAck)))
  const disk = new SimulatedDisk()
  const image = makeMemoryFolder()
  onTestFinished(() => rmSync(image, { recursive: true, force: true }))
  const acknowledged: string[] = []
  const problems: string[] = []
  for (const [moment, event] of events.entries()) {
    disk.apply(event)
    if (event.type === 'acknowledged' && event.line !== 'ready') acknowledged.push(event.line)
    if (!moments.has(moment)) continue
    for (const fate of FATES) {
      disk.image(image, fate, random)
      const problem = problemOf(image, acknowledged)
      if (problem !== undefined)
        problems.push(`cut at ${moment} of ${events.length}, unsynced sectors ${fate}: ${problem}`)
    }
  }
  return problems
}

function problemOf(directory: string, acknowledged: readonly string[]): string | undefined {
  let log: OpenedLog
  try {
    log = new OpenedLog(directory)
  } catch (error) {
    return `it does not open: ${String(error)}`
  }
  const db = new Database({ file: join(directory, DATA_FILE), role: 'reader' })
  try {
    return unsound(db, log) ?? lost(db, acknowledged)
  } catch (error) {
    return `it cannot be read: ${String(error)}`
  } finally {
    db.close()
    log.close()
  }
}

function unsound(db: Database, { state: { revision, horizon, gaps } }: OpenedLog): string | undefined {
  if (gaps.length > 0) return `the counter jumped to ${revision}`
  const check = db.query('read', 'PRAGMA integrity_check(1)')[0]?.[0]
  if (check !== 'ok') return `integrity: ${String(check)}`
  if (damagedRecords(db, 1).length > 0) return 'a record is damaged'
  const above = Number(db.query('read', 'SELECT count(*) FROM log WHERE rev > ?', horizon)[0]?.[0])
  return above === revision - horizon ? undefined : `${revision - horizon - above} revisions are missing from the log`
}

function lost(db: Database, acknowledged: readonly string[]): string | undefined {
  const newest = new Map<string, string>()
  for (const line of acknowledged) newest.set(line.split(' ')[1] ?? '', line)
  const find = db.prepare('read', 'SELECT rev, op, length(value) FROM log WHERE key = ? ORDER BY rev DESC LIMIT 1')
  for (const [key, line] of newest) {
    const [op, , revision, length] = line.split(' ')
    const [rev, found, size] = find.get(Buffer.from(key)) ?? [0, 1, null]
    // A deletion may have been forgotten by compaction; anything newer was written but not acknowledged.
    if (Number(rev) > Number(revision) || (op === 'delete' && rev === 0)) continue
    if (Number(rev) < Number(revision)) return `lost: ${line}`
    if (op === 'put' && ((Number(found) & 1) !== 0 || Number(size) !== Number(length))) return `changed: ${line}`
  }
  return undefined
}
