// How many bytes of history each kind has, kept beside the log and counted again when that does not add up: an older
// version, or a salvage, knows the sum alone. The compactor calls it, inside its transactions.

import { kindOfKey } from '../history/limits.ts'
import type { Database } from './database.ts'

export class HistorySizes {
  readonly #statements
  #kinds = new Map<string, number>()
  #isChanged = false

  constructor(db: Database) {
    this.#statements = {
      meta: db.prepare('compact', 'SELECT value FROM meta WHERE name = ?'),
      setMeta: db.prepare('compact', 'INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)'),
      size: db.prepare(
        'compact',
        'SELECT length(key) + length(note) + coalesce(length(value), 0) FROM log WHERE rev = ?',
      ),
    }
  }

  /** Reads what is stored; false when it does not add up and everything must be counted again. */
  load(): boolean {
    this.#kinds = decode(this.#meta('history_kinds'))
    this.#isChanged = false
    return this.#sum() === Number(this.#meta('history_bytes') ?? 0)
  }

  clear(): void {
    this.#kinds.clear()
    this.#isChanged = true
  }

  /** By kind. A caller must not change it. */
  get kinds(): ReadonlyMap<string, number> {
    return this.#kinds
  }

  add(key: unknown, revision: number): void {
    this.#change(key, this.#size(revision))
  }

  /** Before the record is deleted. */
  subtract(key: unknown, revision: number): void {
    this.#change(key, -this.#size(revision))
  }

  save(): void {
    if (!this.#isChanged) return
    this.#isChanged = false
    this.#statements.setMeta.run('history_bytes', this.#sum())
    this.#statements.setMeta.run('history_kinds', encode(this.#kinds))
  }

  #change(key: unknown, bytes: number): void {
    const kind = kindName(key)
    const size = (this.#kinds.get(kind) ?? 0) + bytes
    if (size > 0) this.#kinds.set(kind, size)
    else this.#kinds.delete(kind)
    this.#isChanged = true
  }

  #size(revision: number): number {
    return Number(this.#statements.size.get(revision)?.[0] ?? 0)
  }

  #sum(): number {
    let sum = 0
    for (const bytes of this.#kinds.values()) sum += bytes
    return sum
  }

  #meta(name: string): unknown {
    return this.#statements.meta.get(name)?.[0]
  }
}

export function kindName(key: unknown): string {
  return kindOfKey(key instanceof Uint8Array ? Buffer.from(key).toString() : String(key ?? ''))
}

/** One line for each kind. */
function encode(kinds: ReadonlyMap<string, number>): string {
  return [...kinds].map(([kind, bytes]) => `${bytes} ${encodeURIComponent(kind)}`).join('\n')
}

/** Nothing for a text that is none; the sum then tells that it must be counted. */
function decode(text: unknown): Map<string, number> {
  const kinds = new Map<string, number>()
  if (typeof text !== 'string') return kinds
  for (const [, bytes, kind = ''] of text.matchAll(/^(\d+) (.*)$/gm)) kinds.set(decodeURIComponent(kind), Number(bytes))
  return kinds
}
