// Text to expression, by recursive descent along CEL's grammar. A first syntax error ends it: what follows would be guesses. The depth
// is bounded, so that everything that walks the tree may recurse.

import { reservedWords } from '../types/reserved-words.ts'
import type { Value } from '../values/value.ts'
import type { Expression, Parsed } from './expression.ts'
import { ExpressionBuilder, TooLarge } from './expression-builder.ts'
import type { Issue } from './issues.ts'
import { expandMacro } from './macros.ts'
import { noAlternative, SyntaxStop, TokenCursor, unexpected } from './token-cursor.ts'
import { type Token, tokensOf } from './tokens.ts'
import { unescapeBytes, unescapeString } from './unescape.ts'

/** Kubernetes refuses longer rules too. In code units. */
const longestText = 100_000
const deepest = 250

/** How values of literals are made, so that the syntax knows no values. */
export interface LiteralValues {
  int(value: bigint): Value | undefined
  uint(value: bigint): Value | undefined
  double(value: number): Value
}

export interface ParseOptions {
  readonly literals: LiteralValues
  /** cel.bind and names in backquotes. */
  readonly extended: boolean
}

export function parse(text: string, options: ParseOptions): { parsed: Parsed } | { issues: Issue[] } {
  if (text.length > longestText) {
    return {
      issues: [
        { offset: 0, message: `expression code point size exceeds limit: size: ${text.length}, limit ${longestText}` },
      ],
    }
  }
  const issues: Issue[] = []
  const tokens = tokensOf(text, issues)
  const parser = new Parser(tokens, options)
  try {
    const root = parser.whole()
    return issues.length > 0 ? { issues } : { parsed: { root, size: parser.build.size } }
  } catch (error) {
    if (error instanceof SyntaxStop) return { issues: [...issues, error.issue] }
    if (error instanceof TooLarge) return { issues: [{ offset: 0, message: error.message }] }
    throw error
  }
}

const expectedPrimary =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

const relations: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in'])
const sums: ReadonlySet<string> = new Set(['+', '-'])
const products: ReadonlySet<string> = new Set(['*', '/', '%'])

const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null'])

class Parser {
  readonly build = new ExpressionBuilder()
  readonly #cursor: TokenCursor
  readonly #options: ParseOptions
  #depth = 0

  constructor(tokens: readonly Token[], options: ParseOptions) {
    this.#cursor = new TokenCursor(tokens)
    this.#options = options
  }

  whole(): Expression {
    const root = this.#expression()
    const { next } = this.#cursor
    if (next.kind !== 'end')
      throw unexpected(next, '<EOF>', this.#cursor.ahead(1)?.kind === 'end' ? 'extraneous' : 'mismatched')
    return root
  }

  #expression(): Expression {
    this.#deeper()
    const condition = this.#chain('||', '_||_', () => this.#chain('&&', '_&&_', () => this.#binary(0)))
    let made = condition
    if (this.#cursor.is('?')) {
      const offset = this.#cursor.take().offset
      const truthy = this.#chain('||', '_||_', () => this.#chain('&&', '_&&_', () => this.#binary(0)))
      this.#cursor.expect(':')
      made = this.build.call(offset, '_?_:_', condition, truthy, this.#expression())
    }
    this.#depth--
    return made
  }

  /** A chain of && or || becomes a balanced tree, so that a long one is not deep. */
  #chain(operator: string, name: string, term: () => Expression): Expression {
    const terms = [term()]
    const offsets: number[] = []
    while (this.#cursor.is(operator)) {
      offsets.push(this.#cursor.take().offset)
      terms.push(term())
    }
    return terms.length === 1 ? (terms[0] as Expression) : this.#balanced(name, terms, offsets, 0, offsets.length - 1)
  }

  #balanced(
    name: string,
    terms: readonly Expression[],
    offsets: readonly number[],
    low: number,
    high: number,
  ): Expression {
    const middle = (low + high + 1) >> 1
    const left = middle === low ? (terms[middle] as Expression) : this.#balanced(name, terms, offsets, low, middle - 1)
    const right =
      middle === high ? (terms[middle + 1] as Expression) : this.#balanced(name, terms, offsets, middle + 1, high)
    return this.build.call(offsets[middle] as number, name, left, right)
  }

