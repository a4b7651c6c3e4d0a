// A disk that loses power. It takes the recorded events and knows for each sector what is safe (synced) and what is
// only in the cache; an image is what could be found after a cut at this moment. File names and sizes are taken
// as safe at once.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DiskEvent } from './trace.ts'

const SECTOR = 512

/**
 * What became of sectors that were not synced. `garbled`: each was lost, kept, or has anything where it was written to.
 * Bytes of the sector that were synced before stay: SQLite takes disks to keep them (SQLITE_IOCAP_POWERSAFE_OVERWRITE).
 */
export type Fate = 'lost' | 'kept' | 'either' | 'garbled'

interface SimulatedFile {
  cached: Buffer
  safe: Buffer
  readonly dirty: Set<number>
  /** 1 for each byte of the cache that was written and not synced. */
  fresh: Buffer
}

export class SimulatedDisk {
  readonly #files = new Map<string, SimulatedFile>()

  apply(event: DiskEvent): void {
    if (event.type === 'unlink') this.#files.delete(event.file)
    if (event.type === 'acknowledged' || event.type === 'unlink') return
    const file = this.#file(event.file)
    if (event.type === 'write') write(file, event.at, event.bytes)
    else if (event.type === 'sync') sync(file)
    else truncate(file, event.size)
  }

  /** Writes the files as they might be found. `random` decides sector by sector where several fates are possible. */
  image(directory: string, fate: Fate, random: () => number): void {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
    for (const [name, file] of this.#files) {
      const found = Buffer.from(file.cached)
      for (const sector of file.dirty) {
        const chance = fate === 'either' ? random() / 0.5 : fate === 'garbled' ? random() / 0.33 : 2
        if (fate === 'lost' || chance < 1) restoreSector(found, file.safe, sector)
        else if (fate === 'garbled' && chance < 2) garble(found, file.fresh, sector, random)
      }
      writeFileSync(join(directory, name), found)
    }
  }

  #file(name: string): SimulatedFile {
    const file = this.#files.get(name) ?? {
      cached: Buffer.alloc(0),
      safe: Buffer.alloc(0),
      dirty: new Set(),
      fresh: Buffer.alloc(0),
    }
    this.#files.set(name, file)
    return file
  }
}

function write(file: SimulatedFile, at: number, bytes: Buffer): void {
  file.cached = grown(file.cached, at + bytes.length)
  bytes.copy(file.cached, at)
  file.fresh = grown(file.fresh, file.cached.length).fill(1, at, at + bytes.length)
  const last = Math.floor((at + bytes.length - 1) / SECTOR)
  for (let sector = Math.floor(at / SECTOR); sector <= last; sector++) file.dirty.add(sector)
}

function sync(file: SimulatedFile): void {
  file.safe = grown(file.safe, file.cached.length)
  for (const sector of file.dirty) copySector(file.cached, file.safe, sector)
  file.dirty.clear()
  file.fresh.fill(0)
}

function truncate(file: SimulatedFile, size: number): void {
  file.cached = grown(file.cached, size).subarray(0, size)
  file.safe = file.safe.subarray(0, Math.min(size, file.safe.length))
}

function garble(found: Buffer, fresh: Buffer, sector: number, random: () => number): void {
  const end = Math.min((sector + 1) * SECTOR, found.length)
  for (let at = sector * SECTOR; at < end; at++) if (fresh[at] === 1) found[at] = Math.floor(random() * 256)
}

/** A sector never synced reads as zeros. */
function restoreSector(found: Buffer, safe: Buffer, sector: number): void {
  found.subarray(sector * SECTOR, (sector + 1) * SECTOR).fill(0)
  copySector(safe, found, sector)
}

/** As far as both have it: a file may have been cut short meanwhile. */
function copySector(from: Buffer, to: Buffer, sector: number): void {
  const end = Math.min((sector + 1) * SECTOR, from.length, to.length)
  if (sector * SECTOR < end) to.set(from.subarray(sector * SECTOR, end), sector * SECTOR)
}

function grown(buffer: Buffer, length: number): Buffer {
  if (buffer.length >= length) return buffer
  const larger = Buffer.alloc(length)
  buffer.copy(larger)
  return larger
}
