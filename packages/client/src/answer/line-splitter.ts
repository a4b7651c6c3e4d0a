// Cuts a stream of bytes into lines at \n and nowhere else: an event may hold any other character, also those that
// some readers take for line ends, and may be split between chunks at any byte. Watches call it.

import { joined } from './read-body.ts'

const NEWLINE = 10

export class LineSplitter {
  readonly #maxBytes: number
  #rest: Uint8Array[] = []
  #restBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that the chunk completes, without their ends. Throws when a line is longer than the limit. */
  push(chunk: Uint8Array): string[] {
    const end = chunk.lastIndexOf(NEWLINE)
    if (end < 0) {
      this.#keep(chunk)
      return []
    }
    // One decode for all lines: no byte of a longer character is a newline, so the cut is between characters.
    const whole = joined([...this.#rest, chunk.subarray(0, end)], this.#restBytes + end)
    this.#rest = []
    this.#restBytes = 0
    if (end + 1 < chunk.byteLength) this.#keep(chunk.subarray(end + 1))
    return utf8.decode(whole).split('\n')
  }

  /** What came after the last newline. */
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

// The mark must stay where it is: the decoder would take it from the start of a line.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
