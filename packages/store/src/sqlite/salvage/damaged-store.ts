// Reads a damaged store: the rows of its log that can still be read, the keys in its index, and its table `meta`. It works
// on its own copy of the file, which it may repair.

import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Revision } from '../../contract.ts'
import { Database, type Row } from '../database.ts'
import { openFormat } from '../format.ts'
import { withFile } from '../loss-check.ts'
import { createPrivate } from '../new-file.ts'
import { DatabaseSync } from '../node-sqlite.ts'
import { LOG_COLUMNS } from './log-row.ts'

export const PAGE_BYTES = 4096
/** Where page 1 says how many pages there are, and where the free ones begin. */
const SIZE_AT = 28
const FREE_AT = 32
/** Reads in a row that fail, after which the place is taken for unreachable: more than the records of one page need. */
const MOST_FAILURES = 300

/** Without the page of the schema SQLite finds nothing; that of a new store names the same tables at the same places. */
export function openImage(image: string): DatabaseSync | undefined {
  const opened = tryOpen(image)
  if (opened !== undefined) return opened
  replaceFirstPage(image)
  return tryOpen(image)
}

function tryOpen(image: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(image)
    db.exec('PRAGMA journal_mode = OFF')
    // Needs the schema alone; the tables themselves may be broken.
    db.prepare(`SELECT ${LOG_COLUMNS} FROM log`)
    db.prepare('SELECT name, value FROM meta')
    return db
  } catch {
    db?.close()
    return undefined
  }
}

function replaceFirstPage(image: string): void {
  const template = `${image}.template`
  createPrivate(template)
  const db = new Database({ file: template, role: 'writer' })
  openFormat(db, template)
  db.exec('pragma', 'PRAGMA journal_mode = DELETE')
  db.close()
  const page = withFile(template, (read) => read(0, PAGE_BYTES))
  rmSync(template)
  page.writeUInt32BE(
    withFile(image, (_, size) => Math.ceil(size / PAGE_BYTES)),
    SIZE_AT,
  )
  page.fill(0, FREE_AT, FREE_AT + 8)
  const descriptor = openSync(image, 'r+')
  writeSync(descriptor, page, 0, PAGE_BYTES, 0)
  closeSync(descriptor)
}

/** Every row that can be reached through the table. What cannot be read is passed over. */
export function readReachable(db: DatabaseSync, take: (row: Row) => void): void {
  const rows = db.prepare(`SELECT ${LOG_COLUMNS} FROM log NOT INDEXED WHERE rev > ? AND rev <= ? ORDER BY rev`)
  rows.setReturnArrays(true)
  let failures = 0
  const readBetween = (after: Revision, upto: Revision): void => {
    let last = after
    try {
      for (const row of rows.iterate(after, upto)) {
        const found = row as unknown as Row
        // A damaged tree is not in order.
        last = Math.max(last, Number(found[0]))
        failures = 0
        take(found)
      }
    } catch {
      // This place is broken. A bisection finds the next readable row, unless all the rest is broken.
      if (upto - last <= 1 || ++failures > MOST_FAILURES) return
      const middle = last + Math.floor((upto - last) / 2)
      readBetween(last, middle)
      readBetween(middle, upto)
    }
  }
  readBetween(0, newestOf(db))
}

export interface NamedRevision {
  readonly key: string
  readonly revision: Revision
}

/** What the index knows, from both ends as far as it can be read. */
export function readNames(db: DatabaseSync, take: (name: NamedRevision) => void): void {
  for (const order of ['ASC', 'DESC']) {
    try {
      const names = db.prepare(`SELECT key, rev FROM log INDEXED BY log_key ORDER BY key ${order}, rev ${order}`)
      for (const { key, rev } of names.iterate())
        if (key instanceof Uint8Array) take({ key: Buffer.from(key).toString(), revision: Number(rev) })
      return
    } catch {
      // The other end is tried next.
    }
  }
}

export function readNumber(db: DatabaseSync, name: string): number {
  const value = Number(readText(db, name) ?? 0)
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

export function readText(db: DatabaseSync, name: string): unknown {
  try {
    return db.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.value
  } catch {
    return undefined
  }
}

/** From the table if it can tell, else from the index; else nothing can be read in order anyway. */
function newestOf(db: DatabaseSync): Revision {
  for (const how of ['NOT INDEXED', 'INDEXED BY log_key']) {
    try {
      return Number(db.prepare(`SELECT max(rev) AS newest FROM log ${how}`).get()?.newest ?? 0)
    } catch {
      // The other one may be intact.
    }
  }
  return Number.MAX_SAFE_INTEGER
}
