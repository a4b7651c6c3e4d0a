// Reads HTTP/1.1 answers from the bytes of one connection, cut anywhere. The load generator's connections feed it.
// It skips over bodies without copying them, so that a large LIST costs the load generator little.

export interface ResponseHandler {
  head(status: number): void
  /** A piece of the body, without chunk framing; valid during the call only. */
  body?(buffer: Buffer, start: number, end: number): void
  end(): void
}

type State = 'head' | 'fixed' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer'

export class ResponseReader {
  readonly #handler: ResponseHandler
  #state: State = 'head'
  /** A head or a line that was cut. */
  #pending = ''
  #left = 0

  constructor(handler: ResponseHandler) {
    this.#handler = handler
  }

  feed(buffer: Buffer, length: number): void {
    let at = 0
    while (at < length) {
      if (this.#state === 'fixed' || this.#state === 'chunk-data') at = this.#skip(buffer, at, length)
      else at = this.#line(buffer, at, length)
    }
  }

  #skip(buffer: Buffer, at: number, length: number): number {
    const end = Math.min(length, at + this.#left)
    this.#handler.body?.(buffer, at, end)
    this.#left -= end - at
    if (this.#left === 0) {
      if (this.#state === 'fixed') this.#finish()
      else this.#state = 'chunk-end'
    }
    return end
  }

  /** Takes bytes up to the end of the head or of the line, and acts on it when it is whole. */
  #line(buffer: Buffer, at: number, length: number): number {
    const mark = this.#state === 'head' ? '\r\n\r\n' : '\r\n'
    // The mark itself may be cut, so the last bytes of what is pending are looked at again.
    const text = this.#pending + buffer.toString('latin1', at, Math.min(length, at + 4096))
    const found = text.indexOf(mark)
    if (found < 0) {
      const taken = text.length - this.#pending.length
      this.#pending = text
      return at + taken
    }
    const next = at + found + mark.length - this.#pending.length
    this.#pending = ''
    this.#act(text.slice(0, found))
    return next
  }

  #act(line: string): void {
    if (this.#state === 'head') this.#startBody(line)
    else if (this.#state === 'chunk-size') {
      this.#left = Number.parseInt(line, 16)
      this.#state = this.#left === 0 ? 'trailer' : 'chunk-data'
    } else if (this.#state === 'chunk-end') this.#state = 'chunk-size'
    else if (line === '') this.#finish()
  }

  #startBody(head: string): void {
    this.#handler.head(Number(head.slice(9, 12)))
    const size = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (size === undefined) this.#state = 'chunk-size'
    else if (Number(size) === 0) this.#finish()
    else {
      this.#left = Number(size)
      this.#state = 'fixed'
    }
  }

  #finish(): void {
    this.#state = 'head'
    this.#handler.end()
  }
}