  #binary(level: 0 | 1 | 2): Expression {
    const operators = [relations, sums, products][level] as ReadonlySet<string>
    const operand = () => (level === 2 ? this.#unary() : this.#binary((level + 1) as 1 | 2))
    let left = operand()
    let chained = 0
    while (
      operators.has(this.#cursor.next.text) &&
      (this.#cursor.next.kind === 'punctuation' || this.#cursor.next.kind === 'identifier')
    ) {
      const { text, offset } = this.#cursor.take()
      this.#deeper()
      chained++
      left = this.build.call(offset, text === 'in' ? '@in' : `_${text}_`, left, operand())
    }
    this.#depth -= chained
    return left
  }

  #unary(): Expression {
    const first = this.#cursor.next
    if (first.kind !== 'punctuation' || (first.text !== '!' && first.text !== '-')) return this.#member()
    let count = 0
    while (this.#cursor.is(first.text)) {
      this.#cursor.take()
      count++
    }
    const number = this.#cursor.next.kind
    if (first.text === '-' && count % 2 === 1 && (number === 'int' || number === 'double')) return this.#member(first)
    const operand = this.#member()
    return count % 2 === 0 ? operand : this.build.call(first.offset, first.text === '!' ? '!_' : '-_', operand)
  }

  /** With the sign of a negative number before it. */
  #member(sign?: Token): Expression {
    let left = this.#primary(sign)
    let chained = 0
    for (;;) {
      if (this.#cursor.is('.')) left = this.#selection(left)
      else if (this.#cursor.is('[')) left = this.#index(left)
      else break
      this.#deeper()
      chained++
    }
    this.#depth -= chained
    return left
  }

  #selection(operand: Expression): Expression {
    const { offset } = this.#cursor.take()
    const isOptional = this.#cursor.takeIf('?')
    const name = this.#cursor.take()
    const isQuoted = name.kind === 'quoted-identifier' && this.#options.extended
    if (name.kind !== 'identifier' && !isQuoted) throw noAlternative(name)
    // A keyword of the grammar is no name; the words that are only reserved may name a field.
    if (keywords.has(name.text)) throw noAlternative(name)
    const field = isQuoted ? name.text.slice(1, -1) : name.text
    if (isOptional) return this.build.call(offset, '_?._', operand, this.build.literal(name.offset, field))
    if (!this.#cursor.is('(') || isQuoted) return this.build.select(offset, operand, field)
    const parenthesis = this.#cursor.take()
    return this.#call(field, parenthesis.offset, operand)
  }

  #index(operand: Expression): Expression {
    const { offset } = this.#cursor.take()
    const isOptional = this.#cursor.takeIf('?')
    const index = this.#expression()
    this.#cursor.expect(']')
    return this.build.call(offset, isOptional ? '_[?_]' : '_[_]', operand, index)
  }

  #call(name: string, offset: number, target?: Expression): Expression {
    const args = this.#list(')')
    const expanded = expandMacro(this.build, { name, offset, target, args }, this.#options.extended)
    if (expanded === undefined) {
      return target === undefined
        ? this.build.call(offset, name, ...args)
        : this.build.memberCall(offset, target, name, ...args)
    }
    if ('problem' in expanded) throw new SyntaxStop(expanded.offset, expanded.problem)
    return expanded
  }

  #primary(sign?: Token): Expression {
    const token = this.#cursor.take()
    const offset = sign?.offset ?? token.offset
    switch (token.kind) {
      case 'identifier':
        return this.#word(token)
      case 'int':
      case 'uint':
        return this.build.literal(offset, this.#integer(token, sign !== undefined))
      case 'double':
        return this.build.literal(
          offset,
          this.#options.literals.double(Number(`${sign === undefined ? '' : '-'}${token.text}`)),
        )
      case 'string':
      case 'bytes':
        return this.build.literal(offset, this.#quoted(token))
      case 'punctuation':
        return this.#bracketed(token)
      default:
        throw unexpected(token, expectedPrimary)
    }
  }

  #integer(token: Token, isNegative: boolean): Value {
    const isUint = token.kind === 'uint'
    const digits = BigInt(isUint ? token.text.slice(0, -1) : token.text)
    const { literals } = this.#options
    const value = isUint ? literals.uint(digits) : literals.int(isNegative ? -digits : digits)
    if (value === undefined) throw new SyntaxStop(token.offset, `invalid ${isUint ? 'uint' : 'int'} literal`)
    return value
  }

  #quoted(token: Token): Value {
    const value = token.kind === 'string' ? unescapeString(token.text) : unescapeBytes(token.text)
    if (value === undefined)
      throw new SyntaxStop(token.offset, `invalid ${token.kind} literal: unable to unescape string`)
    return value
  }

