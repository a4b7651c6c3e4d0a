// Parses the text of a JSON path. Field names end at one of `. [ ] , $ @ { }` or a space; a backslash takes the
// next character as it is. Templates (`range`, text around braces) are for kubectl and not read here.

import { balancedEnd, splitOutside } from './bracket-text.ts'
import type { Operand, Operator, Step } from './step.ts'

const MAX_NESTING = 8
const NAME_ENDS = ' .,[]$@{}'

export function parsePath(text: string, nesting = 0): Step[] {
  if (nesting > MAX_NESTING) throw new Error('a JSON path may not nest filters that deep')
  if (text === '') throw new Error('a JSON path may not be empty')
  const steps: Step[] = []
  let at = text.startsWith('$') || text.startsWith('@') ? 1 : 0
  if (text.slice(at) === '.') return steps
  while (at < text.length) {
    if (text[at] === '[') {
      const end = balancedEnd(text, at)
      steps.push(parseBracket(text.slice(at + 1, end).trim(), nesting))
      at = end + 1
    } else if (text[at] === '.') {
      at++
      if (text[at] === '.') {
        steps.push({ kind: 'recursive' })
        at++
      }
      if (text[at] !== '[') {
        const name = readName(text, at)
        steps.push(name.raw === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.value })
        at += name.raw.length
      }
    } else {
      throw new Error(`unexpected ${JSON.stringify(text[at])} at ${at} of the JSON path ${JSON.stringify(text)}`)
    }
  }
  return steps
}

function readName(text: string, start: number): { raw: string; value: string } {
  let value = ''
  let at = start
  for (; at < text.length && !NAME_ENDS.includes(text.charAt(at)); at++) {
    if (text[at] === '\\') at++
    value += text.charAt(at)
  }
  if (at === start) throw new Error(`a field name is missing at ${start} of the JSON path ${JSON.stringify(text)}`)
  return { raw: text.slice(start, at), value }
}

function parseBracket(content: string, nesting: number): Step {
  if (content.startsWith('?(') && content.endsWith(')')) return parseFilter(content.slice(2, -1), nesting)
  const parts = splitOutside(content, ',')
  if (parts.length > 1) return { kind: 'union', paths: parts.map((part) => [parseBracket(part.trim(), nesting + 1)]) }
  if (content === '*') return { kind: 'wildcard' }
  const quoted = unquote(content)
  // Dots inside the quotes are steps, too; a key with a dot in it needs a backslash there as everywhere.
  if (quoted !== undefined) return { kind: 'union', paths: [parsePath(`.${quoted}`, nesting + 1)] }
  if (/^-?[0-9]{1,9}$/.test(content)) return { kind: 'index', index: Number(content) }
  const slice = /^(-?[0-9]{1,9})?:(-?[0-9]{1,9})?(?::([0-9]{1,9})?)?$/.exec(content)
  if (slice) return parseSlice(slice[1], slice[2], slice[3])
  if (/^[.@$]/.test(content)) return { kind: 'union', paths: [parsePath(content, nesting + 1)] }
  throw new Error(`[${content}] is no index, slice, key or filter of a JSON path`)
}

function parseSlice(start: string | undefined, end: string | undefined, by: string | undefined): Step {
  if (by !== undefined && Number(by) === 0) throw new Error('the step of a slice in a JSON path must be greater than 0')
  return {
    kind: 'slice',
    start: Number(start ?? 0),
    end: end === undefined ? undefined : Number(end),
    by: Number(by ?? 1),
  }
}

function parseFilter(text: string, nesting: number): Step {
  for (const operator of ['==', '!=', '<=', '>=', '<', '>'] satisfies Operator[]) {
    const [left = '', right, ...more] = splitOutside(text, operator)
    if (right === undefined) continue
    if (more.length > 0) throw new Error(`a filter in a JSON path may have one comparison: ${text}`)
    return {
      kind: 'filter',
      left: parseOperand(left.trim(), nesting),
      comparison: { operator, right: parseOperand(right.trim(), nesting) },
    }
  }
  return { kind: 'filter', left: parseOperand(text.trim(), nesting) }
}

function parseOperand(text: string, nesting: number): Operand {
  const quoted = unquote(text)
  if (quoted !== undefined) return { kind: 'literal', value: quoted.replaceAll(/\\(.)/g, '$1') }
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' }
  if (/^[+-]?[0-9]+(\.[0-9]+)?$/.test(text)) return { kind: 'literal', value: Number(text) }
  if (text === '@' || text === '$') return { kind: 'path', from: text === '@' ? 'item' : 'document', steps: [] }
  if (!/^[@$.]/.test(text))
    throw new Error(`${JSON.stringify(text)} is no path, text, number or boolean for a filter in a JSON path`)
  const from = text.startsWith('$') ? 'document' : 'item'
  return { kind: 'path', from, steps: parsePath(text, nesting + 1) }
}

function unquote(text: string): string | undefined {
  const quote = text.charAt(0)
  if (text.length < 2 || (quote !== "'" && quote !== '"') || !text.endsWith(quote)) return undefined
  return text.slice(1, -1)
}
