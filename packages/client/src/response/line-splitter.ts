// Splits a stream of bytes into lines at \n only: an event may contain any other Unicode line separator, and a chunk
// may end inside a character. Watches call it.

import { joined } from './read-body.ts'

const NEWLINE = 10

export class LineSplitter {
  readonly #maxBytes: number
  #rest: Uint8Array[] = []
  #restBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns the lines that the chunk completes, without \n. Throws when a line is longer than the limit. */
  push(chunk: Uint8Array): string[] {
    const end = chunk.lastIndexOf(NEWLINE)
    if (end < 0) {
      this.#keep(chunk)
      return []
    }
    // One decode for all lines: in UTF-8 no byte of a longer character equals \n.
    const whole = joined([...this.#rest, chunk.subarray(0, end)], this.#restBytes + end)
    this.#rest = []
    this.#restBytes = 0
    if (end + 1 < chunk.byteLength) this.#keep(chunk.subarray(end + 1))
    return utf8.decode(whole).split('\n')
  }

  /** Returns the text after the last newline. */
  end(): string {
    const text = utf8.decode(joined(this.#rest, this.#restBytes))
    this.#rest = []
    this.#restBytes = 0
    return text
  }

  #keep(chunk: Uint8Array): void {
    this.#restBytes += chunk.byteLength
    if (this.#restBytes > this.#maxBytes) {
      throw new Error(`an event of the watch is longer than ${this.#maxBytes} bytes`)
    }
    this.#rest.push(chunk)
  }
}

// Keeps a byte order mark: the decoder would remove it from the start of a line.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
