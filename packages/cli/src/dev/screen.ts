// The terminal of `dev`: lines in groups, one for each object, under a heading. Lines about objects are collected for a
// moment, so that objects that work at the same time do not alternate line by line. Without a terminal there are no colours.

import { systemClock } from '@homeostat/base'
import { draw, escapeControls } from '../output/escape-controls.ts'
import { type Paint, paintFor, type Tone } from '../output/style.ts'
import { wrapText } from '../output/wrap.ts'
import type { Terminal } from '../terminal.ts'

export interface ScreenLine {
  readonly text: string
  readonly tone?: Tone | undefined
  /** Shown after the text, less strong. */
  readonly aside?: string | undefined
  /** Further lines below it. */
  readonly more?: readonly { readonly text: string; readonly tone?: Tone | undefined }[] | undefined
  /** Of an object: a later state replaces this one if it has not been written yet. */
  readonly isState?: boolean | undefined
}

interface Collected {
  readonly text: string
  readonly isState: boolean
}

/** A line that is written as given, in parts of different tones. */
export type BlockLine = readonly (readonly [tone: Tone | undefined, text: string])[]

/** How long lines about objects are collected. */
const COLLECT_MS = 100

export class Screen {
  readonly #terminal: Terminal
  readonly #paint: Paint
  readonly #now: () => Date
  /** Whose lines were written last: an object, or one of `own`, `program` and nothing. */
  #group: string | { readonly object: string } = ''
  #collected = new Map<string, Collected[]>()
  #timer: NodeJS.Timeout | undefined
  #question = ''

  constructor(terminal: Terminal, now: () => Date = () => new Date(systemClock.now())) {
    this.#terminal = terminal
    this.#paint = paintFor(terminal)
    this.#now = now
  }

  /** Lines without a time, such as the banner. */
  block(lines: readonly BlockLine[]): void {
    const texts = lines.map((parts) => parts.map(([tone, text]) => this.#paint(tone, escapeControls(text))).join(''))
    this.#print('', texts)
  }

  /** What the command itself has to say. */
  say(line: ScreenLine): void {
    this.#print('own', this.#timed(line))
  }

  /** A line about an object, e.g. `Site default/blog`. */
  about(object: string, line: ScreenLine): void {
    const { isState = false } = line
    const before = (this.#collected.get(object) ?? []).filter((one) => !(isState && one.isState))
    this.#collected.set(object, [...before, { text: this.#timed(line).join('\n'), isState }])
    this.#timer ??= setTimeout(() => this.flush(), COLLECT_MS)
  }

  /** A line that the program printed. Its colours stay. */
  program(line: string): void {
    this.#print('program', [escapeAllButColours(line)])
  }

  /** A question in the last line; it stays there when other lines come, until it is answered. */
  ask(question: string): void {
    this.#question = `${this.#paint('strong', escapeControls(question))} `
    draw(this.#terminal, this.#question)
  }

  answered(answer: string): void {
    this.#question = ''
    draw(this.#terminal, `${answer}\n`)
  }

  clear(): void {
    this.flush()
    if (this.#terminal.columns !== undefined) draw(this.#terminal, '\x1b[2J\x1b[3J\x1b[H')
    this.#group = ''
  }

  /** Writes what was collected. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const collected = this.#collected
    this.#collected = new Map()
    for (const [object, lines] of collected) {
      const isNew = typeof this.#group === 'string' || this.#group.object !== object
      const heading = isNew ? [...this.#gap(), this.#paint('strong', escapeControls(object))] : []
      this.#write([...heading, ...counted(lines)])
      this.#group = { object }
    }
  }

  #print(group: string, lines: readonly string[]): void {
    this.flush()
    this.#write(group === this.#group ? lines : [...this.#gap(), ...lines])
    this.#group = group
  }

  /** Between two groups. */
  #gap(): string[] {
    return this.#group === '' ? [] : ['']
  }

  #timed({ text, tone, aside = '', more = [] }: ScreenLine): string[] {
    const time = this.#paint('quiet', this.#now().toTimeString().slice(0, 8))
    const lines = this.#fitted(text)
    const last = lines.at(-1) ?? ''
    const painted = lines.map((line) => this.#paint(tone, line))
    if (aside !== '') {
      const asides = this.#fitted(aside).map((line) => this.#paint('quiet', line))
      const hasRoom = asides.length === 1 && last.length + 2 + aside.length <= this.#room
      painted.push(...(hasRoom ? [`${painted.pop()}  ${asides[0]}`] : asides))
    }
    for (const line of more) painted.push(...this.#fitted(line.text).map((part) => this.#paint(line.tone, part)))
    const [first = '', ...rest] = painted
    return [`${time}  ${first}`, ...rest.map((line) => INDENT + line)]
  }

  get #room(): number {
    return (this.#terminal.columns ?? Number.POSITIVE_INFINITY) - INDENT.length
  }

  #fitted(text: string): string[] {
    const width = this.#terminal.columns === undefined ? undefined : this.#room
    return wrapText(escapeControls(text), width).split('\n')
  }

  #write(lines: readonly string[]): void {
    if (lines.length === 0) return
    const erase = this.#question === '' ? '' : '\r\x1b[K'
    draw(this.#terminal, `${erase}${lines.join('\n')}\n${this.#question}`)
  }
}

/** As wide as the time. */
const INDENT = ' '.repeat(10)

/** The same line several times in a row is written once, with how often. */
function counted(lines: readonly Collected[]): string[] {
  const shown: { readonly text: string; count: number }[] = []
  for (const { text } of lines) {
    const last = shown.at(-1)
    if (last?.text === text) last.count++
    else shown.push({ text, count: 1 })
  }
  return shown.map(({ text, count }) => (count === 1 ? text : `${text} (x${count})`))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const COLOUR = /(\x1b\[[\d;]*m)/

function escapeAllButColours(text: string): string {
  return text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : escapeControls(part)))
    .join('')
}
