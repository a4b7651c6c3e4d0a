// The last acknowledged revision, in a file of its own. The writer thread writes it after each durable commit and
// before the writers are answered, and never syncs it: it is never ahead of the data, survives a killed process, and
// may be old or torn after a power cut. A store whose newest revision is below it has lost acknowledged writes.

import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Revision } from '../contract.ts'
import { type CheckedLine, decodeLine, encodeLine } from './checked-line.ts'

export const HIGH_WATER_FILE = 'high-water'
const NAME = 'high-water'

/** `unreadable`: there is a file, but it proves nothing. */
export function readHighWater(directory: string): CheckedLine | 'unreadable' | undefined {
  try {
    return decodeLine(NAME, readFileSync(join(directory, HIGH_WATER_FILE))) ?? 'unreadable'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}

export class HighWater {
  readonly #file: string
  readonly #uid: string
  #descriptor: number | undefined

  constructor(directory: string, uid: string) {
    this.#file = join(directory, HIGH_WATER_FILE)
    this.#uid = uid
  }

  /** If the mark cannot be written, it stays below the last acknowledged revision, never above it. */
  set(revision: Revision): void {
    try {
      this.#descriptor ??= openSync(this.#file, constants.O_RDWR | constants.O_CREAT, 0o600)
      const line = encodeLine(NAME, { uid: this.#uid, revision })
      writeSync(this.#descriptor, line, 0, line.length, 0)
    } catch {
      this.close()
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}
