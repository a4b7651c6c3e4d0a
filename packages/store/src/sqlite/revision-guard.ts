// Protects against lost writes: opens the data file only if it holds every acknowledged write, records the last acknowledged
// revision, and reserves revisions before they are given out. The writer thread's log owns it.

import { dirname } from 'node:path'
import type { Revision } from '../contract.ts'
import { namedDamage, SALVAGE_HINT } from './damaged-file.ts'
import { Database } from './database.ts'
import { firstFree } from './first-free.ts'
import { type FileState, hasTables, openFormat, readSettledState, readState, setGaps } from './format.ts'
import { HighWater, readHighWater } from './high-water.ts'
import { findLoss, inspectFiles, type KnownRevisions, type Loss } from './loss-check.ts'
import { Reservation, readReservation } from './reservation.ts'
import { addGap } from './revision-gaps.ts'

/** `continue`: start without what is missing. */
export type OnLoss = 'refuse' | 'continue'

interface Guarded {
  readonly db: Database
  readonly state: FileState
}

export class RevisionGuard {
  readonly #file: string
  readonly #directory: string
  #onLoss: OnLoss
  readonly #warn: (warning: string) => void
  /** The uid of the store that was opened first; no other store may replace it while it is in use. */
  #uid: string | undefined
  #mark: HighWater | undefined
  #reservation: Reservation | undefined

  constructor(file: string, onLoss: OnLoss, warn: (warning: string) => void) {
    this.#file = file
    this.#directory = dirname(file)
    this.#onLoss = onLoss
    this.#warn = warn
  }

  /**
   * Opens the file, for the first time or again after an I/O error. Throws if it misses something acknowledged, which
   * the caller may know better than the mark, and leaves the files as they were.
   */
  open(connect: () => Database, acknowledged: Revision = 0): Guarded {
    this.close()
    const known = this.#known(acknowledged)
    const evidence = inspectFiles(this.#file)
    // Nothing is written before this is known, and while the keeper is open no other connection is the last one, which
    // would move the WAL into the data file and remove it.
    const keeper = evidence.empty ? undefined : openToRead(this.#file)
    try {
      const seen = keeper === undefined ? undefined : peek(keeper)
      const loss = findLoss(evidence, seen, known)
      if (loss !== undefined) this.#refuseUnlessAllowed(loss)
      const opened = this.#openChecked(connect, known, (found) => loss ?? findLoss(evidence, found, known))
      // A running server never continues without writes that its clients have seen.
      this.#onLoss = 'refuse'
      return opened
    } finally {
      keeper?.close()
    }
  }

  /** Called before revisions up to this one are given out. */
  cover(revision: Revision): void {
    this.#reservation?.cover(revision)
  }

  /** Called after a commit is durable and before it is answered. */
  acknowledge(revision: Revision): void {
    this.#mark?.set(revision)
  }

  close(): void {
    this.#mark?.close()
  }

  #openChecked(
    connect: () => Database,
    known: KnownRevisions,
    lossOf: (found: FileState) => Loss | undefined,
  ): Guarded {
    const db = connect()
    try {
      openFormat(db, this.#file)
      const found = readSettledState(db)
      if (this.#uid !== undefined && this.#uid !== found.uid)
        throw new Error(`${this.#file} holds other data than before`)
      // Checked again: a file that SQLite has to recover could not be read before.
      const loss = lossOf(found)
      if (loss !== undefined) this.#refuseUnlessAllowed(loss)
      const isForeign = known.mark !== undefined && known.mark.uid !== found.uid
      const state = loss !== undefined || isForeign ? this.#goOn(db, found) : found
      if (loss !== undefined) this.#warn(`${missing(loss)}; went on without it at revision ${state.revision}`)
      else if (isForeign)
        this.#warn(`${this.#file} is not the store that was here before; went on at revision ${state.revision}`)
      this.#uid = state.uid
      this.#reservation = new Reservation(this.#directory, state.uid)
      this.#mark = new HighWater(this.#directory, state.uid)
      if (isForeign || known.mark?.revision !== state.revision) this.#mark.set(state.revision)
      return { db, state }
    } catch (error) {
      closeQuietly(db)
      throw namedDamage(this.#file, error)
    }
  }

  #known(acknowledged: Revision): KnownRevisions {
    const mark = readHighWater(this.#directory)
    if (mark === 'unreadable') this.#warn(`${this.#directory}/high-water is unreadable and is made anew`)
    const reserved = readReservation(this.#directory)
    return { mark: mark === 'unreadable' ? undefined : mark, reserved, acknowledged }
  }

  #refuseUnlessAllowed(loss: Loss): void {
    if (this.#onLoss === 'refuse') throw new Error(this.#refusal(loss))
  }

  #refusal(loss: Loss): string {
    return (
      `${this.#file} is damaged: ${missing(loss)}; ${SALVAGE_HINT}, ` +
      'and "homeostat up --on-loss continue" starts without it'
    )
  }

  /** Continues the counter above every revision that was given out here, and stores the lost range. */
  #goOn(db: Database, found: FileState): FileState {
    const next = firstFree(this.#directory, found.revision)
    const gaps = addGap(found.gaps, { after: found.revision, next }, found.horizon)
    setGaps(db, gaps)
    // The dropped frames must not be found in the WAL again.
    db.query('checkpoint', 'PRAGMA wal_checkpoint(TRUNCATE)')
    return { ...found, gaps, revision: next }
  }
}

function missing({ after, through }: Loss): string {
  return `everything from revision ${after + 1} on${through === undefined ? '' : `, up to ${through},`} is missing`
}

function openToRead(file: string): Database | undefined {
  try {
    return new Database({ file, role: 'observer' })
  } catch {
    // The connection that opens the file next reports the error.
    return undefined
  }
}

/** What the file holds as SQLite sees it; revision 0 where there is no table yet. */
function peek(db: Database): { readonly uid: string; readonly revision: Revision } | undefined {
  try {
    return hasTables(db) ? readState(db) : { uid: '', revision: 0 }
  } catch {
    return undefined
  }
}

function closeQuietly(db: Database): void {
  try {
    db.close()
  } catch {
    // The connection is given up; an error while closing it changes nothing.
  }
}
