// Reads the subset of YAML that kubeconfigs are written in: nested keys, lists, plain and double-quoted values. It
// returns undefined for anything else, and the caller uses the full parser, which takes longer to load than a command
// takes to run.

interface Line {
  readonly indent: number
  readonly dash: boolean
  readonly key: string
  readonly value: string
}

type Value = string | boolean | Value[] | { [key: string]: Value }

const LINE = /^( *)(- )?([A-Za-z][\w-]*):(?: +(\S.*?))? *$/
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i
/** Starts with a letter or a slash, so that it is neither a number nor YAML syntax. */
const PLAIN = /^[A-Za-z/][\w./:@+=-]*$/

export function readPlainYaml(text: string): unknown {
  const lines: Line[] = []
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:#.*)?$/.test(line)) continue
    const [, spaces = '', dash, key = '', value = ''] = LINE.exec(line) ?? []
    if (key === '' || RESERVED.test(key)) return undefined
    // The mapping of a list item is indented by two more than its dash.
    lines.push({ indent: spaces.length + (dash ? 2 : 0), dash: dash !== undefined, key, value })
  }
  const reader = new Reader(lines)
  const value = lines.length === 0 || lines[0]?.dash ? undefined : reader.mapping(0)
  return reader.isDone ? value : undefined
}

class Reader {
  readonly #lines: readonly Line[]
  #at = 0

  constructor(lines: readonly Line[]) {
    this.#lines = lines
  }

  get isDone(): boolean {
    return this.#at === this.#lines.length
  }

  /** Undefined for syntax outside the subset; the position stays there. */
  mapping(indent: number): { [key: string]: Value } | undefined {
    const found: { [key: string]: Value } = {}
    for (let line = this.#next; line?.indent === indent && (!line.dash || isEmpty(found)); line = this.#next) {
      const { key } = line
      if (Object.hasOwn(found, key) || key === '__proto__') return undefined
      this.#at++
      const value = line.value === '' ? this.#below(indent) : scalar(line.value)
      if (value === undefined) return undefined
      found[key] = value
    }
    return isEmpty(found) ? undefined : found
  }

  get #next(): Line | undefined {
    return this.#lines[this.#at]
  }

  /** A list may have the indent of its key; a mapping is indented further. */
  #below(indent: number): Value | undefined {
    const next = this.#next
    if (next === undefined) return undefined
    if (next.dash) return next.indent >= indent + 2 ? this.#list(next.indent) : undefined
    return next.indent > indent ? this.mapping(next.indent) : undefined
  }

  #list(indent: number): Value[] | undefined {
    const items: Value[] = []
    for (let line = this.#next; line?.dash && line.indent === indent; line = this.#next) {
      const item = this.mapping(indent)
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }
}

function scalar(text: string): Value | undefined {
  if (text === '{}') return {}
  if (text === '[]') return []
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^"[^"\\]*"$/.test(text)) return text.slice(1, -1)
  return PLAIN.test(text) && !RESERVED.test(text) && !text.endsWith(':') ? text : undefined
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0
}
