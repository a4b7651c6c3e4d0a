import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, it } from 'vitest'
import { firstFree, UNKNOWN_JUMP } from './first-free.ts'
import { HighWater, readHighWater } from './high-water.ts'
import { RESERVATION_BLOCK, Reservation, readReservation } from './reservation.ts'

const uid = crypto.randomUUID()
const SLOT = 4096

function flip(directory: string, name: string, at: number): void {
  const file = join(directory, name)
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, bytes)
}

/** A directory in which revisions up to this one were given out. */
function used(newest: number): string {
  const directory = temporaryFolder()
  const reservation = new Reservation(directory, uid)
  for (let revision = 1; revision <= newest; revision += 1000) reservation.cover(revision)
  reservation.cover(newest)
  return directory
}

it.each([1, 49_999, 100_000, 100_001, 350_000])('is above %i once that was given out', (newest) => {
  const directory = used(newest)
  expect(readReservation(directory)).toMatchObject({ uid })
  expect(readReservation(directory)?.revision).toBeGreaterThanOrEqual(newest)
  expect(readReservation(directory)?.revision).toBeLessThanOrEqual(newest + 3 * RESERVATION_BLOCK)
  expect(new Reservation(directory, uid).cover(newest)).toBeUndefined()
})

it('stays above whatever was given out when either slot is damaged, or is a copy of the other', () => {
  for (const newest of [10, 160_000, 210_000, 260_000, 310_000]) {
    for (const at of [30, SLOT + 30]) {
      const directory = used(newest)
      if (at < readFileSync(join(directory, 'reservation')).length) flip(directory, 'reservation', at)
      const reserved = readReservation(directory)?.revision
      if (reserved !== undefined) expect(reserved).toBeGreaterThanOrEqual(newest)
      else expect(newest).toBe(10)
    }
    const directory = used(newest)
    const file = join(directory, 'reservation')
    const bytes = readFileSync(file)
    if (bytes.length <= SLOT) continue
    bytes.copy(bytes, SLOT, 0, 100)
    writeFileSync(file, bytes)
    expect(readReservation(directory)?.revision).toBeGreaterThanOrEqual(newest)
  }
})

it('goes on far ahead where nothing is reserved, and just above the reservation where something is', () => {
  expect(firstFree(temporaryFolder(), 20)).toBe(20 + UNKNOWN_JUMP)
  const directory = used(20)
  expect(firstFree(directory, 7)).toBe((readReservation(directory)?.revision ?? 0) + 1)
})

it('reads the high-water mark back, and nothing from one that is damaged', () => {
  const directory = temporaryFolder()
  expect(readHighWater(directory)).toBeUndefined()
  const mark = new HighWater(directory, uid)
  mark.set(7)
  mark.set(1234)
  mark.close()
  expect(readHighWater(directory)).toEqual({ uid, revision: 1234 })
  const { length } = readFileSync(join(directory, 'high-water'))
  for (let at = 0; at < length; at++) {
    flip(directory, 'high-water', at)
    expect(readHighWater(directory)).toBe('unreadable')
    flip(directory, 'high-water', at)
  }
})
