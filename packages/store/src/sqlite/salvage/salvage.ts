// Makes a whole store out of a damaged one: everything whose own checksum holds is copied into a new file, which takes
// the place of the old ones; those are moved aside. Run by the command line, with no server on the directory.

import { mkdirSync, rmSync } from 'node:fs'
import { link, mkdir, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Revision } from '../../contract.ts'
import { firstFree } from '../first-free.ts'
import { DATA_FILE } from '../format.ts'
import { HIGH_WATER_FILE, readHighWater } from '../high-water.ts'
import { lockDirectory } from '../lock.ts'
import { inspectFiles, withFile } from '../loss-check.ts'
import { exists, sync } from '../new-file.ts'
import type { DatabaseSync } from '../node-sqlite.ts'
import { Reservation, readReservation } from '../reservation.ts'
import { addGap, decodeGaps, type RevisionGap } from '../revision-gaps.ts'
import {
  type NamedRevision,
  openImage,
  PAGE_BYTES,
  readNames,
  readNumber,
  readReachable,
  readText,
} from './damaged-store.ts'
import { findLeafRows } from './leaf-rows.ts'
import { isSoundRow } from './log-row.ts'
import { type FrameChoice, writeMergedImage } from './merged-image.ts'
import { NewStore } from './new-store.ts'

export interface Salvaged {
  /** Keys that hold a value now. */
  readonly objects: number
  /** The newest revision that came back, and the one from which the counter goes on. */
  readonly newest: Revision
  readonly next: Revision
  /** Records that are known by name and did not come back. The key then holds an older version, or nothing. */
  readonly lost: readonly NamedRevision[]
  /** Revisions that did not come back and of which nothing else is known, both ends included. */
  readonly lostBetween: readonly (readonly [Revision, Revision])[]
  /** Where the old files are. */
  readonly aside: string
}

export async function salvageDirectory(folder: string): Promise<Salvaged> {
  const directory = resolve(folder)
  const file = join(directory, DATA_FILE)
  if (!(await exists(file)) && !(await exists(`${file}-wal`)))
    throw new Error(`${directory} holds no data; restore a backup`)
  const lock = lockDirectory(directory)
  const work = join(directory, 'salvage.partial')
  try {
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { mode: 0o700 })
    const made = makeStore(directory, file, work)
    const aside = await replaceFiles(directory, join(work, DATA_FILE))
    return { ...made, aside }
  } finally {
    rmSync(work, { recursive: true, force: true })
    lock.release()
  }
}

function makeStore(directory: string, file: string, work: string): Omit<Salvaged, 'aside'> {
  const { image, db } = bestImage(directory, file, work)
  const store = new NewStore(join(work, DATA_FILE))
  try {
    readReachable(db, (row) => {
      if (isSoundRow(row)) store.add(row)
    })
    const lost = findUnreachable(image, db, store)
    const { newest, objects } = store
    if (newest === 0) throw new Error(`nothing can be brought back from ${directory}`)
    const next = firstFree(directory, newest)
    const horizon = readNumber(db, 'horizon')
    const gaps = decodeGaps(readText(db, 'gaps'))
    const holes = findHoles(store.revisionsAfter(Math.min(horizon, newest)), Math.min(horizon, newest), gaps)
    const complete = lost.length === 0 && holes.length === 0
    const uid = uidOf(db, directory)
    new Reservation(directory, uid).cover(next)
    store.finish({
      uid,
      // A client that has seen a lost record must list again, and the store cannot know which client has.
      horizon: complete ? horizon : next,
      compacted: Math.min(readNumber(db, 'compacted'), horizon),
      historyBytes: readNumber(db, 'history_bytes'),
      gaps: complete ? addGap(gaps, { after: newest, next }, horizon) : [],
    })
    const lostBetween = [...withoutNamed(holes, lost), ...tailOf(directory, newest)]
    return { objects, newest, next, lost, lostBetween }
  } catch (error) {
    store.abandon()
    throw error
  } finally {
    db.close()
  }
}

