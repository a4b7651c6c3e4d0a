// A place among the tokens of an expression: looks at the next one, takes it, and says what was expected instead. The parser moves it
// and knows the grammar.

import type { Issue } from './issues.ts'
import type { Token, TokenKind } from './tokens.ts'

/** Ends the parse. */
export class SyntaxStop {
  readonly issue: Issue
  constructor(offset: number, message: string) {
    this.issue = { offset, message }
  }
}

export class TokenCursor {
  readonly #tokens: readonly Token[]
  #at = 0

  /** The last token is of kind `end`. */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get next(): Token {
    return this.#tokens[this.#at] as Token
  }

  /** The one `count` after the next; undefined beyond the end. */
  ahead(count: number): Token | undefined {
    return this.#tokens[this.#at + count]
  }

  skip(count: number): void {
    this.#at += count
  }

  is(text: string): boolean {
    return this.next.kind === 'punctuation' && this.next.text === text
  }

  take(): Token {
    const token = this.next
    if (token.kind !== 'end') this.#at++
    return token
  }

  takeIf(text: string): boolean {
    if (!this.is(text)) return false
    this.#at++
    return true
  }

  takeKind(kind: TokenKind): Token {
    const token = this.take()
    if (token.kind !== kind) throw unexpected(token, kind.toUpperCase())
    return token
  }

  expect(text: string): Token {
    if (text === ')' && this.next.kind === 'end') {
      throw new SyntaxStop(this.next.offset, "Syntax error: missing ')' at '<EOF>'")
    }
    if (text === ']' && !this.is(text)) throw unexpected(this.next, "{']', ','}")
    if (!this.is(text)) throw unexpected(this.next, `'${text}'`)
    return this.take()
  }
}

export function unexpected(token: Token, expected: string, how = 'mismatched'): SyntaxStop {
  return new SyntaxStop(token.offset, `Syntax error: ${how} input '${token.text}' expecting ${expected}`)
}

export function noAlternative(token: Token): SyntaxStop {
  const shown = token.kind === 'end' ? '' : token.text
  return new SyntaxStop(token.offset, `Syntax error: no viable alternative at input '.${shown}'`)
}
