// Parses the engine's stream of a container's output, which mixes standard output and standard error: each frame has a
// header of eight bytes (stream, three zeros, length). With timestamps one frame is one entry of the log. Pure.

import type { LogRecord } from '../log/log-record.ts'

const HEADER = 8
/** Docker splits lines into entries of 16 KiB; a far longer frame means that the stream is something else. */
const LONGEST_FRAME = 1024 * 1024
const LONGEST_TIME = 40

export class FrameDecoder {
  #rest: Buffer = Buffer.alloc(0)

  /** The contents of all frames that are complete now. They may point into the chunk. */
  push(chunk: Uint8Array): Buffer[] {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : asBuffer(chunk)
    const frames: Buffer[] = []
    let start = 0
    while (bytes.length - start >= HEADER) {
      const length = bytes.readUInt32BE(start + 4)
      if ((bytes[start] ?? 0) > 3 || length > LONGEST_FRAME) {
        throw new Error('the log is not in frames: a container with a terminal is none that was started here')
      }
      if (bytes.length - start < HEADER + length) break
      frames.push(bytes.subarray(start + HEADER, start + HEADER + length))
      start += HEADER + length
    }
    this.#rest = Buffer.from(bytes.subarray(start))
    return frames
  }
}

/** Parses an entry `TIME TEXT`. Without a newline the next entry continues the line, or it was the last. */
export function frameRecord(frame: Buffer): LogRecord {
  const space = frame.subarray(0, LONGEST_TIME).indexOf(SPACE)
  const at = space === -1 ? Number.NaN : Date.parse(frame.toString('latin1', 0, space))
  const text = Number.isNaN(at) ? frame : frame.subarray(space + 1)
  const partial = text.at(-1) !== NEWLINE
  return { at: Number.isNaN(at) ? 0 : at, text: partial ? text : text.subarray(0, -1), partial }
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

const SPACE = ' '.charCodeAt(0)
const NEWLINE = '\n'.charCodeAt(0)
