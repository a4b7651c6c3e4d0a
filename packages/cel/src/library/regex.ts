// Regular expressions as RE2 has them: in time that grows with the text, whatever the pattern. Never JavaScript's RegExp on what a user
// wrote. The programs of constant patterns are kept with the pattern.

import { define, global, type Library, member } from '../functions/declaration.ts'
import { compileRe2, type Re2 } from '../re2.ts'
import { boolType, intType, listOf, stringType } from '../types/cel-type.ts'
import { ValueList } from '../values/lists.ts'
import { Failure, type Value } from '../values/value.ts'

/** Instructions that a pattern may compile to. */
const mostInstructions = 10_000

/** The program, or why there is none in Go's words. */
function compilePattern(pattern: string): Re2 | string {
  try {
    const program = compileRe2(pattern)
    return program.programSize() > mostInstructions ? 'error parsing regexp: expression nests too deeply' : program
  } catch (error) {
    return error instanceof Error ? error.message : `error parsing regexp: \`${pattern}\``
  }
}

/** Undefined for a pattern of RE2 that is not too large. */
export function patternProblem(pattern: string): string | undefined {
  const program = compilePattern(pattern)
  return typeof program === 'string' ? program : undefined
}

/** The last patterns of one environment, so that one is not compiled for each item of a list. For the row `cel` of the benchmarks. */
class RecentPatterns {
  readonly #programs = new Map<string, Re2 | string>()

  of(pattern: string): Re2 | string {
    const known = this.#programs.get(pattern)
    if (known !== undefined) return known
    const program = compilePattern(pattern)
    if (this.#programs.size >= 64) this.#programs.clear()
    if (pattern.length <= 1024) this.#programs.set(pattern, program)
    return program
  }
}

function matches(program: Re2 | string, text: string): Value {
  return typeof program === 'string' ? new Failure(program) : program.test(text)
}

function find(program: Re2 | string, text: string): Value {
  if (typeof program === 'string') return illegal(program)
  const matcher = program.matcher(text)
  return matcher.find() ? (matcher.group() ?? '') : ''
}

function findAll(program: Re2 | string, text: string, most: number | bigint = -1): Value {
  if (typeof program === 'string') return illegal(program)
  const found: string[] = []
  const matcher = program.matcher(text)
  while ((most < 0 || found.length < most) && matcher.find()) found.push(matcher.group() ?? '')
  return new ValueList(found)
}

function illegal(problem: string): Failure {
  return new Failure(`Illegal regex: ${problem}`)
}

const two = [stringType, stringType]
const texts = listOf(stringType)

/** A library with patterns of its own. */
export function regexLibrary(): Library {
  const recent = new RecentPatterns()
  const test = (text: string, pattern: string) => matches(recent.of(pattern), text)
  const first = (text: string, pattern: string) => find(recent.of(pattern), text)
  const all = (text: string, pattern: string, most?: number | bigint) => findAll(recent.of(pattern), text, most)
  return {
    functions: [
      define('matches', global('matches', two, boolType, test), member('matches_string', two, boolType, test)),
      define('find', member('string_find_string', two, stringType, first)),
      define(
        'findAll',
        member('string_find_all_string', two, texts, all),
        member('string_find_all_string_int', [...two, intType], texts, all),
      ),
    ],
  }
}
