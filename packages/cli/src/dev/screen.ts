// The terminal of `dev`: lines in groups, one for each object, under a heading that is repeated only when the object
// changes. Without a terminal the same lines come without colours.

import { draw, escapeControls } from '../output/escape-controls.ts'
import { type Paint, paintFor, type Tone } from '../output/style.ts'
import type { Terminal } from '../terminal.ts'

export interface ScreenLine {
  readonly text: string
  readonly tone?: Tone | undefined
  /** Shown after the text, less strong. */
  readonly aside?: string | undefined
  /** Further lines below it. */
  readonly more?: readonly { readonly text: string; readonly tone?: Tone | undefined }[] | undefined
}

/** Lines of the command itself have no heading; neither have those of the program, which only stand apart. */
const OWN = '\0own'
const PROGRAM = '\0program'

export class Screen {
  readonly #terminal: Terminal
  readonly #paint: Paint
  readonly #now: () => Date
  #group = ''

  constructor(terminal: Terminal, now: () => Date = () => new Date()) {
    this.#terminal = terminal
    this.#paint = paintFor(terminal)
    this.#now = now
  }

  /** Several lines without a time, such as the banner. Each part is written as given. */
  block(lines: readonly (readonly [tone: Tone | undefined, text: string][])[]): void {
    this.#enter('')
    const texts = lines.map((parts) => parts.map(([tone, text]) => this.#paint(tone, escapeControls(text))).join(''))
    this.#write(texts)
  }

  /** What the command itself has to say. */
  say(line: ScreenLine): void {
    this.#enter(OWN)
    this.#timed(line)
  }

  /** A line about an object, e.g. `Site default/blog`. */
  about(object: string, line: ScreenLine): void {
    this.#enter(object)
    this.#timed(line)
  }

  /** A line that the program printed. Its colours stay. */
  program(line: string): void {
    this.#enter(PROGRAM)
    this.#write([escapeAllButColours(line)])
  }

  /** A question at the end of the screen; the answer follows it in the same line. */
  ask(question: string): void {
    draw(this.#terminal, `${this.#paint('strong', escapeControls(question))} `)
  }

  answered(answer: string): void {
    this.#write([answer])
  }

  clear(): void {
    if (this.#terminal.columns !== undefined) draw(this.#terminal, '\x1b[2J\x1b[3J\x1b[H')
    this.#group = ''
  }

  #enter(group: string): void {
    if (group === this.#group) return
    const heading = group.startsWith('\0') || group === '' ? [] : [this.#paint('strong', escapeControls(group))]
    this.#write(this.#group === '' ? heading : ['', ...heading])
    this.#group = group
  }

  #timed({ text, tone, aside = '', more = [] }: ScreenLine): void {
    const time = this.#paint('quiet', this.#now().toTimeString().slice(0, 8))
    const [first = '', ...rest] = escapeControls(text).split('\n')
    const after = aside === '' ? '' : `  ${this.#paint('quiet', escapeControls(aside))}`
    this.#write([
      `${time}  ${this.#paint(tone, first)}${after}`,
      ...rest.map((line) => `${INDENT}${this.#paint(tone, line)}`),
      ...more.map((line) => `${INDENT}${this.#paint(line.tone, escapeControls(line.text))}`),
    ])
  }

  #write(lines: readonly string[]): void {
    if (lines.length > 0) draw(this.#terminal, `${lines.join('\n')}\n`)
  }
}

const INDENT = ' '.repeat(10)

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const COLOUR = /(\x1b\[[\d;]*m)/

function escapeAllButColours(text: string): string {
  return text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : escapeControls(part)))
    .join('')
}
