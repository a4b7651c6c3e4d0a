// Where in an object a place of its YAML is, also while the text is broken, as it is while somebody types: by indentation alone. Pure.

export interface YamlPlace {
  /** Of the map or list that the place is in. Items of lists are 0: their schema is one. */
  readonly path: readonly (string | number)[]
  /** The field whose value it is; undefined where a name is typed. */
  readonly key: string | undefined
  /** What is typed already, and where it begins in the text. */
  readonly typed: string
  readonly from: number
}

interface Step {
  readonly indent: number
  /** Undefined for the dash of an item. */
  readonly key: string | undefined
}

/** A longer line is data, and is not taken apart. */
const LONGEST = 2000
const NAME = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:'"\-[\]{},&*!|>%@`][^:#]*|-(?=\S)[^:#]*)\s*:(?=\s|$)/

/** Undefined inside of comments, and of lines too long to be written by hand. */
export function yamlPlace(text: string, position: number): YamlPlace | undefined {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1
  const line = text.slice(lineStart, position)
  if (line.length > LONGEST || /(?:^|\s)#/.test(line)) return undefined
  const { steps, rest, restAt } = stepsOf(line)
  const last = steps.at(-1)
  const isValue = last?.key !== undefined && !line.endsWith(':')
  const inner = isValue ? steps.slice(0, -1) : steps.filter(({ key }) => key === undefined)
  const indent = isValue ? (last?.indent ?? 0) : restAt
  const path = pathAbove(text.slice(0, lineStart), inner, inner[0]?.indent ?? indent)
  return { path, key: isValue ? last?.key : undefined, typed: rest, from: lineStart + restAt }
}

/** The path of the field whose name is at a position; undefined where there is none. */
export function fieldAt(text: string, position: number): readonly (string | number)[] | undefined {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1
  const lineEnd = text.indexOf('\n', position)
  const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd)
  if (line.length > LONGEST) return undefined
  const { steps, restAt } = stepsOf(line)
  const last = steps.at(-1)
  if (last?.key === undefined || position - lineStart >= restAt) return undefined
  const inner = steps.slice(0, -1)
  return [...pathAbove(text.slice(0, lineStart), inner, inner[0]?.indent ?? last.indent), last.key]
}

/** `  - name: x` is an item at 2 and a field at 4, and the rest is `x` at 10. */
function stepsOf(line: string): { steps: Step[]; rest: string; restAt: number } {
  const steps: Step[] = []
  let at = line.length - line.trimStart().length
  for (let dash = /^-(?: +|$)/.exec(line.slice(at)); dash !== null; dash = /^-(?: +|$)/.exec(line.slice(at))) {
    steps.push({ indent: at, key: undefined })
    at += dash[0].length
  }
  const name = NAME.exec(line.slice(at))
  if (name === null) return { steps, rest: line.slice(at), restAt: at }
  steps.push({ indent: at, key: unquoted(name[1] ?? '') })
  const after = line.slice(at + name[0].length)
  const space = after.length - after.trimStart().length
  return { steps, rest: after.trimStart(), restAt: at + name[0].length + space }
}

function pathAbove(before: string, inner: readonly Step[], indent: number): (string | number)[] {
  const found: Step[] = [...inner]
  let limit = indent
  let inItem = inner[0] !== undefined
  const lines = before.split('\n')
  for (let at = lines.length - 1; at >= 0 && (limit > 0 || inItem); at--) {
    const line = lines[at] ?? ''
    if (line.length > LONGEST || /^\s*(?:#|$)/.test(line)) continue
    if (/^---/.test(line)) break
    for (const step of stepsOf(line).steps.toReversed()) {
      // A list may stand as far left as the name of its field.
      const isOuter = step.indent < limit || (inItem && step.indent === limit && step.key !== undefined)
      if (!isOuter) continue
      found.unshift(step)
      limit = step.indent
      inItem = step.key === undefined
    }
  }
  return found.map(({ key }) => key ?? 0)
}

function unquoted(name: string): string {
  const text = name.trim()
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text
}