/** The image of the database with the most sound records; the one that SQLite would use if it misses none. */
function bestImage(directory: string, file: string, work: string): { image: string; db: DatabaseSync } {
  const mark = readHighWater(directory)
  const { walLost } = inspectFiles(file)
  let best: { image: string; db: DatabaseSync; sound: number } | undefined
  for (const choice of ['recovered', 'all', 'sound'] satisfies FrameChoice[]) {
    const image = join(work, `image-${choice}`)
    writeMergedImage(file, image, choice)
    const db = openImage(image)
    if (db === undefined) continue
    let [sound, newest] = [0, 0]
    readReachable(db, (row) => {
      if (!isSoundRow(row)) return
      sound++
      newest = Math.max(newest, Number(row[0]))
    })
    if (best === undefined || sound > best.sound) {
      best?.db.close()
      best = { image, db, sound }
    } else db.close()
    const expected = typeof mark === 'object' ? mark.revision : 0
    if (choice === 'recovered' && !walLost && Math.max(newest, readNumber(db, 'horizon')) >= expected) break
  }
  if (best === undefined) throw new Error(`nothing can be brought back from ${directory}`)
  return best
}

/** Searches the pages for rows that the index names and the table does not reach. Returns those not found. */
function findUnreachable(image: string, db: DatabaseSync, store: NewStore): NamedRevision[] {
  const missing = new Map<Revision, NamedRevision>()
  readNames(db, (name) => {
    if (!store.has(name.revision)) missing.set(name.revision, name)
  })
  if (missing.size === 0) return []
  withFile(image, (read, size) =>
    findLeafRows(
      read,
      size,
      PAGE_BYTES,
      (revision) => missing.has(revision),
      (row) => {
        store.add(row)
        missing.delete(Number(row[0]))
      },
    ),
  )
  return [...missing.values()].sort((a, b) => a.revision - b.revision)
}

/** Above the horizon every revision has a record, but for the gaps that are known. */
function findHoles(
  revisions: readonly Revision[],
  horizon: Revision,
  gaps: readonly RevisionGap[],
): [Revision, Revision][] {
  const holes: [Revision, Revision][] = []
  let last = horizon
  for (const revision of revisions) {
    const expected = (gaps.find(({ after }) => after === last)?.next ?? last) + 1
    if (revision > expected) holes.push([expected, revision - 1])
    last = revision
  }
  return holes
}

function withoutNamed(holes: readonly (readonly [Revision, Revision])[], named: readonly NamedRevision[]) {
  return holes.filter(
    ([from, to]) => named.filter(({ revision }) => revision >= from && revision <= to).length < to - from + 1,
  )
}

/** What was acknowledged after the newest record. */
function tailOf(directory: string, newest: Revision): [Revision, Revision][] {
  const mark = readHighWater(directory)
  return typeof mark === 'object' && mark.revision > newest ? [[newest + 1, mark.revision]] : []
}

function uidOf(db: DatabaseSync, directory: string): string {
  const uid = readText(db, 'uid')
  if (typeof uid === 'string') return uid
  const mark = readHighWater(directory)
  return (typeof mark === 'object' ? mark.uid : readReservation(directory)?.uid) ?? crypto.randomUUID()
}

/**
 * In an order in which the directory is never taken for a sound one with less in it: without the WAL the old data file
 * is below the mark, and the mark goes last.
 */
async function replaceFiles(directory: string, made: string): Promise<string> {
  const aside = join(directory, `before-salvage-${new Date().toISOString().replace(/[:.]/g, '-')}`)
  const file = join(directory, DATA_FILE)
  await mkdir(aside, { mode: 0o700 })
  await sync(made)
  if (await exists(file)) await link(file, join(aside, DATA_FILE))
  for (const name of [`${DATA_FILE}-wal`, `${DATA_FILE}-shm`])
    if (await exists(join(directory, name))) await rename(join(directory, name), join(aside, name))
  await rename(made, file)
  if (await exists(join(directory, HIGH_WATER_FILE)))
    await rename(join(directory, HIGH_WATER_FILE), join(aside, HIGH_WATER_FILE))
  await sync(directory)
  return aside
}
