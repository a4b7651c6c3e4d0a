// Templates of `-o jsonpath=`, as kubectl has them: text, paths in braces, quoted text, and {range PATH}...{end}.

import { writeJson } from '@homeostat/meta'
import { type JsonPath, parseJsonPath } from '@homeostat/meta/json-path'
import { Fault } from '../fault.ts'

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'range'; readonly path: Path; readonly parts: readonly Part[] }

/** From the item of the range that it stands in, or from the whole. */
interface Path {
  readonly fromRoot: boolean
  readonly path: JsonPath
}

/** Throws a Fault for a template with a mistake. A path that reaches nothing prints nothing. */
export function jsonPathTemplate(text: string): (document: unknown) => string {
  const words = wordsOf(text)
  const parts = partsOf(words, false)
  return (document) => written(parts, document, document)
}

function written(parts: readonly Part[], item: unknown, root: unknown): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      const found = part.path.path.find(part.path.fromRoot ? root : item)
      if (part.kind === 'range') return found.map((one) => written(part.parts, one, root)).join('')
      return found.map(valueText).join(' ')
    })
    .join('')
}

export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value)
}

interface Word {
  readonly text: string
  readonly isCode: boolean
}

/** Splits at braces; those inside quotes belong to the quoted text. */
function wordsOf(text: string): Word[] {
  const words = [...text.matchAll(/\{((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^{}"'])*)\}|([^{]+)/gs)]
  const length = words.reduce((sum, [whole]) => sum + whole.length, 0)
  if (length !== text.length) throw new Fault(`error parsing jsonpath ${text}: a brace or a quote is not closed`)
  return words.map(([, code, plain = '']) =>
    code === undefined ? { text: plain, isCode: false } : { text: code.trim(), isCode: true },
  )
}

/** Takes the words up to the end, or inside a range up to its {end}. */
function partsOf(words: Word[], inRange: boolean): Part[] {
  const parts: Part[] = []
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const { text, isCode } = word
    if (!isCode) parts.push({ kind: 'text', text })
    else if (text === 'end') {
      if (!inRange) throw new Fault('error parsing jsonpath: {end} without {range}')
      return parts
    } else if (/^range\s/.test(text)) {
      parts.push({ kind: 'range', path: pathOf(text.slice('range'.length).trim()), parts: partsOf(words, true) })
    } else if (/^["']/.test(text)) parts.push({ kind: 'text', text: unquoted(text) })
    else parts.push({ kind: 'path', path: pathOf(text) })
  }
  if (inRange) throw new Fault('error parsing jsonpath: {range} without {end}')
  return parts
}

export function pathOf(text: string): Path {
  try {
    return { fromRoot: text.startsWith('$'), path: parseJsonPath(text) }
  } catch (cause) {
    throw new Fault(`error parsing jsonpath ${text}: ${(cause as Error).message}`, { cause })
  }
}

/** The path of a column or an order, which may also be written without braces and without its first dot. */
export function relaxedPath(text: string): JsonPath {
  return pathOf(text.replace(/^\{(.*)\}$/, '$1').replace(/^(?=[^.[$@])/, '.')).path
}

function unquoted(text: string): string {
  const inner = text.slice(1, -1)
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
  return inner.replace(/\\(.)/gs, (_, one: string) => escapes[one] ?? one)
}