  #bracketed(token: Token): Expression {
    switch (token.text) {
      case '(': {
        const inner = this.#expression()
        this.#cursor.expect(')')
        return inner
      }
      case '[': {
        const optional = new Set<number>()
        const items = this.#list(']', (place) => this.#cursor.takeIf('?') && optional.add(place))
        return this.build.list(token.offset, items, optional)
      }
      case '{':
        return this.#map(token.offset)
      case '.':
        return this.#word(this.#cursor.takeKind('identifier'), '.')
      default:
        throw unexpected(token, expectedPrimary, this.#startsPrimary() ? 'extraneous' : 'mismatched')
    }
  }

  #startsPrimary(): boolean {
    const { kind, text } = this.#cursor.next
    return kind === 'punctuation'
      ? '[{(.-!'.includes(text)
      : kind !== 'end' && kind !== 'quoted-identifier' && text !== 'in'
  }

  #map(offset: number): Expression {
    const entries: { id: number; key: Expression; value: Expression; optional: boolean }[] = []
    while (!this.#cursor.is('}')) {
      const optional = this.#cursor.takeIf('?')
      const key = this.#expression()
      this.#cursor.expect(':')
      entries.push({ id: this.build.id(), key, value: this.#expression(), optional })
      if (!this.#cursor.takeIf(',')) break
    }
    this.#cursor.expect('}')
    return this.build.map(offset, entries)
  }

  /** A name, a keyword, a call, or the name of a message with its fields. */
  #word(token: Token, prefix = ''): Expression {
    const { text, offset } = token
    if (text === 'true' || text === 'false') return this.build.literal(offset, text === 'true')
    if (text === 'null') return this.build.literal(offset, null)
    if (text === 'in') throw unexpected(token, expectedPrimary)
    if (this.#cursor.is('(')) return this.#call(prefix + text, this.#cursor.take().offset)
    const struct = this.#structName(prefix + text)
    if (struct !== undefined) return this.#struct(struct)
    if (reservedWords.has(text)) throw new SyntaxStop(offset, `reserved identifier: ${text}`)
    return this.build.identifier(offset, prefix + text)
  }

  /** Looks ahead for `a.b.C {`. */
  #structName(first: string): string | undefined {
    const cursor = this.#cursor
    let name = first
    let count = 0
    while (cursor.ahead(count)?.text === '.' && cursor.ahead(count + 1)?.kind === 'identifier') {
      name += `.${cursor.ahead(count + 1)?.text}`
      count += 2
    }
    if (cursor.ahead(count)?.text !== '{') return undefined
    cursor.skip(count)
    return name
  }

  #struct(name: string): Expression {
    const { offset } = this.#cursor.take()
    const fields: { name: string; value: Expression; optional: boolean }[] = []
    while (!this.#cursor.is('}')) {
      const optional = this.#cursor.takeIf('?')
      const field = this.#cursor.take()
      if (field.kind !== 'identifier' && field.kind !== 'quoted-identifier') throw unexpected(field, 'IDENTIFIER')
      this.#cursor.expect(':')
      const fieldName = field.kind === 'identifier' ? field.text : field.text.slice(1, -1)
      fields.push({ name: fieldName, value: this.#expression(), optional })
      if (!this.#cursor.takeIf(',')) break
    }
    this.#cursor.expect('}')
    return { kind: 'struct', id: this.build.id(...fields.map(({ value }) => value)), offset, name, fields }
  }

  #list(end: string, before?: (place: number) => unknown): Expression[] {
    const items: Expression[] = []
    while (!this.#cursor.is(end)) {
      before?.(items.length)
      items.push(this.#expression())
      if (!this.#cursor.takeIf(',')) break
      if (end === ')' && this.#cursor.is(')')) throw unexpected(this.#cursor.next, expectedPrimary)
    }
    this.#cursor.expect(end)
    return items
  }

  #deeper(): void {
    if (++this.#depth > deepest) throw new SyntaxStop(0, `expression recursion limit exceeded: ${deepest}`)
  }
}
