// Packs writes into shared memory for the writer thread, as many as one transaction should take.

import type { Note } from '../contract.ts'
import { ENCODING_PLAIN, HEADER_BYTES, OP_DELETE, recordMemory, writeHeader } from './record.ts'
import type { PendingWrite } from './write-queue.ts'

/** One transaction takes no more, so that a commit stays short and its changes stay small to hand over. */
const MAX_WRITES = 1024
const MAX_BYTES = 8 * 1024 * 1024

export interface PackedBatch {
  readonly memory: SharedArrayBuffer
  readonly count: number
}

/** Uses the given memory if the writes fit, else some of their own. */
export function packBatch(writes: readonly PendingWrite[], given: SharedArrayBuffer): PackedBatch {
  const { count, bytes } = fitting(writes)
  const memory = bytes <= given.byteLength ? given : new SharedArrayBuffer(bytes)
  const target = recordMemory(memory)
  let at = 0
  for (let index = 0; index < count; index++) {
    const write = writes[index]
    if (write === undefined) break
    const { key, value, expected, note } = write
    const keyLength = target.bytes.write(key, at + HEADER_BYTES)
    const noteLength = target.bytes.write(noteText(note), at + HEADER_BYTES + keyLength)
    if (value !== undefined) target.bytes.set(value.bytes, at + HEADER_BYTES + keyLength + noteLength)
    const valueLength = value?.bytes.length ?? 0
    writeHeader(target, at, {
      revision: 0,
      previous: expected?.revision ?? 0,
      op: value === undefined ? OP_DELETE : 0,
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

function fitting(writes: readonly PendingWrite[]): { count: number; bytes: number } {
  let bytes = 0
  let count = 0
  for (const write of writes) {
    const size = mostBytes(write)
    if (count > 0 && (count === MAX_WRITES || bytes + size > MAX_BYTES)) break
    bytes += size
    count++
  }
  return { count, bytes }
}

/** An upper bound that needs no look at the characters: none takes more than three bytes per UTF-16 unit. */
function mostBytes({ key, value, note }: PendingWrite): number {
  return HEADER_BYTES + key.length * 3 + noteText(note).length * 3 + (value?.bytes.length ?? 0)
}

let lastUser: string | undefined
let lastManager: string | undefined
let lastNames = ''

/** `[time,"user","manager"]`. The names rarely change from one write to the next. */
function noteText({ time, user, manager }: Note): string {
  if (user !== lastUser || manager !== lastManager) {
    lastUser = user
    lastManager = manager
    lastNames = `,${JSON.stringify(user)},${JSON.stringify(manager)}]`
  }
  return `[${time}${lastNames}`
}
