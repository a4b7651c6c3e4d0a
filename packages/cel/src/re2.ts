// Regular expressions with RE2 semantics as Go has it, in linear time: the one file that knows the library, which `@homeostat/schema`
// gets from here too, so that an installation has it once. It knows nothing of limits.

import { RE2JS } from 're2js'

export interface Re2 {
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean
  matcher(text: string): Re2Matcher
  /** Instructions of the compiled program. */
  programSize(): number
}

export interface Re2Matcher {
  /** Goes on behind the last match. */
  find(): boolean
  group(): string | null
}

/** Throws when the source does not compile. */
export function compileRe2(source: string): Re2 {
  return RE2JS.compile(source)
}
