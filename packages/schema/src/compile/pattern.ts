// A user's regular expression, with RE2 semantics as Go has it, in linear time.
// Never JavaScript's RegExp: one hostile pattern would stop the server.

import { RE2JS } from 're2js'

/** Instructions a pattern may compile to, and instructions times characters one match may cost. */
const MAX_PROGRAM = 20_000
const MAX_COST = 100_000_000
const MAX_REMEMBERED = 256

export class Pattern {
  readonly source: string
  readonly #program: RE2JS
  readonly #longest: number
  #lastMatch: string | undefined

  /** Throws when the source does not compile under RE2. */
  constructor(source: string) {
    this.source = source
    this.#program = RE2JS.compile(source)
    const size = this.#program.programSize()
    if (size > MAX_PROGRAM) throw new Error(`expression is too large: ${size} instructions, at most ${MAX_PROGRAM}`)
    this.#longest = Math.floor(MAX_COST / Math.max(size, 1))
  }

  /** Unanchored search. An input beyond the cost budget does not match. */
  matches(text: string): boolean {
    if (text === this.#lastMatch) return true
    if (text.length > this.#longest || !this.#program.test(text)) return false
    // Updates mostly repeat the value of before.
    if (text.length <= MAX_REMEMBERED) this.#lastMatch = text
    return true
  }
}

/** The message of a compile error, undefined when the pattern is fine. */
export function patternError(source: string): string | undefined {
  try {
    new Pattern(source)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
