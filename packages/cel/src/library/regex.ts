// Regular expressions as RE2 has them: in time that grows with the text, whatever the pattern. Never JavaScript's RegExp on what a user
// wrote. The programs of constant patterns are kept with the pattern.

import { RE2JS } from 're2js'
import { define, global, type Library, member } from '../functions/declaration.ts'
import { boolType, intType, listOf, stringType } from '../types/cel-type.ts'
import { ValueList } from '../values/lists.ts'
import { Failure, type Value } from '../values/value.ts'

/** Instructions that a pattern may compile to. */
const mostInstructions = 10_000

/** Undefined for what is no pattern of RE2, or too large. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    const program = RE2JS.compile(pattern)
    return program.programSize() > mostInstructions ? undefined : program
  } catch {
    return undefined
  }
}

/** The last patterns of one environment, so that one is not compiled for each item of a list. For the row `cel` of the benchmarks. */
class RecentPatterns {
  readonly #programs = new Map<string, RE2JS | undefined>()

  of(pattern: string): RE2JS | undefined {
    if (this.#programs.has(pattern)) return this.#programs.get(pattern)
    const program = compilePattern(pattern)
    if (this.#programs.size >= 64) this.#programs.clear()
    if (pattern.length <= 1024) this.#programs.set(pattern, program)
    return program
  }
}

function matches(program: RE2JS | undefined, text: string, pattern: string): Value {
  return program === undefined ? new Failure(`error parsing regexp: \`${pattern}\``) : program.test(text)
}

function find(program: RE2JS | undefined, text: string, pattern: string): Value {
  if (program === undefined) return illegal(pattern)
  const matcher = program.matcher(text)
  return matcher.find() ? (matcher.group() ?? '') : ''
}

function findAll(program: RE2JS | undefined, text: string, pattern: string, most: number | bigint = -1): Value {
  if (program === undefined) return illegal(pattern)
  const found: string[] = []
  const matcher = program.matcher(text)
  while ((most < 0 || found.length < most) && matcher.find()) found.push(matcher.group() ?? '')
  return new ValueList(found)
}

function illegal(pattern: string): Failure {
  return new Failure(`Illegal regex: error parsing regexp: \`${pattern}\``)
}

const two = [stringType, stringType]
const texts = listOf(stringType)

/** A library with patterns of its own. */
export function regexLibrary(): Library {
  const recent = new RecentPatterns()
  const test = (text: string, pattern: string) => matches(recent.of(pattern), text, pattern)
  const first = (text: string, pattern: string) => find(recent.of(pattern), text, pattern)
  const all = (text: string, pattern: string, most?: number | bigint) =>
    findAll(recent.of(pattern), text, pattern, most)
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
