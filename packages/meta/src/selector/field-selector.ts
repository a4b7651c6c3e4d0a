// Field selectors: `metadata.name=a,status.phase!=Running`, with backslash escapes. The
// resource decides which fields exist; this only parses the text.

import { badRequest } from '../status/status-errors.ts'

export interface FieldRequirement {
  field: string
  op: '=' | '!='
  value: string
}

export interface FieldSelector {
  readonly requirements: FieldRequirement[]
  readonly empty: boolean
  toString(): string
}

export function parseFieldSelector(text: string): FieldSelector {
  const requirements = splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, text))
  return {
    requirements,
    empty: requirements.length === 0,
    toString: () => requirements.map(({ field, op, value }) => field + op + escapeValue(value)).join(','),
  }
}

function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ',') {
      terms.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...terms, text.slice(start)]
}

function parseTerm(term: string, text: string): FieldRequirement {
  for (let at = 0; at < term.length; at++) {
    if (term[at] === '\\') {
      at++
      continue
    }
    for (const operator of ['!=', '==', '=']) {
      if (!term.startsWith(operator, at)) continue
      const value = unescapeValue(term.slice(at + operator.length))
      return { field: term.slice(0, at), op: operator === '!=' ? '!=' : '=', value }
    }
  }
  throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
}

function unescapeValue(value: string): string {
  let plain = ''
  for (let at = 0; at < value.length; at++) {
    const character = value[at] ?? ''
    if (character === '\\') {
      const next = value[++at] ?? ''
      if (next === '' || !'\\,='.includes(next)) {
        throw badRequest(`invalid field selector: invalid escape sequence: \\${next}`)
      }
      plain += next
    } else if (character === ',' || character === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${character}`)
    } else {
      plain += character
    }
  }
  return plain
}

function escapeValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, '\\$&')
}
