// A user's regular expression, with RE2 semantics as Go has it, in linear time.
// Never JavaScript's RegExp: one hostile pattern would stop the server.

import type { Cel, Re2 } from '@homeostat/cel/without-compiler'
import { RecentTexts } from '../format/recent-texts.ts'

/** Instructions a pattern may compile to. */
const MAX_PROGRAM = 10_000

/** Nothing follows the end of the text. re2js runs simple anchored patterns by an engine that is several times slower than
 *  its automaton; this alternative, which never matches, keeps it from that. */
const NEVER = '|\\z[a-z]'

export class Pattern {
  readonly source: string
  readonly #program: Re2
  /** Instructions of the compiled program. */
  readonly size: number
  readonly #matched = new RecentTexts()

  /** Throws when the source does not compile under RE2. */
  constructor(source: string, { compileRe2 }: Pick<Cel, 'compileRe2'>) {
    this.source = source
    const program = compileRe2(source)
    this.size = program.programSize()
    if (this.size > MAX_PROGRAM) {
      throw new Error(`expression is too large: ${this.size} instructions, at most ${MAX_PROGRAM}`)
    }
    this.#program = source.startsWith('^') && !source.includes('\\Q') ? compileRe2(`(?:${source})${NEVER}`) : program
  }

  /** Steps a match may take at worst. */
  cost(text: string): number {
    return this.#matched.has(text) ? 0 : this.size * text.length
  }

  /** Unanchored search. */
  matches(text: string): boolean {
    if (this.#matched.has(text)) return true
    if (!this.#program.test(text)) return false
    this.#matched.add(text)
    return true
  }
}
