// A disk that loses power. It takes the recorded events and knows for each block what is safe (synced) and what is
// only in the cache; an image is what could be found after a cut at this moment. File names and sizes are taken
// as safe at once; torn blocks and bit rot are not modelled.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DiskEvent } from './trace.ts'

const BLOCK = 4096

/** What became of blocks that were not synced. */
export type Fate = 'lost' | 'kept' | 'either'

interface SimulatedFile {
  cached: Buffer
  safe: Buffer
  readonly dirty: Set<number>
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

  /** Writes the files as they might be found. `coin` decides block by block where either is possible. */
  image(directory: string, fate: Fate, coin: () => boolean): void {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
    for (const [name, file] of this.#files) {
      const found = Buffer.from(file.cached)
      for (const block of file.dirty) {
        const keeps = fate === 'kept' || (fate === 'either' && coin())
        if (!keeps) restoreBlock(found, file.safe, block)
      }
      writeFileSync(join(directory, name), found)
    }
  }

  #file(name: string): SimulatedFile {
    const file = this.#files.get(name) ?? { cached: Buffer.alloc(0), safe: Buffer.alloc(0), dirty: new Set() }
    this.#files.set(name, file)
    return file
  }
}

function write(file: SimulatedFile, at: number, bytes: Buffer): void {
  file.cached = grown(file.cached, at + bytes.length)
  bytes.copy(file.cached, at)
  const last = Math.floor((at + bytes.length - 1) / BLOCK)
  for (let block = Math.floor(at / BLOCK); block <= last; block++) file.dirty.add(block)
}

function sync(file: SimulatedFile): void {
  file.safe = grown(file.safe, file.cached.length)
  for (const block of file.dirty) copyBlock(file.cached, file.safe, block)
  file.dirty.clear()
}

function truncate(file: SimulatedFile, size: number): void {
  file.cached = grown(file.cached, size).subarray(0, size)
  file.safe = file.safe.subarray(0, Math.min(size, file.safe.length))
}

/** A block never synced reads as zeros. */
function restoreBlock(found: Buffer, safe: Buffer, block: number): void {
  found.subarray(block * BLOCK, (block + 1) * BLOCK).fill(0)
  copyBlock(safe, found, block)
}

/** As far as both have it: a file may have been cut short meanwhile. */
function copyBlock(from: Buffer, to: Buffer, block: number): void {
  const end = Math.min((block + 1) * BLOCK, from.length, to.length)
  if (block * BLOCK < end) to.set(from.subarray(block * BLOCK, end), block * BLOCK)
}

function grown(buffer: Buffer, length: number): Buffer {
  if (buffer.length >= length) return buffer
  const larger = Buffer.alloc(length)
  buffer.copy(larger)
  return larger
}
