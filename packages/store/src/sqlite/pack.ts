// Packs writes into shared memory for the writer thread, as many as one transaction should take.

import type { Note } from '../contract.ts'
import type { PendingWrite } from './pending-write.ts'
import { ENCODING_PLAIN, HEADER_BYTES, OP_DELETE, OP_MINOR, recordMemory, writeHeader } from './record.ts'

/** Bounds one transaction, so that a commit stays short and publishing its changes stays cheap. */
const MAX_WRITES = 1024
const MAX_BYTES = 8 * 1024 * 1024

export interface PackedBatch {
  readonly memory: SharedArrayBuffer
  readonly count: number
}

export class BatchPacker {
  readonly #notes = new NoteWriter()

  /** Uses the given memory if the writes fit, else allocates. */
  pack(writes: readonly PendingWrite[], given: SharedArrayBuffer): PackedBatch {
    const { count, bytes } = this.#fitting(writes)
    const memory = bytes <= given.byteLength ? given : new SharedArrayBuffer(bytes)
    const target = recordMemory(memory)
    let at = 0
    for (let index = 0; index < count; index++) {
      const write = writes[index]
      if (write === undefined) break
      const { key, value, expected, note } = write
      const keyLength = target.bytes.write(key, at + HEADER_BYTES)
      const noteLength = target.bytes.write(this.#notes.text(note), at + HEADER_BYTES + keyLength)
      if (value !== undefined) target.bytes.set(value.bytes, at + HEADER_BYTES + keyLength + noteLength)
      const valueLength = value?.bytes.length ?? 0
      writeHeader(target, at, {
        revision: 0,
        previous: expected?.revision ?? 0,
        op: (value === undefined ? OP_DELETE : 0) | (note.minor ? OP_MINOR : 0),
        encoding: ENCODING_PLAIN,
        gap: value?.gap ?? 0,
        metaEnd: value?.metaEnd ?? 0,
        keyLength,
        noteLength,
        valueLength,
      })
      at += HEADER_BYTES + keyLength + noteLength + valueLength
    }
    return { memory, count }
  }

  #fitting(writes: readonly PendingWrite[]): { count: number; bytes: number } {
    let bytes = 0
    let count = 0
    for (const write of writes) {
      const size = this.#mostBytes(write)
      if (count > 0 && (count === MAX_WRITES || bytes + size > MAX_BYTES)) break
      bytes += size
      count++
    }
    return { count, bytes }
  }

  /** An upper bound without encoding the text: UTF-8 takes at most three bytes per UTF-16 unit. */
  #mostBytes({ key, value, note }: PendingWrite): number {
    return HEADER_BYTES + key.length * 3 + this.#notes.text(note).length * 3 + (value?.bytes.length ?? 0)
  }
}

/** Writes `[time,"user","manager"]`. It caches the names, which rarely change between writes: the create benchmarks gain. */
class NoteWriter {
  #user: string | undefined
  #manager: string | undefined
  #names = ''

  text({ time, user, manager }: Note): string {
    if (user !== this.#user || manager !== this.#manager) {
      this.#user = user
      this.#manager = manager
      this.#names = `,${JSON.stringify(user)},${JSON.stringify(manager)}]`
    }
    return `[${time}${this.#names}`
  }
}
