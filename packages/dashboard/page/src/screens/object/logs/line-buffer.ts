// The newest lines of a log, within bounds, whatever the log sends. Pure.

export interface LogLine {
  /** Counts from the first line that was read, also over those that were dropped. */
  readonly number: number
  readonly text: string
}

export interface Bounds {
  readonly lines: number
  readonly characters: number
  /** A longer line is cut. */
  readonly line: number
}

const BOUNDS: Bounds = { lines: 50_000, characters: 16 << 20, line: 5000 }

export class LineBuffer {
  readonly #bounds: Bounds
  #lines: LogLine[] = []
  /** Lines at the front that are dropped but not yet cut off: shifting an array of 50,000 for each line costs too much. */
  #first = 0
  #characters = 0
  #next = 1
  #rest = ''

  constructor(bounds: Bounds = BOUNDS) {
    this.#bounds = bounds
  }

  /** How many lines were dropped at the front. */
  get dropped(): number {
    return this.#next - 1 - (this.#lines.length - this.#first)
  }

  add(chunk: string): void {
    const parts = (this.#rest + chunk).split('\n')
    const rest = parts.pop() ?? ''
    for (const part of parts) this.#push(part)
    // A line without an end must not grow for ever.
    this.#rest = rest.slice(0, this.#bounds.line + 1)
  }

  /** After the last chunk. */
  end(): void {
    if (this.#rest !== '') this.#push(this.#rest)
    this.#rest = ''
  }

  lines(): LogLine[] {
    return this.#lines.slice(this.#first)
  }

  #push(line: string): void {
    const text = visible(line.length > this.#bounds.line ? `${line.slice(0, this.#bounds.line)}…` : line)
    this.#lines.push({ number: this.#next++, text })
    this.#characters += text.length
    while (this.#lines.length - this.#first > this.#bounds.lines || this.#characters > this.#bounds.characters) {
      this.#characters -= this.#lines[this.#first]?.text.length ?? 0
      this.#first += 1
    }
    if (this.#first <= this.#bounds.lines) return
    this.#lines = this.#lines.slice(this.#first)
    this.#first = 0
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const COLOURS = /\u001b\[[0-9;]*m/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

/** Without a terminal's colours; other control characters, and marks that turn the direction of text, can be seen. */
export function visible(text: string): string {
  return text
    .replace(COLOURS, '')
    .replace(/\r$/, '')
    .replace(CONTROLS, (sign) => (sign === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + sign.charCodeAt(0))))
    .replace(TURNING, '\ufffd')
}

/** Without regard to case; all of them for an empty text. */
export function searched(lines: readonly LogLine[], text: string): readonly LogLine[] {
  const wanted = text.toLowerCase()
  return wanted === '' ? lines : lines.filter((line) => line.text.toLowerCase().includes(wanted))
}
