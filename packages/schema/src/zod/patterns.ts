// Translates JavaScript's regular expressions to RE2, which servers run. Zod alone checks what RE2 cannot express.

import { compileRe2 } from '@homeostat/cel'
import { Pattern } from '../compile/pattern.ts'

const inline: ReadonlyMap<string, string> = new Map([
  ['i', 'i'],
  ['s', 's'],
  ['m', 'm'],
])

/** Flags that change nothing about whether a text matches. */
const harmless = new Set(['g', 'd', 'u'])

/** Undefined when RE2 cannot express it. */
export function re2Pattern(expression: RegExp): string | undefined {
  let flags = ''
  for (const flag of expression.flags) {
    const own = inline.get(flag)
    if (own !== undefined) flags += own
    else if (!harmless.has(flag)) return undefined
  }
  const body = translated(expression.source, expression.unicode)
  if (body === undefined) return undefined
  const pattern = flags === '' ? body : `(?${flags})${body}`
  try {
    new Pattern(pattern, { compileRe2 })
    return pattern
  } catch {
    return undefined
  }
}

const special = /\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})|\\([\s\S])|\(\?<(?![=!])[^>]*>|\[\^?\]/g

function translated(source: string, unicode: boolean): string | undefined {
  let possible = true
  const text = source.replace(special, (all: string, long?: string, short?: string, escaped?: string) => {
    if (long !== undefined) {
      // Without the flag this is the letter u, many times.
      possible &&= unicode
      return `\\x{${long}}`
    }
    if (short !== undefined) {
      // Half of a pair is no character of RE2.
      possible &&= !/^d[89a-f]/i.test(short)
      return `\\x{${short}}`
    }
    if (escaped !== undefined) {
      possible &&= !misread(escaped, unicode)
      return escaped === '/' ? '/' : all
    }
    if (all.startsWith('(')) return '('
    // An empty class is nothing, a negated one anything; RE2 reads on to the next bracket.
    possible = false
    return all
  })
  return possible ? text : undefined
}

/** Escapes that mean something else in RE2, or nothing in JavaScript. */
function misread(escaped: string, unicode: boolean): boolean {
  if (escaped === 'p' || escaped === 'P') return !unicode
  return /[ckuAzaQECG0-9]/.test(escaped)
}

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
