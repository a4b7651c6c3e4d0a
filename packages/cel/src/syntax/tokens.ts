// Text to tokens. The parser asks for all of them at once; what is no token becomes an issue.

import type { Issue } from './issues.ts'

export type TokenKind =
  | 'identifier'
  | 'quoted-identifier'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'punctuation'
  | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly offset: number
}

const escaped = /\\(?:[abfnrtv\\'"`?]|[xX][0-9a-fA-F]{2}|[0-3][0-7]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/.source
const raw = `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"[^"\\n\\r]*"|'[^'\\n\\r]*'`
const cooked = [
  `"""(?:${escaped}|[^\\\\])*?"""`,
  `'''(?:${escaped}|[^\\\\])*?'''`,
  `"(?:${escaped}|[^"\\\\\\n\\r])*"`,
  `'(?:${escaped}|[^'\\\\\\n\\r])*'`,
].join('|')

const rules: readonly (readonly [TokenKind | 'skip', RegExp])[] = [
  ['skip', /[\t\r\n\f ]+|\/\/[^\n]*/y],
  ['bytes', new RegExp(`(?:[bB][rR]|[rR][bB])(?:${raw})|[bB](?:${cooked})`, 'y')],
  ['string', new RegExp(`[rR](?:${raw})|${cooked}`, 'y')],
  ['double', /(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y],
  ['uint', /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y],
  ['int', /0x[0-9a-fA-F]+|[0-9]+/y],
  ['identifier', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['quoted-identifier', /`[A-Za-z0-9_./ -]+`/y],
  ['punctuation', /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y],
]

/** What is taken of a string that does not end, or to its first wrong escape. */
const broken = [
  new RegExp(`"(?:${escaped}|[^"\\\\\\n\\r])*(?:\\\\[^\\n\\r]?)?`, 'y'),
  new RegExp(`'(?:${escaped}|[^'\\\\\\n\\r])*(?:\\\\[^\\n\\r]?)?`, 'y'),
]

export function tokensOf(text: string, issues: Issue[]): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const token = tokenAt(text, at)
    if (token === undefined) {
      const end = endOfUnknown(text, at)
      issues.push({ offset: at, message: `Syntax error: token recognition error at: '${text.slice(at, end)}'` })
      at = end
      continue
    }
    at += token.text.length
    if (token.kind !== 'skip') tokens.push({ kind: token.kind, text: token.text, offset: token.offset })
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset: text.length })
  return tokens
}

function tokenAt(text: string, at: number): { kind: TokenKind | 'skip'; text: string; offset: number } | undefined {
  for (const [kind, rule] of rules) {
    rule.lastIndex = at
    const found = rule.exec(text)
    if (found !== null) return { kind, text: found[0], offset: at }
  }
  return undefined
}

function endOfUnknown(text: string, at: number): number {
  for (const rule of broken) {
    rule.lastIndex = at
    const found = rule.exec(text)
    if (found !== null) return at + found[0].length
  }
  return at + ((text.codePointAt(at) as number) > 0xffff ? 2 : 1)
}
