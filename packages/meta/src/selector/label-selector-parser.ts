// Reads the text of a label selector, token by token as Kubernetes does. `in` and `notin` are operators only where
// an operator stands; elsewhere they are ordinary names. There is no quoting.

import { labelValue, qualifiedName } from '../names/names.ts'
import { badRequest } from '../status/status-errors.ts'
import { type LabelOperator, type LabelRequirement, parseInt64 } from './label-requirement.ts'

export function parseRequirements(text: string): LabelRequirement[] {
  return new Parser(tokenize(text)).parse()
}

const SYMBOLS = new Set(['(', ')', ',', '!', '=', '==', '!=', '>', '<'])
const SYMBOL_CHARACTERS = '=!(),><'
const SPACE = ' \t\r\n'
const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
}

function tokenize(text: string): string[] {
  const tokens: string[] = []
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at)
    if (SPACE.includes(character)) {
      at++
      continue
    }
    let token = character
    if (SYMBOL_CHARACTERS.includes(character)) {
      if (SYMBOLS.has(text.slice(at, at + 2))) token = text.slice(at, at + 2)
    } else {
      let end = at + 1
      while (end < text.length && !`${SYMBOL_CHARACTERS}${SPACE}`.includes(text.charAt(end))) end++
      token = text.slice(at, end)
    }
    tokens.push(token)
    at += token.length
  }
  return tokens
}

class Parser {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = []
    if (this.#next === undefined) return requirements
    for (;;) {
      if (!isName(this.#next) && this.#next !== '!') {
        throw this.#unexpected(requirements.length === 0 ? "!, identifier, or 'end of string'" : "identifier after ','")
      }
      requirements.push(this.#requirement())
      if (this.#next === undefined) return requirements
      if (!this.#take(',')) throw this.#unexpected("',' or 'end of string'")
    }
  }

  #requirement(): LabelRequirement {
    const absent = this.#take('!')
    const key = this.#name('identifier')
    const errors = qualifiedName(key)
    if (errors.length > 0) throw bad(`key: Invalid value: ${JSON.stringify(key)}: ${errors.join('; ')}`)
    if (absent) return { key, operator: '!', values: [] }
    if (this.#next === undefined || this.#next === ',') return { key, operator: 'exists', values: [] }
    const operator = OPERATORS[this.#next]
    if (operator === undefined) throw this.#unexpected('in, notin, =, ==, !=, gt, lt')
    this.#at++
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#exactValue()]
    for (const value of values) checkValue(key, operator, value)
    return { key, operator, values: [...new Set(values)].sort() }
  }

  /** `(a,b)`; a comma without a name before or after it stands beside an empty value. */
  #values(): string[] {
    if (!this.#take('(')) throw this.#unexpected("'('")
    const values: string[] = []
    for (;;) {
      values.push(isName(this.#next) ? this.#name('identifier') : '')
      if (this.#take(')')) return values
      if (!this.#take(',')) throw this.#unexpected("',' or ')'")
    }
  }

  #exactValue(): string {
    return this.#next === undefined || this.#next === ',' ? '' : this.#name('identifier')
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at]
  }

  #take(token: string): boolean {
    if (this.#next !== token) return false
    this.#at++
    return true
  }

  #name(expected: string): string {
    const token = this.#next
    if (!isName(token)) throw this.#unexpected(expected)
    this.#at++
    return token
  }

  #unexpected(expected: string) {
    return bad(`found '${this.#next ?? ''}', expected: ${expected}`)
  }
}

function isName(token: string | undefined): token is string {
  return token !== undefined && !SYMBOLS.has(token)
}

function checkValue(key: string, operator: LabelOperator, value: string): void {
  const errors = labelValue(value)
  if (errors.length > 0) {
    throw bad(`values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${errors.join('; ')}`)
  }
  if ((operator === 'gt' || operator === 'lt') && parseInt64(value) === undefined) {
    throw bad(
      `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
    )
  }
}

function bad(message: string) {
  return badRequest(`unable to parse requirement: ${message}`)
}
