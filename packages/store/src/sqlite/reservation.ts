// How far revisions may be given out, in a file of its own that is synced before they are: whatever happens to the data,
// the counter can continue above every revision that a client has seen. Reserved in blocks, so that a sync is rare. Two
// slots are written in turn, far enough apart that one torn or damaged slot leaves the other.

import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Revision } from '../contract.ts'
import { type CheckedLine, decodeLine, encodeLine } from './checked-line.ts'

export const RESERVATION_FILE = 'reservation'
export const RESERVATION_BLOCK = 100_000
const SLOT_BYTES = 4096
const SLOTS = [0, 1]

/** No revision above it was ever given out here. Undefined when the file is absent or unreadable. */
export function readReservation(directory: string): CheckedLine | undefined {
  const slots = readSlots(directory)
  const newest = slots.reduce((a, b) => ((b?.revision ?? 0) > (a?.revision ?? 0) ? b : a), undefined)
  if (newest === undefined || !slots.includes(undefined)) return newest
  // The slot that cannot be read may have been the newer one, which is one block ahead.
  return { ...newest, revision: newest.revision + RESERVATION_BLOCK }
}

export class Reservation {
  readonly #directory: string
  readonly #uid: string
  #through: Revision
  #slot: number

  constructor(directory: string, uid: string) {
    this.#directory = directory
    this.#uid = uid
    const slots = readSlots(directory)
    this.#through = readReservation(directory)?.revision ?? 0
    // The slot that is unreadable or older is written next.
    this.#slot = (slots[0]?.revision ?? 0) <= (slots[1]?.revision ?? 0) ? 0 : 1
  }

  /** Must be called before a revision is given out; syncs when less than half a block would be left. */
  cover(revision: Revision): void {
    if (revision + RESERVATION_BLOCK / 2 <= this.#through) return
    try {
      this.#write(Math.max(this.#through, revision) + RESERVATION_BLOCK)
    } catch (error) {
      if (revision > this.#through) throw error
    }
  }

  #write(through: Revision): void {
    const path = join(this.#directory, RESERVATION_FILE)
    const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      const line = encodeLine(slotName(this.#slot), { uid: this.#uid, revision: through })
      writeSync(descriptor, line, 0, line.length, this.#slot * SLOT_BYTES)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (this.#through === 0) syncDirectory(this.#directory)
    this.#through = through
    this.#slot = 1 - this.#slot
  }
}

function readSlots(directory: string): (CheckedLine | undefined)[] {
  let bytes = Buffer.alloc(0)
  try {
    bytes = readFileSync(join(directory, RESERVATION_FILE))
  } catch {
    // Absent or unreadable, which count the same.
  }
  return SLOTS.map((slot) => decodeLine(slotName(slot), bytes.subarray(slot * SLOT_BYTES)))
}

/** A slot names itself, so that a copy of the other one is not taken for it. */
function slotName(slot: number): string {
  return `reservation-${slot}`
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
