// Converts a YAML document to JSON values as sigs.k8s.io/yaml does: YAML 1.1 scalars, string keys, no timestamps.

import { JsonWeightError } from '@homeostat/meta/server'
import type { Document, LineCounter, Node, Pair } from 'yaml'

export type ParsedYaml =
  | { readonly value: unknown; readonly repeatedLines: string[] }
  | { readonly error: string; readonly where?: string }

/** Enough for ordinary anchors; an alias bomb is refused. */
const MAX_ALIASES = 100
const MAX_DEPTH = 1000
const MAX_DUPLICATES = 100

export async function parseYaml(text: string, limit: number): Promise<ParsedYaml> {
  // A large package that only requests in YAML need.
  const yaml = await import('yaml')
  try {
    const lines = new yaml.LineCounter()
    const documents = yaml.parseAllDocuments(text, {
      lineCounter: lines,
      version: '1.1',
      uniqueKeys: false,
      intAsBigInt: true,
      customTags: (tags) =>
        tags.filter(
          (tag) =>
            typeof tag !== 'string' &&
            !tag.tag.endsWith(':timestamp') &&
            !tag.tag.endsWith(':binary') &&
            !tag.tag.endsWith(':set') &&
            !tag.tag.endsWith(':omap') &&
            !tag.tag.endsWith(':pairs'),
        ),
    })
    if (!Array.isArray(documents) || documents.length !== 1)
      return { error: `it must hold one document, it holds ${Array.isArray(documents) ? documents.length : 0}` }
    const document = documents[0] as Document.Parsed
    const [problem] = document.errors
    if (problem) {
      const { line, col } = lines.linePos(problem.pos[0])
      return { error: problem.message, where: `${problem.code} at line ${line}, column ${col}` }
    }
    const repeatedLines = new Repetitions(yaml, lines).in(document.contents as Node | null)
    return { value: new Plain(limit).value(document.toJS({ maxAliasCount: MAX_ALIASES }), 0), repeatedLines }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Collects duplicate keys with the line of the second, as Go's YAML reports them. */
class Repetitions {
  readonly #yaml: typeof import('yaml')
  readonly #lines: LineCounter
  readonly #found: string[] = []

  constructor(yaml: typeof import('yaml'), lines: LineCounter) {
    this.#yaml = yaml
    this.#lines = lines
  }

  in(node: Node | null): string[] {
    this.#look(node, 0)
    return this.#found
  }

  #look(node: Node | null, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`)
    if (this.#yaml.isSeq(node)) for (const item of node.items) this.#look(item as Node, depth + 1)
    else if (this.#yaml.isMap(node)) {
      const seen = new Set<string>()
      for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
        const name = String(this.#yaml.isScalar(key) ? key.value : key)
        if (seen.has(name) && name !== '<<') this.#note(key, name)
        seen.add(name)
        this.#look(value, depth + 1)
      }
    }
  }

  #note(key: Node, name: string): void {
    if (this.#found.length >= MAX_DUPLICATES) return
    const { line } = this.#lines.linePos(key.range?.[0] ?? 0)
    this.#found.push(`line ${line}: key ${JSON.stringify(name)} already set in map`)
  }
}

/** Copies a document as JSON. The target of an alias counts each time it is used. */
class Plain {
  readonly #limit: number
  #weight = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  value(value: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`)
    if (typeof value === 'bigint') return exact(value)
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} is not a JSON number`)
    if (value === null || typeof value !== 'object') return value
    this.#weight++
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth)
  }

  #list(list: unknown[], depth: number): unknown[] {
    this.#add(list.length)
    return list.map((item) => this.value(item, depth + 1))
  }

  #object(object: object, depth: number): Record<string, unknown> {
    const entries = Object.entries(object)
    this.#add(3 * entries.length)
    const out: Record<string, unknown> = {}
    for (const [key, item] of entries) {
      if (key === '__proto__') throw new Error('the key "__proto__" is not allowed')
      out[key] = this.value(item, depth + 1)
    }
    return out
  }

  /** Counts the weight that the same body would have in JSON. */
  #add(weight: number): void {
    this.#weight += weight
    if (this.#weight > this.#limit) throw new JsonWeightError(this.#limit)
  }
}

/** Integers are parsed as bigint, so that none is rounded; those that fit become numbers. */
function exact(value: bigint): number | bigint {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value)
  return BigInt.asIntN(64, value) === value ? value : Number(value)
}
