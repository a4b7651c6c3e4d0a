// Makes the nodes of one expression and numbers them. The parser and the macros build with it; it refuses to grow without bound, which
// macros that write their target twice could otherwise make it do.

import type { Value } from '../values/value.ts'
import type { Comprehension, Expression, MapEntry } from './expression.ts'

const mostNodes = 50_000

/** Below it, everything that walks a tree may recurse. Twice Kubernetes' limit, since a macro adds levels of its own. */
const deepest = 500

/** Thrown by the builder and caught by the parser. */
export class TooLarge {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

export class ExpressionBuilder {
  readonly #depths: number[] = []

  get size(): number {
    return this.#depths.length
  }

  literal(offset: number, value: Value): Expression {
    return { kind: 'literal', id: this.id(), offset, value }
  }

  identifier(offset: number, name: string): Expression {
    return { kind: 'identifier', id: this.id(), offset, name }
  }

  select(offset: number, operand: Expression, field: string, testOnly = false): Expression {
    return { kind: 'select', id: this.id(operand), offset, operand, field, testOnly }
  }

  call(offset: number, name: string, ...args: Expression[]): Expression {
    return { kind: 'call', id: this.id(...args), offset, name, args }
  }

  memberCall(offset: number, target: Expression, name: string, ...args: Expression[]): Expression {
    return { kind: 'call', id: this.id(target, ...args), offset, name, target, args }
  }

  list(offset: number, items: readonly Expression[], optional: ReadonlySet<number> = new Set()): Expression {
    return { kind: 'list', id: this.id(...items), offset, items, optional }
  }

  map(offset: number, entries: readonly MapEntry[]): Expression {
    return { kind: 'map', id: this.id(...entries.flatMap(({ key, value }) => [key, value])), offset, entries }
  }

  comprehension(offset: number, parts: Omit<Comprehension, 'kind' | 'id' | 'offset'>): Expression {
    const { range, start, condition, step, result } = parts
    return { kind: 'comprehension', id: this.id(range, start, condition, step, result), offset, ...parts }
  }

  /** The same expression with ids of its own. */
  copy(from: Expression): Expression {
    const id = this.id()
    this.#depths[id] = this.#depths[from.id] as number
    switch (from.kind) {
      case 'literal':
      case 'identifier':
        return { ...from, id }
      case 'select':
        return { ...from, id, operand: this.copy(from.operand) }
      case 'call':
        return from.target === undefined
          ? { ...from, id, args: this.#copies(from.args) }
          : { ...from, id, target: this.copy(from.target), args: this.#copies(from.args) }
      case 'list':
        return { ...from, id, items: this.#copies(from.items) }
      case 'map':
        return { ...from, id, entries: from.entries.map((entry) => this.#entryCopy(entry)) }
      case 'struct':
        return { ...from, id, fields: from.fields.map((field) => ({ ...field, value: this.copy(field.value) })) }
      case 'comprehension':
        return {
          ...from,
          id,
          range: this.copy(from.range),
          start: this.copy(from.start),
          condition: this.copy(from.condition),
          step: this.copy(from.step),
          result: this.copy(from.result),
        }
    }
  }

  /** The id of a part above these parts. */
  id(...parts: readonly Expression[]): number {
    if (this.size >= mostNodes) throw new TooLarge('expression is too large after its macros are expanded')
    let depth = 0
    for (const part of parts) depth = Math.max(depth, this.#depths[part.id] as number)
    if (depth >= deepest) throw new TooLarge('expression recursion limit exceeded: 250')
    this.#depths.push(depth + 1)
    return this.size - 1
  }

  #copies(expressions: readonly Expression[]): Expression[] {
    return expressions.map((one) => this.copy(one))
  }

  #entryCopy(entry: MapEntry): MapEntry {
    return { ...entry, id: this.id(), key: this.copy(entry.key), value: this.copy(entry.value) }
  }
}
