// Splits the bytes of a watch into lines, each the JSON of one event. It can cut the managed fields out before parsing:
// they are often half of an object, and bytes that are not parsed cost neither time nor memory.

import { UnreadableError } from './recovery.ts'

const NEWLINE = 10
const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

const SCRATCH_BYTES = 16 * 1024
/** A scratch buffer that one long line grew beyond this is replaced by a small one. */
const MAX_SCRATCH_BYTES = 1024 * 1024

/** JSON escapes quotes inside strings, so this text is always a key. */
const MANAGED_FIELDS = '"managedFields":['

export interface EventLinesOptions {
  /** A longer line throws. */
  readonly maxBytes: number
  /** Removes the managed fields where that is cheap; callers must not rely on it. */
  readonly withoutManagedFields: boolean
}

export class EventLines {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #options: EventLinesOptions
  /** The start of an incomplete line. The buffer is reused, so that chunks leave no copies behind. */
  #scratch = new Uint8Array(SCRATCH_BYTES)
  #length = 0

  constructor(options: EventLinesOptions) {
    this.#options = options
  }

  /** Calls back for each line that the chunk completes. Throws when a line is longer than the limit. */
  push(chunk: Uint8Array, onLine: (line: string) => void): void {
    const last = chunk.lastIndexOf(NEWLINE)
    let start = 0
    if (last >= 0 && this.#length > 0) {
      start = chunk.indexOf(NEWLINE) + 1
      this.#keep(chunk.subarray(0, start))
      const line = this.#scratch.subarray(0, this.#length)
      this.#length = 0
      this.#cut(line, onLine)
      if (this.#scratch.length > MAX_SCRATCH_BYTES) this.#scratch = new Uint8Array(SCRATCH_BYTES)
    }
    if (start <= last) this.#cut(chunk.subarray(start, last + 1), onLine)
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(last + 1))
  }

  #keep(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#options.maxBytes) {
      throw new UnreadableError(`The server sent an event that is longer than ${this.#options.maxBytes} bytes.`)
    }
    if (length > this.#scratch.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#scratch.length))
      larger.set(this.#scratch.subarray(0, this.#length))
      this.#scratch = larger
    }
    this.#scratch.set(piece, this.#length)
    this.#length = length
  }

  #cut(bytes: Uint8Array, onLine: (line: string) => void): void {
    const text = this.#decoder.decode(bytes)
    // If the text is ASCII, offsets in the text equal offsets in the bytes, which are faster to scan.
    const looking = this.#options.withoutManagedFields && text.length === bytes.length
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const at = looking ? text.indexOf(MANAGED_FIELDS, start) : -1
      const span = at >= 0 && at < end ? spanToLeaveOut(bytes, text, start, at, end) : undefined
      const line = span === undefined ? text.slice(start, end) : text.slice(start, span.from) + text.slice(span.to, end)
      start = end + 1
      if (line !== '') onLine(line)
    }
  }
}

interface Span {
  readonly from: number
  readonly to: number
}

/**
 * The range of the managed fields with one adjacent comma; undefined when they are not in the metadata of the event's
 * object.
 */
function spanToLeaveOut(bytes: Uint8Array, text: string, start: number, at: number, end: number): Span | undefined {
  if (!isInMetadata(bytes, text, start, at)) return undefined
  const to = endOfArray(bytes, at + MANAGED_FIELDS.length - 1, end)
  if (to === undefined) return undefined
  if (bytes[at - 1] === COMMA) return { from: at - 1, to }
  return { from: at, to: bytes[to] === COMMA ? to + 1 : to }
}

/**
 * Whether the offset is inside `{"object":{"metadata":{...`: a custom object may have a field of the same name
 * elsewhere.
 */
function isInMetadata(bytes: Uint8Array, text: string, start: number, at: number): boolean {
  let depth = 0
  let [outerKey, innerKey] = [start, start]
  for (let i = start; i < at; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) {
      if (depth === 1) outerKey = i
      else if (depth === 2) innerKey = i
      i = endOfString(bytes, i, at)
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
  }
  return depth === 3 && text.startsWith('"object"', outerKey) && text.startsWith('"metadata"', innerKey)
}

/** The offset after the bracket that closes the one at `start`. */
function endOfArray(bytes: Uint8Array, start: number, end: number): number | undefined {
  let depth = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) i = endOfString(bytes, i, end)
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--
      if (depth === 0) return i + 1
    }
  }
  return undefined
}

/** The offset of the quote that closes the string at `start`. */
function endOfString(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start + 1; i < end; i++) {
    const byte = bytes[i]
    if (byte === BACKSLASH) i++
    else if (byte === QUOTE) return i
  }
  return end
}
