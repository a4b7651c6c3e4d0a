// The messages of gRPC within the bytes of a stream: each has five bytes before it, a flag and its length.

import type { WireWriter } from '@homeostat/protobuf/wire'
import { EtcdError } from './etcd-error.ts'

const PREFIX_BYTES = 5

/** The message, which must not be written to any more, as it is sent. */
export function framed(message: WireWriter): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(message.length, 1)
  message.raw(prefix)
  return message.finish()
}

/** Puts the messages of one stream together. It holds no more than one unfinished message. */
export class FrameReader {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #held = 0
  /** Of the unfinished message, with its prefix; 0 while the prefix is not whole. */
  #wanted = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether bytes of an unfinished message are held. */
  get unfinished(): boolean {
    return this.#held > 0
  }

  /** Takes a part of the stream, and calls `message` for each message that it completes. */
  take(part: Buffer, message: (bytes: Buffer) => void): void {
    this.#parts.push(part)
    this.#held += part.length
    for (;;) {
      if (this.#wanted === 0) {
        if (this.#held < PREFIX_BYTES) return
        this.#wanted = PREFIX_BYTES + this.#length()
      }
      if (this.#held < this.#wanted) return
      const all = this.#joined()
      const rest = all.subarray(this.#wanted)
      const found = all.subarray(PREFIX_BYTES, this.#wanted)
      this.#parts = rest.length === 0 ? [] : [rest]
      this.#held = rest.length
      this.#wanted = 0
      message(found)
    }
  }

  #length(): number {
    const first = this.#joined()
    if (first[0] !== 0) throw new EtcdError('protocol', 'the member sent a compressed message, which nobody asked for')
    const length = first.readUInt32BE(1)
    if (length > this.#maxBytes)
      throw new EtcdError('answer-too-large', `the answer has ${length} bytes; at most ${this.#maxBytes} are read`)
    return length
  }

  #joined(): Buffer {
    const whole = this.#parts.length === 1 ? this.#parts[0] : undefined
    if (whole !== undefined) return whole
    const joined = Buffer.concat(this.#parts, this.#held)
    this.#parts = [joined]
    return joined
  }
}
