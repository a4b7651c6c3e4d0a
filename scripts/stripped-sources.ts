// The sources without their types, kept in one file from one start to the next: Node would read two files for each of them.
// A source that was changed since is read again. quick-imports.ts asks for each text and saves what is new.

import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** A text: of which state of its source, and where in the file. */
type Place = readonly [changedMs: number, size: number, start: number, end: number]

export class StrippedSources {
  readonly #file: string
  readonly #places: Readonly<Record<string, Place>>
  readonly #texts: Buffer
  readonly #fresh = new Map<string, { readonly changedMs: number; readonly size: number; readonly text: string }>()

  /** Only the user may write to the folder of `file`, as with the compile cache: what is in it is run. */
  constructor(file: string) {
    this.#file = file
    const { places, texts } = read(file)
    this.#places = places
    this.#texts = texts
  }

  /** Throws when the source cannot be read. */
  textOf(path: string): string {
    // The time of the last change of any kind, which nobody can set back.
    const { ctimeMs: changedMs, size } = statSync(path)
    const place = this.#places[path]
    if (place?.[0] === changedMs && place[1] === size) return this.#texts.toString('utf8', place[2], place[3])
    const text = stripTypeScriptTypes(readFileSync(path, 'utf8'))
    this.#fresh.set(path, { changedMs, size, text })
    return text
  }

  /** Writes the file if there is something new. Where it cannot be written, starts are slower and that is all. */
  save(): void {
    if (this.#fresh.size === 0) return
    const places: Record<string, Place> = {}
    const texts: Buffer[] = []
    let end = 0
    const add = (path: string, changedMs: number, size: number, bytes: Buffer) => {
      const start = end
      end += bytes.length
      places[path] = [changedMs, size, start, end]
      texts.push(bytes)
    }
    for (const [path, place] of Object.entries(this.#places)) {
      if (!this.#fresh.has(path)) add(path, place[0], place[1], this.#texts.subarray(place[2], place[3]))
    }
    for (const [path, { changedMs, size, text }] of this.#fresh) add(path, changedMs, size, Buffer.from(text))
    const index = Buffer.from(JSON.stringify(places))
    const head = Buffer.alloc(4)
    head.writeUInt32LE(index.length)
    try {
      // Renamed when it is whole: two starts may write at once.
      const whole = `${this.#file}.${process.pid}`
      writeFileSync(whole, Buffer.concat([head, index, ...texts]), { mode: 0o600 })
      renameSync(whole, this.#file)
    } catch {}
  }
}

function read(file: string): { readonly places: Readonly<Record<string, Place>>; readonly texts: Buffer } {
  try {
    const bytes = readFileSync(file)
    const start = 4 + bytes.readUInt32LE()
    return { places: JSON.parse(bytes.toString('utf8', 4, start)), texts: bytes.subarray(start) }
  } catch {
    return { places: {}, texts: Buffer.alloc(0) }
  }
}
